// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Logging

/// An event that an operator who looks for an attack needs in the log (OWASP ASVS 16.3): one line each, with project
/// and account id, never an address, a code, a password or a token.
package struct SecurityEvent: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case signInFailed = "sign-in failed"
        case signInLocked = "sign-in locked after many failures"
        case callerLocked = "sign-ins of a caller locked after many failures"
        case passwordReset = "password reset"
        case addressChanged = "address changed"
        case accountRecovered = "account recovered"
        case adminKeyRefused = "admin key refused"
        case serviceAccountRefused = "service account refused"
        case accessTokenGiven = "access token given to a service account"
        case operatorRefused = "sign-in to the console refused"
        case linkHandedOver = "link handed to a back end"
        case addressSuppressed = "address suppressed after a bounce"
    }

    package let kind: Kind
    /// Nil where nothing that the caller has shown names a project.
    package let project: String?
    /// Nil when nobody has the address. A service account's id, where the event is about one.
    package let account: String?

    package init(_ kind: Kind, project: String? = nil, account: String? = nil) {
        self.kind = kind
        self.project = project
        self.account = account
    }

    package func log(to logger: Logger) {
        var metadata: Logger.Metadata = [:]
        if let project { metadata["project"] = "\(project)" }
        if let account { metadata["account"] = "\(account)" }
        logger.info("\(kind.rawValue)", metadata: metadata)
    }
}

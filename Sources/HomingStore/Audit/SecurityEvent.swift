// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Logging

/// An event that an operator who looks for an attack needs in the log (OWASP ASVS 16.3): who, from where, about what,
/// and how it ended; never a code, a password or a token.
package struct SecurityEvent: Sendable, Equatable {
    /// All events. The raw value is what a line's `event` says, and does not change.
    package enum Kind: String, Sendable, CaseIterable {
        case signInFailed = "sign_in_failed"
        case signInLocked = "sign_in_locked"
        case callerLocked = "caller_locked"
        case passwordReset = "password_reset"
        case addressChanged = "address_changed"
        case accountRecovered = "account_recovered"
        case linkHandedOver = "link_handed_over"
        case addressSuppressed = "address_suppressed"
        case apiKeyRefused = "api_key_refused"
        case tokenRefused = "token_refused"
        case codeRefused = "code_refused"
        case codeDeclined = "code_declined"
        case numbersWrong = "numbers_wrong"
        case formRefused = "form_refused"
        case requestsLimited = "requests_limited"
        case adminKeyRefused = "admin_key_refused"
        case projectRefused = "project_refused"
        case serviceAccountRefused = "service_account_refused"
        case accessTokenGiven = "access_token_given"
        case operatorSignedIn = "operator_signed_in"
        case operatorSignInFailed = "operator_sign_in_failed"
        case operatorCodeWrong = "operator_code_wrong"
        case operatorLocked = "operator_locked"
        case operatorLinkRefused = "operator_link_refused"
        case operatorRefused = "operator_refused"
    }

    package enum Outcome: String, Sendable {
        case done, refused
    }

    package let kind: Kind
    /// Who did it, as the audit log names authors: `command`, an operator's address, `key ID`, `owner`; `app` for
    /// whoever asks on the public listener, `nobody` for whoever has shown nothing on the admin listener.
    package let author: String
    /// The caller's address; nil for a command.
    package let caller: IPAddress?
    /// What it is about: an account's id, an operator's address, a path; nil where there is none, as when nobody has
    /// the address of a sign-in.
    package let subject: String?
    /// Nil where nothing that the caller has shown names a project.
    package let project: Scope?

    /// An event of whoever asks now (``Asker``).
    ///
    /// - Parameter author: who did it, where the request has only now shown that.
    package init(_ kind: Kind, project: Scope? = nil, subject: String? = nil, by author: String? = nil) {
        self.kind = kind
        self.project = project
        self.subject = subject
        self.author = author ?? Asker.current?.author ?? Authority.command.text
        caller = Asker.current?.address
    }

    /// - Parameter more: how many of the same event and caller were only counted.
    package func log(to logger: Logger, more: Int = 0) {
        var metadata: Logger.Metadata = [
            "event": "\(kind.rawValue)", "outcome": "\(kind.outcome.rawValue)", "author": "\(author)",
        ]
        if let caller { metadata["caller"] = "\(caller)" }
        if let subject { metadata["subject"] = "\(subject)" }
        if let project { metadata["project"] = "\(project)" }
        if more > 0 { metadata["more"] = "\(more)" }
        logger.log(level: kind.level, "\(kind.message)", metadata: metadata)
    }
}

extension SecurityEvent.Kind {
    /// The line's message.
    package var message: String {
        switch self {
        case .signInFailed: "sign-in failed"
        case .signInLocked: "sign-in locked after many failures"
        case .callerLocked: "sign-ins from an IP address locked after many failures"
        case .passwordReset: "password reset"
        case .addressChanged: "address changed"
        case .accountRecovered: "account recovered"
        case .linkHandedOver: "link handed to a back end"
        case .addressSuppressed: "address suppressed after a bounce"
        case .apiKeyRefused: "API key refused"
        case .tokenRefused: "token refused"
        case .codeRefused: "code of a mailed link refused"
        case .codeDeclined: "mailed link declined by its reader"
        case .numbersWrong: "mailed link ended after wrong numbers"
        case .formRefused: "form refused"
        case .requestsLimited: "too many requests from an IP address"
        case .adminKeyRefused: "admin key refused"
        case .projectRefused: "admin key used outside its projects"
        case .serviceAccountRefused: "service account refused"
        case .accessTokenGiven: "access token given to a service account"
        case .operatorSignedIn: "operator signed in"
        case .operatorSignInFailed: "sign-in to the console refused"
        case .operatorCodeWrong: "code of an operator's authenticator app refused"
        case .operatorLocked: "sign-ins to the console locked after many failures"
        case .operatorLinkRefused: "one-time link to the admin side refused"
        case .operatorRefused: "operator not allowed"
        }
    }

    /// The meaning, in the list of docs/observing.md.
    package var meaning: String {
        switch self {
        case .signInFailed: "A password was wrong, or nobody has the address"
        case .signInLocked: "An account takes no password from this IP address for an hour"
        case .callerLocked: "An IP address has tried too many passwords, on whatever accounts"
        case .passwordReset: "Somebody set a new password by a mailed link"
        case .addressChanged: "An account has another address, by a link or by a back end"
        case .accountRecovered: "Somebody took a change of address back by the link in its notice"
        case .linkHandedOver: "A back end was given a link instead of having it mailed"
        case .addressSuppressed: "Emails to an address came back; it gets none for a while"
        case .apiKeyRefused: "An API key that no project has, or a revoked one"
        case .tokenRefused: "An ID token, refresh token or custom token that is forged, damaged or void"
        case .codeRefused: "A code of a mailed link that was never made here, or a wait for a request of another client"
        case .codeDeclined: "The reader of an email has not asked for it: somebody else has"
        case .numbersWrong: "Three wrong numbers were given for a mailed link, which is dead now"
        case .formRefused: "A form that no page of this server has sent, or not for this session"
        case .requestsLimited: "An IP address asks more often than the limit allows, and gets 429"
        case .adminKeyRefused: "A wrong, ended or revoked admin key, or `owner` where it is not taken"
        case .projectRefused: "A right admin key at a project, or at a page, that it is not for"
        case .serviceAccountRefused: "A wrong assertion of a service account, which gets no access token"
        case .accessTokenGiven: "A service account has an access token of the admin listener for an hour"
        case .operatorSignedIn: "An operator has a session of the console"
        case .operatorSignInFailed: "A wrong address or password at the console"
        case .operatorCodeWrong: "A wrong code behind an operator's first factor, or for taking the second one away"
        case .operatorLocked: "Too many passwords, codes or mailed links were asked for at the console"
        case .operatorLinkRefused: "A one-time link that was used, has ended or was asked for by another browser"
        case .operatorRefused: "An operator asked for a page that needs another role, or for a project of others"
        }
    }

    package var outcome: SecurityEvent.Outcome {
        switch self {
        case .passwordReset, .addressChanged, .accountRecovered, .linkHandedOver, .addressSuppressed, .codeDeclined,
            .operatorSignedIn, .accessTokenGiven:
            .done
        case .signInFailed, .signInLocked, .callerLocked, .apiKeyRefused, .tokenRefused, .codeRefused,
            .numbersWrong, .formRefused, .requestsLimited, .adminKeyRefused, .projectRefused, .serviceAccountRefused,
            .operatorSignInFailed,
            .operatorCodeWrong, .operatorLocked, .operatorLinkRefused, .operatorRefused:
            .refused
        }
    }

    /// What was refused at the console and on the admin listener is rarer and graver than an app's typing errors.
    package var level: Logger.Level {
        switch self {
        case .adminKeyRefused, .projectRefused, .serviceAccountRefused, .operatorSignInFailed, .operatorCodeWrong,
            .operatorLocked, .operatorLinkRefused, .operatorRefused:
            .notice
        case .signInFailed, .signInLocked, .callerLocked, .passwordReset, .addressChanged, .accountRecovered,
            .linkHandedOver, .addressSuppressed, .apiKeyRefused, .tokenRefused, .codeRefused, .codeDeclined,
            .numbersWrong, .formRefused, .requestsLimited, .operatorSignedIn, .accessTokenGiven:
            .info
        }
    }
}

/// Who asks, for the security log, as long as a request is answered.
package struct Asker: Sendable {
    package let address: IPAddress?
    package let author: String

    /// Nil for a command, and for what the server does by itself.
    @TaskLocal package static var current: Asker?

    package init(_ address: IPAddress?, author: String) {
        self.address = address
        self.author = author
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
internal import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingShortLinks
package import HomingStore

/// The text of a refusal for an operator.
package enum RefusalLine {
    /// One line for the operator: the error, and the remedy.
    package static func text(of error: any Error) -> String {
        let text =
            switch error {
            case let refusal as Refusal: text(refusal)
            case let error as any CustomStringConvertible: error.description
            default: "\(error)"
            }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    package static func text(_ refusal: Refusal) -> String { sentence(refusal).with(refusal.remedy) }

    private static func sentence(_ refusal: Refusal) -> String {
        switch refusal {
        case .alreadyExists, .changedMeanwhile, .notFound, .invalidSetting, .invalidAuthorizedDomain,
            .invalidLinkDomain, .invalidArgument, .mailNotTaken, .linksWouldDie:
            refusal.sentence
        case .invalidEmail:
            "this is not an email address that Homing takes: letters, digits and dots before the @, a domain after it"
        case .emailExists: "an account with this address exists already: homing account show"
        case .userNotFound, .emailNotFound: "there is no account with this address in the project"
        case .weakPassword: refusal.sentence.isEmpty ? "the password is empty" : refusal.sentence
        case .passwordTooLong: "a password has at most 1024 bytes"
        case .overloaded: (refusal.cause as? DatabaseUnavailable)?.description ?? refusal.wireMessage
        case .duplicateLocalID: "an account with this id exists already"
        default: refusal.wireMessage
        }
    }
}

extension Refusal {
    /// What a command says whose mail the relay did not take.
    package static func mailNotTaken(_ sentence: String) -> Refusal { Refusal(.mailNotTaken, sentence) }
}

extension Refusal.Code {
    package static let mailNotTaken: Self = "MAIL_NOT_TAKEN"
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase

/// The text of a refusal for an operator.
enum RefusalLine {
    static func text(_ refusal: Refusal) -> String {
        switch refusal {
        case .alreadyExists(let sentence), .changedMeanwhile(let sentence), .notFound(let sentence),
            .invalidSetting(let sentence),
            .invalidAuthorizedDomain(let sentence), .invalidLinkDomain(let sentence), .invalidArgument(let sentence),
            .mailNotTaken(let sentence):
            sentence
        case .invalidEmail:
            "this is not an email address that Homing takes: letters, digits and dots before the @, a domain after it"
        case .emailExists: "an account with this address exists already: homing account show"
        case .userNotFound, .emailNotFound: "there is no account with this address in the project"
        case .weakPassword(let weakness): weakness.sentence ?? "the password is empty"
        case .passwordTooLong: "a password has at most 1024 bytes"
        case .overloaded(_, let reason?): reason.description
        case .duplicateLocalID: "an account with this id exists already"
        default: refusal.wireMessage
        }
    }
}

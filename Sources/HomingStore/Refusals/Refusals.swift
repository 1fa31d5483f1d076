// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// What every subject may refuse.

extension Refusal {
    package static func invalidArgument(_ sentence: String) -> Refusal {
        Refusal(.invalidArgument, sentence, status: .invalidArgument)
    }

    /// A value that an operator gives and that cannot be.
    package static func invalidSetting(_ sentence: String, remedy: Remedy? = nil) -> Refusal {
        Refusal(.invalidSetting, sentence, remedy: remedy)
    }

    package static func notFound(_ sentence: String, remedy: Remedy? = nil) -> Refusal {
        Refusal(.notFound, sentence, status: .notFound, remedy: remedy)
    }

    package static func alreadyExists(_ sentence: String, remedy: Remedy? = nil) -> Refusal {
        Refusal(.alreadyExists, sentence, status: .alreadyExists, remedy: remedy)
    }

    /// Somebody else was faster; the sentence has both values.
    package static func changedMeanwhile(_ sentence: String) -> Refusal {
        Refusal(.changedMeanwhile, sentence, status: .aborted)
    }

    /// What a project may have at most; the sentence says of what.
    package static func quotaExceeded(_ sentence: String) -> Refusal { Refusal(.quotaExceeded, sentence) }

    /// An operation that the project has switched off or that Homing does not offer; the sentence names it.
    package static func operationNotAllowed(_ sentence: String) -> Refusal {
        Refusal("OPERATION_NOT_ALLOWED", sentence)
    }

    /// What would have to mail somebody, on a server for links only.
    package static let mailIsOff = operationNotAllowed("This server sends no email.")
}

extension Refusal.Code {
    package static let invalidArgument: Self = "INVALID_ARGUMENT"
    package static let invalidSetting = Self("INVALID_SETTING", says: "INVALID_ARGUMENT")
    package static let notFound: Self = "NOT_FOUND"
    package static let alreadyExists: Self = "ALREADY_EXISTS"
    package static let changedMeanwhile: Self = "ABORTED"
    package static let quotaExceeded: Self = "QUOTA_EXCEEDED"
}

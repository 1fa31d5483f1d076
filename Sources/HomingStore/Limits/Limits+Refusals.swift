// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension Refusal {
    /// The sentence says of what, and when to come back.
    package static func tooManyAttempts(_ sentence: String, remedy: Remedy? = nil) -> Refusal {
        Refusal(.tooManyAttempts, sentence, remedy: remedy)
    }

    /// More than a minute off, it is a quota that is used up.
    package static func tooManyRequests(retryAfterSeconds seconds: Int) -> Refusal {
        seconds > 60
            ? Refusal(
                Code(Code.tooManyRequests.name, says: "QUOTA_EXCEEDED"), "The quota is used up. Try again later.",
                status: .resourceExhausted, retryAfter: seconds)
            : Refusal(
                .tooManyRequests, "Too many requests from this address. Try again in a moment.",
                status: .resourceExhausted, retryAfter: seconds)
    }
}

extension Refusal.Code {
    package static let tooManyAttempts: Self = "TOO_MANY_ATTEMPTS_TRY_LATER"
    package static let tooManyRequests = Self("TOO_MANY_REQUESTS", says: "TOO_MANY_ATTEMPTS_TRY_LATER")
}

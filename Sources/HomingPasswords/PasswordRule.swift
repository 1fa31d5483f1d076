// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A rule that a new password has to satisfy.
package enum PasswordRule: Sendable, Equatable {
    case minimumLength(Int)
    case maximumLength(Int)
    case lowercase
    case uppercase
    case digit
    case symbol
    /// None of the weaknesses that ``PasswordWeakness`` finds.
    case hardToGuess

    /// The rule as clients show it.
    package var sentence: String {
        switch self {
        case .minimumLength(let length): "Password must contain at least \(length) characters"
        case .maximumLength(let length): "Password may contain at most \(length) characters"
        case .lowercase: "Password must contain a lower case character"
        case .uppercase: "Password must contain an upper case character"
        case .digit: "Password must contain a numeric character"
        case .symbol: "Password must contain a non-alphanumeric character"
        case .hardToGuess: "Password must be hard to guess"
        }
    }
}

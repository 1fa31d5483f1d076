// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What somebody shows beside a code.
package enum CodeProof: Sendable {
    /// Nothing, as unbound codes want it.
    case none
    /// The verifier, as the asking client has it.
    case verifier(String)
    /// The two digits that the page has asked for; empty where it was sent without any.
    case number(String)
}

/// A proof with all that can be said of it before the code's row is known: the guarded write judges it by the row.
struct JudgedProof: Sendable {
    enum Number: Sendable {
        case right, wrong
        /// No number, which costs no try.
        case unreadable
    }

    /// The challenge that the verifier answers.
    var challenge: CodeChallenge?
    /// The number, as that of the asking device; nil where none was given.
    var ofAskingDevice: Number?
    /// The number, as that of the mail; nil where none is asked for.
    var ofMail: Number?
    /// The device of whoever gave the number, for the notice of wrong ones.
    var device: Device?

    static let none = JudgedProof()

    /// Whether it is enough for a code, as far as no counter says otherwise.
    func isEnough(for code: ActionCode) -> Bool {
        if let challenge, let asked = code.challenge, challenge == asked { return true }
        switch number(for: code) {
        case .right: return true
        case .wrong, .unreadable: return false
        case nil: return !code.isBound
        }
    }

    /// The number as a code's row wants it.
    func number(for code: ActionCode) -> Number? {
        code.isBound ? ofAskingDevice : code.hasPressNumber ? ofMail : nil
    }
}

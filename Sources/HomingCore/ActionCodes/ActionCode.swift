// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
package import HomingStore

/// One action code as the database knows it: everything but the secret.
package struct ActionCode: Sendable {
    /// The state of a code. Only a live code can be redeemed.
    enum State: Int64, Bindable {
        case live = 0
        case used = 1
        case replaced = 2
        case accountGone = 3
        /// Requested for an address that nobody has; such a code can never be redeemed.
        case void = 4
        /// A bound sign-in that was approved on another device than the one that asked, which has not collected it.
        case approved = 5
        /// Ended by its reader, who did not ask for it, or by wrong numbers.
        case declined = 6
    }

    /// How a bound code came to its end.
    package enum EndedBy: String, Sendable, Bindable {
        /// By the link, at the client that asked.
        case here
        /// By the link and the number, on another device.
        case elsewhere
        /// By the code that stands in the mail.
        case typed
        /// By its reader, who did not ask for it.
        case declined
        /// By wrong numbers.
        case numbers
    }

    package let id: [UInt8]
    package let kind: ActionCodeKind
    /// The address of the mail. The code is bound to this address unless it is bound to the account.
    package let address: EmailAddress
    /// The account, for kinds that follow the account and not the address.
    let account: AccountID?
    package let newAddress: EmailAddress?
    package let settings: ActionCodeSettings
    /// The language tag that the code was asked for in; nil where nobody named one.
    package let language: String?
    package let createdAt: Moment
    package let expiresAt: Moment
    let state: State
    /// The mail that carries the code; nil for a code that was handed to the operator's back end.
    package let mail: String?
    /// Who alone can use the code; nil for an unbound one.
    let challenge: CodeChallenge?
    /// The digest of the address that the mail goes to (``KeyRing/digest(of:in:)``): where the code is bound, or the
    /// page asks for the number in the mail.
    let digest: String?
    /// Who asked, of a bound code.
    package let asked: AskedFrom?
    package let numberTries: Int
    package let typedTries: Int
    package let endedBy: EndedBy?

    static let columns: SQL = """
        id, kind, address, account, new_address, settings, language, created_at, expires_at, state, mail, challenge, \
        digest, asked, number_tries, typed_tries, ended_by
        """

    /// The wrong numbers after which the code is dead.
    static let mostNumberTries = 3

    /// Whether the code works only together with the verifier, or with the number that the asking client shows.
    package var isBound: Bool { challenge != nil }

    /// Whether the mail of the unbound code has a number.
    var hasPressNumber: Bool { challenge == nil && digest != nil }

    var numberTriesLeft: Int { max(0, Self.mostNumberTries - numberTries) }

    /// Nil for a void row, whose code was never mailed to anybody.
    init?(_ row: consuming Row) throws {
        id = try row.bytes()
        let kind = ActionCodeKind(rawValue: try row.int())
        guard let kind, let address = try row.optionalText() else { return nil }
        self.kind = kind
        self.address = EmailAddress(stored: address)
        account = try row.optionalID()
        newAddress = try row.optionalText().map { EmailAddress(stored: $0) }
        settings = try ActionCodeSettings(stored: row.optionalText())
        language = try row.optionalText()
        createdAt = try row.moment()
        expiresAt = try row.moment()
        state = State(rawValue: try row.int()) ?? .accountGone
        mail = try row.optionalText()
        challenge = try row.optionalText().map { CodeChallenge(stored: $0) }
        digest = try row.optionalText()
        asked = try row.optionalText().map { try AskedFrom(stored: $0) }
        numberTries = Int(try row.int())
        typedTries = Int(try row.int())
        endedBy = try row.optionalText().flatMap { EndedBy(rawValue: $0) }
    }

    /// A code about to be made.
    struct Draft {
        let id: [UInt8]
        let kind: ActionCodeKind
        var state = State.live
        /// Nil for a void code, as is every property below except the language, and except what a bound request is known
        /// by to the one that asked.
        var address: EmailAddress?
        var account: AccountID?
        var newAddress: EmailAddress?
        /// The account whose removal kills the code, for kinds that follow the address.
        var holder: AccountID?
        /// In the form that ``ActionCodeSettings/stored`` writes.
        var settings: String?
        let language: String?
        let expiresAt: Moment
        /// The mail that carries the code, if one does.
        let mail: String?
        var challenge: CodeChallenge?
        var digest: String?
        var asked: AskedFrom?
    }

    /// The context that a code's MAC covers beside the id: the kind, and the project.
    package static func context(_ kind: ActionCodeKind, project: Scope) -> [UInt8] {
        [UInt8(kind.rawValue)] + Array(project.text.utf8)
    }
}

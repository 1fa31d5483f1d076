// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingStore

/// A bound request as those who wait for it may know it. One for an address that nobody has looks the same.
package struct WaitingRequest: Sendable {
    package enum State: Sendable, Equatable {
        case pending
        /// A sign-in that was approved elsewhere, and that the asking client has not collected.
        case approved
        case done
        case declined
        /// By time, by a newer request, or because the account is gone.
        case expired
    }

    package let id: [UInt8]
    package let kind: ActionCodeKind
    package let settings: ActionCodeSettings
    package let language: String?
    package let createdAt: Moment
    package let expiresAt: Moment
    /// At the time of reading.
    package let state: State
    package let endedBy: ActionCode.EndedBy?
    /// The tries that are left to type the code.
    package let typedTriesLeft: Int
    /// What a change that concerns it names (``CodeChange/Whose``).
    package let digest: String?
    package let account: AccountID?
    package let asked: AskedFrom?
    let challenge: CodeChallenge
    /// Nil where nobody has the address.
    let address: EmailAddress?
    let newAddress: EmailAddress?

    /// The wrong codes after which the typed code is dead; the link is not.
    static let mostTypedTries = 5

    static let columns: SQL = """
        id, kind, address, new_address, account, settings, language, created_at, expires_at, state, challenge, digest, \
        typed_tries, ended_by, asked
        """

    /// Nil for a row of an unbound request.
    init?(_ row: consuming Row, at now: Moment) throws {
        id = try row.bytes()
        guard let kind = ActionCodeKind(rawValue: try row.int()) else { return nil }
        self.kind = kind
        address = try row.optionalText().map { EmailAddress(stored: $0) }
        newAddress = try row.optionalText().map { EmailAddress(stored: $0) }
        account = try row.optionalID()
        settings = try ActionCodeSettings(stored: row.optionalText())
        language = try row.optionalText()
        createdAt = try row.moment()
        expiresAt = try row.moment()
        let isOver = expiresAt <= now
        state =
            switch ActionCode.State(rawValue: try row.int()) {
            case .used: .done
            case .declined: .declined
            case .live, .void: isOver ? .expired : .pending
            case .approved: isOver ? .expired : .approved
            case .replaced, .accountGone, nil: .expired
            }
        guard let challenge = try row.optionalText() else { return nil }
        self.challenge = CodeChallenge(stored: challenge)
        digest = try row.optionalText()
        typedTriesLeft = max(0, Self.mostTypedTries - Int(try row.int()))
        endedBy = try row.optionalText().flatMap { ActionCode.EndedBy(rawValue: $0) }
        asked = try row.optionalText().map { try AskedFrom(stored: $0) }
    }

    /// Whether somebody is the client that asked.
    package func isAsked(by verifier: String) -> Bool { challenge.isAnswered(by: verifier) }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

/// The guarded writes of those who wait for a bound request, or finish it away from its link.
extension CodeRows {
    /// A bound request, dead or alive, void or not; nil where its row is gone.
    func waiting(_ id: [UInt8], _ kind: ActionCodeKind) throws -> WaitingRequest? {
        try work.run(
            """
            SELECT \(sql: WaitingRequest.columns) FROM codes
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(kind)
            """
        ).first.flatMap { try WaitingRequest($0, at: work.now) }
    }

    /// Finds the id of the mail that carries a code.
    func mail(of id: [UInt8]) -> SQL {
        "SELECT mail FROM codes WHERE project = \(work.project.scope) AND id = \(id)"
    }

    func setMail(_ mail: String, of id: [UInt8]) {
        work.later("UPDATE codes SET mail = \(mail) WHERE project = \(work.project.scope) AND id = \(id)")
        work.witness("SELECT 1 FROM codes WHERE project = \(work.project.scope) AND id = \(id) AND mail = \(mail)")
    }

    /// Approves a bound sign-in, which the asking client then has five minutes at least to collect.
    func approve(_ id: [UInt8], by proof: JudgedProof) throws -> ActionCode {
        let row = try work.run(
            """
            UPDATE codes SET \(sql: approved(.elsewhere))
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(ActionCodeKind.signIn)
                AND state = \(constant: ActionCode.State.live) AND expires_at > \(work.now)
                AND challenge IS NOT NULL AND \(sql: isEnough(proof))
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        witness(id, is: .approved)
        guard let row else { try refuse(id, .signIn, proof) }
        return try moved(row)
    }

    private static let secondsToCollect: Int64 = 300

    private func approved(_ way: ActionCode.EndedBy) -> SQL {
        let least = work.now.adding(seconds: Self.secondsToCollect)
        return """
            state = \(constant: ActionCode.State.approved), ended_at = \(work.now), ended_by = \(way), \
            expires_at = CASE WHEN expires_at < \(least) THEN \(least) ELSE expires_at END
            """
    }

    /// Uses up a sign-in that was approved elsewhere, for the client that asked; nil where there is none to collect.
    func collect(_ id: [UInt8], by challenge: CodeChallenge) throws -> ActionCode? {
        let row = try work.run(
            """
            UPDATE codes SET state = \(constant: ActionCode.State.used), ended_at = \(work.now)
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(ActionCodeKind.signIn)
                AND state = \(constant: ActionCode.State.approved) AND expires_at > \(work.now)
                AND challenge = \(challenge.text)
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        witness(id, is: .used)
        return try row.map { try moved($0) { _ in false } }
    }

    /// Finds the live code that a proof is enough for. It is not used; a wrong number is counted.
    func check(_ id: [UInt8], _ kind: ActionCodeKind, by proof: JudgedProof) throws -> ActionCode {
        let row = try work.run(
            """
            SELECT \(sql: ActionCode.columns) FROM codes
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(kind)
                AND state = \(constant: ActionCode.State.live) AND expires_at > \(work.now) AND \(sql: isEnough(proof))
            """
        ).first
        guard let row, let code = try ActionCode(row) else { try refuse(id, kind, proof) }
        return code
    }

    /// Ends a bound code whose reader has not asked for it.
    func decline(_ id: [UInt8], _ kind: ActionCodeKind) throws -> ActionCode {
        let row = try work.run(
            """
            UPDATE codes SET state = \(constant: ActionCode.State.declined), ended_at = \(work.now),
                ended_by = \(ActionCode.EndedBy.declined)
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(kind) AND challenge IS NOT NULL
                AND state IN (\(constant: ActionCode.State.live), \(constant: ActionCode.State.approved))
                AND expires_at > \(work.now)
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        witness(id, is: .declined)
        guard let row else {
            _ = try find(id, kind)
            throw Refusal.codeInvalid(.malformed)
        }
        return try moved(row)
    }

    // MARK: The typed code

    /// What the right typed code does to a sign-in.
    enum TypedEffect {
        /// The asking client is signed in with it.
        case uses(CodeChallenge)
        /// The asking client is to collect it.
        case approves
    }

    /// Finishes a sign-in whose code was typed right; throws the reason why it cannot be.
    func typed(_ id: [UInt8], _ effect: TypedEffect) throws -> ActionCode {
        let change: SQL
        let challenge: CodeChallenge?
        switch effect {
        case .uses(let asked):
            challenge = asked
            change = """
                state = \(constant: ActionCode.State.used), ended_at = \(work.now),
                ended_by = \(ActionCode.EndedBy.typed)
                """
        case .approves:
            challenge = nil
            change = approved(.typed)
        }
        let row = try work.run(
            """
            UPDATE codes SET \(sql: change)
            WHERE \(sql: takesTyped(id, .signIn, challenge, "= \(constant: ActionCode.State.live)"))
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        witness(id, is: challenge == nil ? .approved : .used)
        guard let row else { throw try whyNotTyped(id, .signIn, challenge) }
        return try moved(row)
    }

    /// Whether a code that was typed right counts, where nothing changes by it.
    func checkTyped(_ id: [UInt8], _ kind: ActionCodeKind, _ challenge: CodeChallenge?) throws {
        let live = try work.run(
            "SELECT 1 FROM codes WHERE \(sql: takesTyped(id, kind, challenge, "= \(constant: ActionCode.State.live)"))")
        guard live.isEmpty else { return }
        throw try whyNotTyped(id, kind, challenge)
    }

    /// Counts a code that was typed wrong, of a void row, too, and throws what is to be said of it.
    func countWrongTyped(_ id: [UInt8], _ kind: ActionCodeKind, _ challenge: CodeChallenge?) throws {
        let states: SQL = "IN (\(constant: ActionCode.State.live), \(constant: ActionCode.State.void))"
        let row = try work.run(
            """
            UPDATE codes SET typed_tries = typed_tries + 1 WHERE \(sql: takesTyped(id, kind, challenge, states))
            RETURNING typed_tries, digest
            """
        ).first
        guard var row else { throw try whyNotTyped(id, kind, challenge) }
        let tries = Int(try row.int())
        count(.typedCode, try row.optionalText())
        throw CommittedRefusal(.wrongTypedCode(triesLeft: WaitingRequest.mostTypedTries - tries))
    }

    /// The reason why a typed code does not count, without a try.
    ///
    /// - Parameter isReadable: false for a text that no code is.
    func whyNotTyped(
        _ id: [UInt8], _ kind: ActionCodeKind, _ challenge: CodeChallenge?, isReadable: Bool = true
    ) throws -> Refusal {
        guard let request = try waiting(id, kind) else { return .codeExpired }
        if let challenge, challenge != request.challenge { return .invalidRequestID }
        switch request.state {
        case .pending where isReadable && request.typedTriesLeft > 0: return .tooManyWrongTypedCodes
        case .pending: return .wrongTypedCode(triesLeft: request.typedTriesLeft)
        case .approved, .done: return .codeInvalid(.used)
        case .declined: return .codeInvalid(.declined)
        case .expired: return .codeExpired
        }
    }

    private func takesTyped(
        _ id: [UInt8], _ kind: ActionCodeKind, _ challenge: CodeChallenge?, _ states: SQL
    ) -> SQL {
        """
        project = \(work.project.scope) AND id = \(id) AND kind = \(kind) AND state \(sql: states)
            AND expires_at > \(work.now) AND typed_tries < \(WaitingRequest.mostTypedTries)
            AND \(sql: challenge.map { "challenge = \($0.text)" } ?? "challenge IS NOT NULL")
            AND \(sql: mayTry(.typedCode))
        """
    }
}

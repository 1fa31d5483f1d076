// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

/// How the guarded writes judge a proof: by the columns of the code's row, and by the counters of its address.
extension CodeRows {
    /// Whether a proof is enough for a row.
    func isEnough(_ proof: JudgedProof) -> SQL {
        var ways: SQL =
            switch proof.ofMail {
            case nil: "challenge IS NULL"
            case .right: "challenge IS NULL AND \(sql: mayTry(.number))"
            // Its mail has no number.
            case .wrong, .unreadable: "challenge IS NULL AND digest IS NULL"
            }
        if let challenge = proof.challenge { ways.append(" OR challenge = \(challenge.text)") }
        if case .right = proof.ofAskingDevice { ways.append(" OR challenge IS NOT NULL AND \(sql: mayTry(.number))") }
        return "(\(sql: ways))"
    }

    /// Throws the reason why a proof has not moved a code. A wrong number is counted; the third one ends the code.
    func refuse(_ id: [UInt8], _ kind: ActionCodeKind, _ proof: JudgedProof) throws -> Never {
        if let code = try countWrongNumber(id, kind, proof) {
            throw CommittedRefusal(.wrongNumber(triesLeft: code.numberTriesLeft))
        }
        let code = try find(id, kind)
        switch proof.number(for: code) {
        case .unreadable: throw Refusal.wrongNumber(triesLeft: code.numberTriesLeft)
        case .right, .wrong: throw Refusal.tooManyWrongNumbers
        case nil where code.isBound: throw Refusal.missingCodeVerifier
        case nil: throw Refusal.codeInvalid(.used)
        }
    }

    /// The code with one try less; nil where the proof has no wrong number for it.
    private func countWrongNumber(
        _ id: [UInt8], _ kind: ActionCodeKind, _ proof: JudgedProof
    ) throws -> ActionCode? {
        var wrong: [SQL] = []
        if case .wrong = proof.ofAskingDevice { wrong.append("challenge IS NOT NULL") }
        if case .wrong = proof.ofMail { wrong.append("challenge IS NULL AND digest IS NOT NULL") }
        guard let first = wrong.first else { return nil }
        let isWrong = wrong.dropFirst().reduce(first) { "\(sql: $0) OR \(sql: $1)" }
        let isLast: SQL = "number_tries + 1 >= \(ActionCode.mostNumberTries)"
        let row = try work.run(
            """
            UPDATE codes SET number_tries = number_tries + 1,
                state = CASE WHEN \(sql: isLast) THEN \(constant: ActionCode.State.declined) ELSE state END,
                ended_at = CASE WHEN \(sql: isLast) THEN \(work.now) ELSE ended_at END,
                ended_by = CASE WHEN \(sql: isLast) THEN \(ActionCode.EndedBy.numbers) ELSE ended_by END
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(kind)
                AND state = \(constant: ActionCode.State.live) AND expires_at > \(work.now)
                AND (\(sql: isWrong)) AND \(sql: mayTry(.number))
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        guard let row, let code = try ActionCode(row) else { return nil }
        count(.number, code.digest)
        if code.state == .declined { try numbersEnded(code, on: proof.device) }
        return code
    }

    private func numbersEnded(_ code: ActionCode, on device: Device?) throws {
        tell(code)
        let tx = ProjectTransaction(work: work)
        let account = try tx.accounts.find(code.address)
        tx.report(.numbersWrong, account: account?.id)
        tx.owe(
            .notice(
                // The mailbox that the link went to.
                .wrongNumbers, of: code.kind, to: code.newAddress ?? code.address, named: account?.mailableName,
                newAddress: code.newAddress, language: MailLanguage(code.language, of: account, in: work.project),
                on: device, at: work.now))
    }

    // MARK: Limits of an address

    /// What is guessed.
    enum Guess: String {
        case number = "wrong number"
        case typedCode = "wrong typed code"

        /// The subject of the counter of a row's address; null for a row without a digest.
        fileprivate var subject: SQL { SQL(stringLiteral: "'\(rawValue) ' || codes.digest") }
    }

    /// Whether the address of a row may take another guess, of whomever: the counters that an hour has are rows.
    func mayTry(_ guess: Guess) -> SQL {
        let limit = limit(of: guess)
        guard limit > 0 else { return "1 = 1" }
        // Whoever knows an address can use up its hour. The first try of each request is its own.
        let isFirst: SQL = guess == .typedCode ? "codes.typed_tries = 0 OR" : ""
        return """
            (\(sql: isFirst) NOT EXISTS (
                SELECT 1 FROM limits l
                WHERE l.project = \(work.project.projectID) AND l.subject = \(sql: guess.subject)
                    AND l.n >= \(limit) AND l.expires_at > \(work.now)))
            """
    }

    func count(_ guess: Guess, _ digest: String?) {
        guard let digest, limit(of: guess) > 0 else { return }
        let counter = Counter(subject: "\(guess.rawValue) \(digest)")
        work.later(counter.increment(in: work.project.projectID.scope, at: work.now))
    }

    private func limit(of guess: Guess) -> Int {
        switch guess {
        case .number: work.store.limits.wrongNumbersPerAddressHour
        case .typedCode: work.store.limits.wrongTypedCodesPerAddressHour
        }
    }
}

extension JudgedProof {
    /// What a guarded write notes of a bound code's end.
    var end: SQL {
        if challenge != nil {
            ", ended_by = CASE WHEN challenge IS NOT NULL THEN COALESCE(ended_by, \(ActionCode.EndedBy.here)) END"
        } else if ofAskingDevice != nil {
            ", ended_by = CASE WHEN challenge IS NOT NULL THEN \(ActionCode.EndedBy.elsewhere) END"
        } else {
            ""
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore

extension ProjectTransaction {
    var codes: CodeRows { CodeRows(work: work) }
}

/// The action codes of a transaction's project.
struct CodeRows {
    let work: ProjectWork

    /// The owner of the live codes of a kind.
    enum Owner {
        /// Nil where nobody is mailed: the earlier code stays, and of what was asked for the address that has this digest
        /// only what is void as well ends. The statement is the same, so that it costs the same.
        case address(EmailAddress?, digest: String)
        case account(AccountID)
    }

    func owner(_ address: EmailAddress) -> Owner {
        .address(address, digest: work.store.ring.digest(of: address, in: work.project.projectID.scope))
    }

    /// Uses a code up, or throws the reason why it cannot be used. The first statement of every redemption.
    func spend(_ id: [UInt8], _ kind: ActionCodeKind, by proof: JudgedProof = .none) throws -> ActionCode {
        // What was approved elsewhere is the asking client's, which may have the link as well.
        let isOpen: SQL =
            proof.challenge != nil && kind == .signIn
            ? "state IN (\(constant: ActionCode.State.live), \(constant: ActionCode.State.approved))"
            : "state = \(constant: ActionCode.State.live)"
        let row = try work.run(
            """
            UPDATE codes SET state = \(constant: ActionCode.State.used), ended_at = \(work.now)\(sql: proof.end)
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(kind)
                AND \(sql: isOpen) AND expires_at > \(work.now) AND \(sql: isEnough(proof))
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        witness(id, is: .used)
        guard let row else { try refuse(id, kind, proof) }
        // A sign-in that its own client finishes has come to its end before, where it was approved elsewhere.
        return try moved(row) { $0.kind != .signIn || $0.endedBy == .here }
    }

    func witness(_ id: [UInt8], is state: ActionCode.State) {
        work.witness(
            """
            SELECT 1 FROM codes WHERE project = \(work.project.scope) AND id = \(id)
                AND state = \(constant: state) AND ended_at = \(work.now)
            """)
    }

    /// A code that has another state now.
    ///
    /// - Parameter hasEnded: whether it has come to its end by this, and not before.
    func moved(_ row: consuming Row, hasEnded: (ActionCode) -> Bool = { _ in true }) throws -> ActionCode {
        guard let code = try ActionCode(row) else { throw Refusal.codeInvalid(.accountGone) }
        tell(code, hasEnded: hasEnded(code))
        return code
    }

    /// Has whoever waits for a code hear of its new state, and the figures of its end.
    func tell(_ code: ActionCode, hasEnded: Bool = true) {
        guard code.isBound else { return }
        work.base.tell(CodeChange(code.kind, of: .id(code.id), in: work.project.scope))
        if hasEnded, let end = code.endedBy { work.base.count(code.kind, end.rawValue) }
    }

    /// The live code, or throws the reason why it is dead.
    func find(_ id: [UInt8], _ kind: ActionCodeKind) throws -> ActionCode {
        guard let code = try remember(id, kind) else { throw Refusal.codeInvalid(.accountGone) }
        switch code.state {
        case .live: break
        case .used, .approved: throw Refusal.codeInvalid(.used)
        case .declined: throw Refusal.codeInvalid(.declined)
        case .replaced: throw Refusal.codeInvalid(.replaced)
        case .accountGone, .void: throw Refusal.codeInvalid(.accountGone)
        }
        guard work.now < code.expiresAt else { throw Refusal.codeExpired }
        return code
    }

    /// The code, dead or alive; nil where its row is gone.
    func remember(_ id: [UInt8], _ kind: ActionCodeKind) throws -> ActionCode? {
        try work.run(
            """
            SELECT \(sql: ActionCode.columns) FROM codes
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(kind)
            """
        ).first.flatMap { try ActionCode($0) }
    }

    func insert(_ code: ActionCode.Draft) {
        work.later(
            """
            INSERT INTO codes (project, id, kind, state, address, account, new_address, holder, settings, language,
                created_at, expires_at, mail, challenge, digest, asked)
            VALUES (\(work.project.scope), \(code.id), \(code.kind), \(code.state), \(code.address?.text),
                \(code.account), \(code.newAddress?.text), \(code.holder), \(code.settings), \(code.language),
                \(work.now), \(code.expiresAt), \(code.mail), \(code.challenge?.text), \(code.digest),
                \(code.asked?.stored))
            """)
        work.witness("SELECT 1 FROM codes WHERE project = \(work.project.scope) AND id = \(code.id)")
    }

    /// Retires the codes of a kind that can still be used, because a newer code or a later event replaces them. Void ones
    /// end with them, so that whoever waits for one learns nothing.
    func retire(_ kind: ActionCodeKind, of owner: Owner) {
        let (scope, void) = (work.project.scope, ActionCode.State.void)
        let theirs: SQL
        let whose: CodeChange.Whose
        switch owner {
        case .address(let address, let digest):
            // Each half names all that its index has: SQLite would go through the project otherwise. What was approved is
            // the asking client's to collect, whoever asks once more.
            theirs = """
                project = \(scope) AND address = \(address?.text ?? "") AND kind = \(kind)
                    AND state = \(constant: ActionCode.State.live)
                OR project = \(scope) AND digest = \(digest) AND kind = \(kind) AND state = \(constant: void)
                """
            whose = .digest(digest)
        case .account(let id):
            theirs = """
                project = \(scope) AND account = \(id) AND kind = \(kind)
                    AND state IN (\(constant: ActionCode.State.live), \(constant: void))
                """
            whose = .account(id)
        }
        work.later(
            """
            UPDATE codes SET state = \(constant: ActionCode.State.replaced), ended_at = \(work.now)
            WHERE \(sql: theirs)
            """)
        work.base.tell(CodeChange(kind, of: whose, in: scope))
    }

    /// Finds the id of the mail with the live code of a kind, which a newer code is about to replace.
    func mail(with kind: ActionCodeKind, of owner: Owner) -> SQL {
        let binding: SQL =
            switch owner {
            case .address(let address, _): "address = \(address?.text ?? "")"
            case .account(let id): "account = \(id)"
            }
        return """
            SELECT mail FROM codes
            WHERE project = \(work.project.scope) AND \(sql: binding) AND kind = \(kind)
                AND state = \(constant: ActionCode.State.live) ORDER BY created_at DESC LIMIT 1
            """
    }
}

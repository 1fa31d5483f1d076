// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingStore

extension ProjectTransaction {
    var codes: CodeRows { CodeRows(work: work) }
}

/// The action codes of a transaction's project.
struct CodeRows {
    let work: ProjectWork

    /// The owner of the live codes of a kind.
    enum Owner {
        case address(EmailAddress)
        case account(AccountID)
        /// Where nobody is mailed, the earlier code stays. The statement is the same, so that it costs the same.
        case nobody
    }

    /// Uses a code up, or throws the reason why it cannot be used. The first statement of every redemption.
    func spend(_ id: [UInt8], _ kind: ActionCodeKind) throws -> ActionCode {
        let row = try work.run(
            """
            UPDATE codes SET state = \(constant: ActionCode.State.used), ended_at = \(work.now)
            WHERE project = \(work.project.scope) AND id = \(id) AND kind = \(kind)
                AND state = \(constant: ActionCode.State.live) AND expires_at > \(work.now)
            RETURNING \(sql: ActionCode.columns)
            """
        ).first
        work.witness(
            """
            SELECT 1 FROM codes WHERE project = \(work.project.scope) AND id = \(id)
                AND state = \(constant: ActionCode.State.used) AND ended_at = \(work.now)
            """)
        guard let row else {
            _ = try find(id, kind)
            throw Refusal.codeInvalid(.used)
        }
        guard let code = try ActionCode(row) else { throw Refusal.codeInvalid(.accountGone) }
        return code
    }

    /// The live code, or throws the reason why it is dead.
    func find(_ id: [UInt8], _ kind: ActionCodeKind) throws -> ActionCode {
        guard let code = try remember(id, kind) else { throw Refusal.codeInvalid(.accountGone) }
        switch code.state {
        case .live: break
        case .used: throw Refusal.codeInvalid(.used)
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
                created_at, expires_at, mail)
            VALUES (\(work.project.scope), \(code.id), \(code.kind), \(code.state), \(code.address?.text),
                \(code.account), \(code.newAddress?.text), \(code.holder), \(code.settings), \(code.language),
                \(work.now), \(code.expiresAt), \(code.mail))
            """)
        work.witness("SELECT 1 FROM codes WHERE project = \(work.project.scope) AND id = \(code.id)")
    }

    /// Retires the live codes of a kind, because a newer code or a later event replaces them.
    func retire(_ kind: ActionCodeKind, of owner: Owner) {
        work.later(
            """
            UPDATE codes SET state = \(constant: ActionCode.State.replaced), ended_at = \(work.now)
            WHERE \(sql: areLive(kind, of: owner))
            """)
    }

    /// Finds the id of the mail with the live code of a kind, which a newer code is about to replace.
    func mail(with kind: ActionCodeKind, of owner: Owner) -> SQL {
        "SELECT mail FROM codes WHERE \(sql: areLive(kind, of: owner)) ORDER BY created_at DESC LIMIT 1"
    }

    private func areLive(_ kind: ActionCodeKind, of owner: Owner) -> SQL {
        let binding: SQL =
            switch owner {
            case .address(let address): "address = \(address.text)"
            case .account(let id): "account = \(id)"
            case .nobody: "address = \("")"
            }
        return """
            project = \(work.project.scope) AND \(sql: binding) AND kind = \(kind)
                AND state = \(constant: ActionCode.State.live)
            """
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

extension ActionCodes {
    /// Looks at a code without using it, of whatever kind it is.
    ///
    /// - Throws: ``Refusal/codeInvalid(_:)`` or ``Refusal/codeExpired``.
    package func inspect(_ text: String, in project: Project) async throws -> ActionCode {
        let (id, kind) = try open(text, in: project)
        let projectID = project.id
        let now = surroundings.now()
        return try await database.read { connection in
            try Self.find(id, kind, in: projectID, at: now, connection)
        }
    }

    /// What the code was for, though it is dead: for a page that offers a new link. Nil for a forged or forgotten one.
    package func remember(_ text: String, in project: Project) async throws -> ActionCode? {
        guard let (id, kind) = try? open(text, in: project) else { return nil }
        let projectID = project.id
        return try await database.read { connection in
            try connection.run(Self.select(id, kind, in: projectID)).first.flatMap { try ActionCode($0) }
        }
    }

    /// Believes the MAC, and tells the kind by trying all five. Never asks the database.
    func open(_ text: String, in project: Project) throws(Refusal) -> (id: [UInt8], kind: ActionCodeKind) {
        let kinds = ActionCodeKind.allCases
        let contexts = kinds.lazy.map { ActionCode.context($0, project: project.id) }
        guard let opened = SealedID.open(text, for: .actionCode, contexts: contexts, ring: ring) else {
            throw .codeInvalid(.malformed)
        }
        return (opened.sealed.id, kinds[opened.context])
    }

    static func select(_ id: [UInt8], _ kind: ActionCodeKind, in project: String) -> SQL {
        """
        SELECT \(sql: ActionCode.columns) FROM codes
        WHERE project = \(project) AND id = \(id) AND kind = \(kind.rawValue)
        """
    }

    /// The live code, or why it is dead.
    static func find(
        _ id: [UInt8], _ kind: ActionCodeKind, in project: String, at now: Moment,
        _ connection: borrowing Connection
    ) throws -> ActionCode {
        guard let row = try connection.run(select(id, kind, in: project)).first, let code = try ActionCode(row) else {
            throw Refusal.codeInvalid(.accountGone)
        }
        switch ActionCode.State(rawValue: try row.int(8)) {
        case .live: break
        case .used: throw Refusal.codeInvalid(.used)
        case .replaced: throw Refusal.codeInvalid(.replaced)
        case .accountGone, .void, nil: throw Refusal.codeInvalid(.accountGone)
        }
        guard now < code.expiresAt else { throw Refusal.codeExpired }
        return code
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ

/// One connection in pipeline mode: the statements of a call go out together and come back in one round trip.
///
/// Belongs to one thread. Statements are prepared once and found again by their text and the types of their values.
final class PostgresConnection: Session {
    private let connection: OpaquePointer
    private let tally: Tally
    private var prepared: [String: String] = [:]
    private var preparations = 0
    /// Goes out in front of the next statements: `BEGIN`, which is worth no round trip of its own.
    private var opening: SQL?
    /// Go out with the commit.
    private var last: [SQL] = []

    /// - Throws: ``ConnectionLost`` with libpq's reason, in one line.
    init(url: String, tally: Tally) throws {
        let keywords = ["dbname", "application_name", "connect_timeout", "target_session_attrs", "client_encoding"]
        let values = [url, "homing", "5", "read-write", "UTF8"]
        let connection = withCStrings(keywords) { keywords in
            withCStrings(values) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let connection else { throw ConnectionLost(message: "out of memory") }
        self.connection = connection
        self.tally = tally
        guard PQstatus(connection) == CONNECTION_OK, PQenterPipelineMode(connection) == 1 else {
            throw ConnectionLost(message: Self.message(connection))
        }
    }

    deinit {
        PQfinish(connection)
    }

    var isOpen: Bool { PQstatus(connection) == CONNECTION_OK }

    // MARK: A transaction

    func begin(_ statement: SQL) {
        opening = statement
        last = []
    }

    /// Commits, with the statements that were kept for it, in one round trip.
    ///
    /// - Throws: ``CommitUnknown`` when the connection ends meanwhile.
    func commit() throws {
        // A verb that has run nothing has nothing to commit.
        guard opening == nil || !last.isEmpty else { return opening = nil }
        do {
            _ = try send(last + ["COMMIT"], wantsCommit: true)
        } catch is ConnectionLost {
            throw CommitUnknown()
        }
    }

    func rollBack() {
        last = []
        guard opening == nil else { return opening = nil }
        _ = try? send(["ROLLBACK"])
    }

    // MARK: Statements

    func run(_ statement: SQL) throws -> [Row] {
        try run([statement])[0]
    }

    func run(_ statements: [SQL]) throws -> [[Row]] {
        for _ in statements { tally.countStatement() }
        return try send(statements)
    }

    func finish(_ statements: [SQL]) throws {
        for _ in statements { tally.countStatement() }
        last += statements
    }

    /// One round trip.
    private func send(_ statements: [SQL], wantsCommit: Bool = false) throws -> [[Row]] {
        let all = (opening.map { [$0] } ?? []) + statements
        let skipped = all.count - statements.count
        opening = nil
        tally.countTrip()
        var fresh: [String?] = []
        for statement in all { fresh.append(try enqueue(statement)) }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
        var answers: [[Row]] = []
        var fault: (any Error)?
        for key in fresh {
            if key != nil, let error = try result().error { fault = fault ?? error }
            let (rows, error) = try result(wantsCommit: wantsCommit)
            if let error { fault = fault ?? error }
            answers.append(rows)
        }
        try readSync()
        if let fault {
            // What stood behind the fault was not prepared; what stood before is prepared once more.
            for key in fresh { if let key { prepared[key] = nil } }
            throw fault
        }
        return Array(answers[skipped...])
    }

    /// Puts a statement on its way, behind its preparation when it is new; then answers the key of the preparation.
    private func enqueue(_ statement: SQL) throws -> String? {
        let (text, values) = statement.rendered(for: .postgres)
        let types = values.map(\.postgresType)
        let key = "\(types) \(text)"
        if let name = prepared[key] {
            guard send(name, values) else { throw lost() }
            return nil
        }
        preparations += 1
        let name = "homing_\(preparations)"
        guard PQsendPrepare(connection, name, text, Int32(values.count), types) == 1, send(name, values) else {
            throw lost()
        }
        prepared[key] = name
        return key
    }

    private func send(_ name: String, _ values: [Value]) -> Bool {
        var bytes: [[UInt8]?] = []
        for value in values { bytes.append(value.postgresBytes) }
        let lengths = bytes.map { Int32($0?.count ?? 0) }
        let formats = values.map { value in if case .text = value { Int32(0) } else { Int32(1) } }
        // A text ends with a zero byte; behind any other value one more byte does no harm.
        let buffers = bytes.map { $0.map { bytes in bytes + [0] } }
        return withPointers(to: buffers) { pointers in
            PQsendQueryPrepared(connection, name, Int32(values.count), pointers, lengths, formats, 0) == 1
        }
    }

    private func result(wantsCommit: Bool = false) throws -> (rows: [Row], error: (any Error)?) {
        guard let result = PQgetResult(connection) else { throw lost() }
        defer {
            PQclear(result)
            // Each result is followed by an empty one.
            while let next = PQgetResult(connection) { PQclear(next) }
        }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK: return (try Row.all(of: result), nil)
        case PGRES_COMMAND_OK:
            // A transaction in which a statement has failed answers COMMIT with ROLLBACK, and no error.
            let isUndone = wantsCommit && PQcmdStatus(result).map { String(cString: $0) } == "ROLLBACK"
            return (
                [], isUndone ? DatabaseFault("PostgreSQL undid a transaction in which a statement had failed") : nil
            )
        case PGRES_PIPELINE_ABORTED: return ([], nil)
        default:
            guard isOpen else { throw lost() }
            return ([], Self.fault(result))
        }
    }

    private func readSync() throws {
        guard let result = PQgetResult(connection) else { throw lost() }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw lost() }
    }

    private static func fault(_ result: OpaquePointer) -> any Error {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        let state = field(HOMING_PG_SQLSTATE) ?? "XX000"
        if state == "23505", let table = field(HOMING_PG_TABLE), let detail = field(HOMING_PG_DETAIL) {
            // "Key (project, email)=(shop, ann@example.com) already exists.", in whatever language.
            let head = detail.components(before: ")=(")
            let names = head.split(separator: "(").last.map { $0.split(separator: ", ") } ?? []
            return UniqueViolation(columns: names.map { "\(table).\($0)" })
        }
        return PostgresFault(state: state, message: field(HOMING_PG_MESSAGE) ?? "no reason was given")
    }

    private func lost() -> ConnectionLost {
        ConnectionLost(message: Self.message(connection))
    }

    private static func message(_ connection: OpaquePointer) -> String {
        let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension String {
    /// The text in front of a mark; all of it where there is none.
    fileprivate func components(before mark: String) -> Substring {
        var rest = self[...]
        while !rest.isEmpty, !rest.hasPrefix(mark) { rest = rest.dropFirst() }
        return self[..<rest.startIndex]
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One connection in pipeline mode: the statements of a call go out together and come back in one round trip.
///
/// Belongs to one thread. Statements are prepared once and found again by their text and the types of their values. A
/// server that does not answer in time, because it or the network hangs, is as good as lost.
final class PostgresConnection: Session {
    /// The time-outs of a connection. The server's own end first, so that it says why; ours is for a network that
    /// swallows packets.
    struct Patience: Sendable {
        var statementSeconds: Int
        var answerSeconds: Int
        /// After so long without a byte a server is asked by another connection whether it is there. The network itself
        /// may be silent for twice that: then what was sent has not come, as the kernel knows.
        var silenceSeconds: Int

        /// For verbs.
        static let ofVerbs = Patience(statementSeconds: 10, answerSeconds: 15, silenceSeconds: 15)
        /// For work on whole tables, such as a migration.
        static let ofMaintenance = Patience(statementSeconds: 0, answerSeconds: 24 * 3600, silenceSeconds: 15)
        /// For the question whether a server is there.
        static let ofQuestions = Patience(statementSeconds: 5, answerSeconds: 8, silenceSeconds: 8)

        private var settings: [(name: String, value: String)] {
            [
                ("statement_timeout", "\(statementSeconds)s"), ("lock_timeout", "5s"),
                ("idle_in_transaction_session_timeout", "\(statementSeconds == 0 ? 0 : 30)s"),
            ]
        }

        /// For a connection that is ours alone.
        fileprivate var options: String { settings.map { "-c \($0.name)=\($0.value)" }.joined(separator: " ") }

        /// For one transaction: PgBouncer takes no options, and gives each transaction another connection.
        fileprivate var ofTransaction: SQL {
            let calls: [SQL] = settings.map { "set_config(\($0.name), \($0.value), true)" }
            return "SELECT \(sql: calls[0]), \(sql: calls[1]), \(sql: calls[2])"
        }
    }

    let connection: OpaquePointer
    let tally: Tally
    let patience: Patience
    let url: PostgresURL
    let prepares: Bool
    private var prepared: [String: String] = [:]
    private var preparations = 0
    /// Go out in front of the next statements: `BEGIN` and what belongs to it, which is worth no round trip of its own.
    private(set) var opening: [SQL] = []
    private var isReading = false
    /// Go out with the commit.
    private var last: [SQL] = []
    /// Answers a row once the transaction is committed.
    private(set) var witness: SQL?
    /// Whether the server has not answered in time, or has said that it ends the connection.
    var isGivenUp = false
    /// The end of the present round trip.
    var deadline = ContinuousClock.now

    /// - Throws: ``ConnectionLost`` with libpq's reason, in one line.
    init(_ url: PostgresURL, _ patience: Patience, tally: Tally) throws {
        // What stands before the URI may be said otherwise in the URI.
        let parameters = [
            ("application_name", "homing"), ("connect_timeout", "5"), ("target_session_attrs", "read-write"),
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "2"),
            ("tcp_user_timeout", String(min(patience.answerSeconds, 2 * patience.silenceSeconds) * 1000)),
            ("options", url.isPrepared ? patience.options : ""), ("dbname", url.uri), ("client_encoding", "UTF8"),
        ]
        let connection = withCStrings(parameters.map(\.0)) { keywords in
            withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let connection else { throw ConnectionLost(message: "out of memory") }
        self.connection = connection
        self.tally = tally
        self.patience = patience
        self.url = url
        prepares = url.isPrepared
        guard PQstatus(connection) == CONNECTION_OK, PQenterPipelineMode(connection) == 1,
            PQsetnonblocking(connection, 1) == 0
        else { throw ConnectionLost(message: Self.message(connection)) }
        // libpq would write notices, such as "relation already exists, skipping", to standard error.
        PQsetNoticeReceiver(connection, { _, _ in }, nil)
    }

    /// Whether libpq can read a URI.
    static func accepts(_ uri: String) -> Bool {
        guard let options = PQconninfoParse(uri, nil) else { return false }
        PQconninfoFree(options)
        return true
    }

    deinit {
        PQfinish(connection)
    }

    var isOpen: Bool { !isGivenUp && PQstatus(connection) == CONNECTION_OK }

    /// Whether the connection can be used, as far as this side knows by now: a server that was stopped has said so.
    var isAlive: Bool {
        while isOpen {
            var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            let ready = poll(&descriptor, 1, 0)
            if ready == 0 { return true }
            // Behind the server's last words comes the end.
            guard ready > 0, PQconsumeInput(connection) == 1 else { return false }
        }
        return false
    }

    // MARK: A transaction

    func begin(_ statement: SQL, isReading: Bool) {
        opening = prepares ? [statement] : [statement, patience.ofTransaction]
        self.isReading = isReading
        last = []
        witness = nil
    }

    /// Commits, with the statements that were kept for it, in one round trip.
    ///
    /// - Throws: ``DatabaseUnavailable/commitUnknown`` when the connection ends meanwhile.
    func commit() throws {
        // A verb that has run nothing has nothing to commit.
        guard opening.isEmpty || !last.isEmpty else { return opening = [] }
        do {
            _ = try send(last + ["COMMIT"], wantsCommit: true)
        } catch is ConnectionLost {
            // What was only read has been read, whatever becomes of the connection.
            if !isReading { throw DatabaseUnavailable.commitUnknown }
        }
    }

    func rollBack() {
        last = []
        guard opening.isEmpty else { return opening = [] }
        guard isOpen else { return }
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

    func witness(_ query: SQL) {
        witness = query
    }

    /// One round trip.
    func send(_ statements: [SQL], wantsCommit: Bool = false) throws -> [[Row]] {
        let all = opening + statements
        let skipped = opening.count
        opening = []
        tally.countTrip()
        deadline = .now + .seconds(patience.answerSeconds)
        var fresh: [String?] = []
        for statement in all { fresh.append(try enqueue(statement)) }
        guard PQpipelineSync(connection) == 1 else { throw lost() }
        try flush()
        var answers: [[Row]] = []
        var fault: (any Error)?
        for key in fresh {
            if let key {
                if let error = try result().error { fault = fault ?? error }
                // What stands behind the fault is not prepared.
                if fault != nil { prepared[key] = nil }
            }
            let (rows, error) = try result(wantsCommit: wantsCommit)
            if let error { fault = fault ?? error }
            answers.append(rows)
        }
        try readSync()
        if let fault { throw fault }
        return Array(answers[skipped...])
    }

    /// Puts a statement on its way, behind its preparation when it is new; then answers the key of the preparation.
    private func enqueue(_ statement: SQL) throws -> String? {
        let (text, values) = statement.rendered(for: .postgres)
        let types = values.map(\.postgresType)
        guard prepares else {
            guard send(text, values, types) else { throw lost() }
            return nil
        }
        let key = "\(types) \(text)"
        if let name = prepared[key] {
            guard send(name, values, nil) else { throw lost() }
            return nil
        }
        preparations += 1
        let name = "homing_\(preparations)"
        guard PQsendPrepare(connection, name, text, Int32(values.count), types) == 1, send(name, values, nil)
        else {
            throw lost()
        }
        prepared[key] = name
        return key
    }

    /// Sends a statement by its name or, with the types of its values, as a text.
    private func send(_ statement: String, _ values: [Value], _ types: [Oid]?) -> Bool {
        var bytes: [[UInt8]?] = []
        for value in values { bytes.append(value.postgresBytes) }
        let lengths = bytes.map { Int32($0?.count ?? 0) }
        let formats = values.map { value in if case .text = value { Int32(0) } else { Int32(1) } }
        // A text ends with a zero byte; behind any other value one more byte does no harm.
        let buffers = bytes.map { $0.map { bytes in bytes + [0] } }
        let count = Int32(values.count)
        return withPointers(to: buffers) { pointers in
            if let types {
                return PQsendQueryParams(connection, statement, count, types, pointers, lengths, formats, 0) == 1
            }
            return PQsendQueryPrepared(connection, statement, count, pointers, lengths, formats, 0) == 1
        }
    }

    // MARK: Results

    private func result(wantsCommit: Bool = false) throws -> (rows: [Row], error: (any Error)?) {
        guard let result = try nextResult() else { throw lost() }
        defer { PQclear(result) }
        // Each result is followed by an empty one.
        while let next = try nextResult() { PQclear(next) }
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK:
            do {
                return (try Row.all(of: result), nil)
            } catch {
                // The results behind this one are read all the same.
                return ([], error)
            }
        case PGRES_COMMAND_OK:
            // A transaction in which a statement has failed answers COMMIT with ROLLBACK, and no error.
            let isUndone = wantsCommit && PQcmdStatus(result).map { String(cString: $0) } == "ROLLBACK"
            return (
                [], isUndone ? DatabaseFault("PostgreSQL undid a transaction in which a statement had failed") : nil
            )
        case PGRES_PIPELINE_ABORTED: return ([], nil)
        default:
            let fault = PostgresFault.error(of: result)
            if let fault = fault as? PostgresFault, fault.endsConnection {
                isGivenUp = true
                throw ConnectionLost(message: fault.message)
            }
            guard isOpen else { throw lost() }
            return ([], fault)
        }
    }

    private func readSync() throws {
        guard let result = try nextResult() else { throw lost() }
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_PIPELINE_SYNC else { throw lost() }
    }

    func lost() -> ConnectionLost {
        isGivenUp = true
        return ConnectionLost(message: Self.message(connection))
    }

    private static func message(_ connection: OpaquePointer) -> String {
        let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

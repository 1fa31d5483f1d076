// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The differences between the engines' spellings of SQL. No other file asks which engine runs.
package enum Dialect: Sendable {
    case sqlite
    case postgres

    /// The parameter of the `number`-th bound value, counted from 1. SQLite would read `$1` as a name, not a position.
    func parameter(_ number: Int) -> String {
        switch self {
        case .sqlite: "?"
        case .postgres: "$\(number)"
        }
    }

    /// Whether one process owns the data, so that nobody else can hold anything in the database.
    package var hasOneProcess: Bool { self == .sqlite }

    /// The engine's own clock in milliseconds since 1970, for `SELECT`; nil where it is this machine's.
    package var clock: SQL? {
        self == .postgres ? "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000 AS BIGINT)" : nil
    }

    /// Answers 1 when texts are ordered by their bytes, as ranges of counters need it; nil where they always are.
    var byteOrder: SQL? {
        self == .postgres ? "SELECT CASE WHEN 'a b' < 'a!' AND 'a-' > 'a!' AND 'B' < 'a' THEN 1 ELSE 0 END" : nil
    }

    /// Answers the encoding of texts, which has to be `UTF8`; nil where it always is.
    var encoding: SQL? { self == .postgres ? "SELECT current_setting('server_encoding')" : nil }

    /// Answers a row when there is a table of this name.
    package func lookup(ofTable name: String) -> SQL {
        switch self {
        case .sqlite: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(name)"
        case .postgres:
            "SELECT 1 FROM pg_tables WHERE schemaname = ANY (current_schemas(false)) AND tablename = \(name)"
        }
    }

    /// Whether an index can be made while others write into its table.
    var makesIndexesBeside: Bool { self == .postgres }

    /// Answers 1 for an index that can be used, 0 for one whose making was cut off, and no row where there is none; nil
    /// where an index is made with everything else of its step.
    func state(ofIndex name: String) -> SQL? {
        switch self {
        case .sqlite: nil
        case .postgres:
            """
            SELECT CASE WHEN i.indisvalid THEN 1 ELSE 0 END FROM pg_index i
            JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ANY (current_schemas(false)) AND c.relname = \(name)
            """
        }
    }

    /// Answers what the engine does at this moment for an index: the phase, the process that it waits for or 0, the
    /// blocks that are done and all blocks.
    func work(onIndex name: String) -> SQL? {
        switch self {
        case .sqlite: nil
        case .postgres:
            """
            SELECT p.phase, COALESCE(p.current_locker_pid, 0), p.blocks_done, p.blocks_total
            FROM pg_stat_progress_create_index p JOIN pg_class c ON c.oid = p.index_relid
            WHERE p.datname = current_database() AND c.relname = \(name)
            """
        }
    }

    /// Answers the names of all tables, without the engine's own.
    package var tables: SQL {
        switch self {
        case .sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'"
        case .postgres: "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))"
        }
    }

    /// Answers the columns of a table in order: the name, the type, and the place in the primary key, counted from 1,
    /// or 0.
    func columns(ofTable name: String) -> SQL {
        switch self {
        case .sqlite: "SELECT name, type, pk FROM pragma_table_info(\(name)) ORDER BY cid"
        case .postgres:
            """
            SELECT c.column_name, UPPER(c.data_type), COALESCE(k.ordinal_position, 0)
            FROM information_schema.columns c
            LEFT JOIN information_schema.table_constraints t ON t.constraint_type = 'PRIMARY KEY'
                AND t.table_schema = c.table_schema AND t.table_name = c.table_name
            LEFT JOIN information_schema.key_column_usage k ON k.constraint_schema = t.constraint_schema
                AND k.constraint_name = t.constraint_name AND k.table_name = c.table_name
                AND k.column_name = c.column_name
            WHERE c.table_schema = ANY (current_schemas(false)) AND c.table_name = \(name)
            ORDER BY c.ordinal_position
            """
        }
    }

    /// A text column as it is stored. SQLite keeps what it is given, UTF-8 or not, and shows it when asked for bytes.
    func exact(text column: String) -> String {
        switch self {
        case .sqlite: "CAST(\(column) AS BLOB)"
        case .postgres: column
        }
    }

    /// Keeps everybody else from writing to tables until the end of the transaction; nil where there is nobody else.
    func lock(ofTables names: [String]) -> SQL? {
        self == .postgres
            ? SQL(stringLiteral: "LOCK TABLE \(names.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE") : nil
    }

    /// Tells the planner what is in a table; nil for SQLite, whose plans do not depend on it here.
    func analysis(ofTable name: String) -> SQL? {
        self == .postgres ? SQL(stringLiteral: "ANALYZE \(name)") : nil
    }

    /// SQLite has one writer, who needs no lock on a row.
    func clause(of lock: SQL.RowLock) -> String {
        switch (self, lock) {
        case (.sqlite, _): ""
        case (.postgres, .forUpdate): "FOR UPDATE"
        case (.postgres, .forUpdateSkippingLocked): "FOR UPDATE SKIP LOCKED"
        }
    }

    func name(of type: SQL.ColumnType) -> String {
        switch (self, type) {
        case (.sqlite, .bytes): "BLOB"
        case (.postgres, .bytes): "BYTEA"
        }
    }
}

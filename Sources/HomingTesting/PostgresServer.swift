// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
package import HomingDatabase
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A PostgreSQL of this process's own: on a socket in a private folder, gone with the process.
///
/// Commits are not flushed to the disk, as nobody needs what is left of a test.
package final class PostgresServer: Sendable {
    /// Whether tests that are about no engine run on PostgreSQL: `HOMING_TEST_DATABASE=postgresql`.
    package static let isWanted = environment["HOMING_TEST_DATABASE"] == "postgresql"

    private static let environment = ProcessInfo.processInfo.environment

    /// Started once, by the first test that wants it.
    package static let shared = Task { try PostgresServer() }

    private let programs: String
    package let folder: String
    private let made = Atomic(0)

    private init() throws {
        programs = try Self.findPrograms()
        folder = "/tmp/homing-postgresql-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if geteuid() == 0 { chown(folder, Self.nobody, Self.nobody) }
        try run(
            "initdb", ["-N", "-A", "trust", "-U", "homing", "-E", "UTF8", "--locale=C", "-D", "\(folder)/data"])
        try start()
        try waitUntilReady()
    }

    /// Worlds that are open at once: tests begin all together, and each holds some connections.
    private let seats = Mutex((free: 24, waiting: [CheckedContinuation<Void, Never>]()))

    /// Waits until the server has room for one more world; ``leave()`` makes room again.
    package func enter() async {
        await withCheckedContinuation { continuation in
            let isSeated = seats.withLock { seats in
                guard seats.free > 0 else {
                    seats.waiting.append(continuation)
                    return false
                }
                seats.free -= 1
                return true
            }
            if isSeated { continuation.resume() }
        }
    }

    package func leave() {
        let next = seats.withLock { seats in
            if seats.waiting.isEmpty {
                seats.free += 1
                return nil as CheckedContinuation<Void, Never>?
            }
            return seats.waiting.removeFirst()
        }
        next?.resume()
    }

    /// PostgreSQL refuses to run as root.
    private static let nobody: UInt32 = 65534

    private static func findPrograms() throws -> String {
        let unpacked = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.tools/postgresql")
        let programs = ["", unpacked.standardized.path].flatMap { root in
            let folder = "\(root)/usr/lib/postgresql"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return versions.sorted().reversed().map { "\(folder)/\($0)/bin" }
        }
        guard let found = programs.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/postgres") })
        else {
            throw NotInstalled()
        }
        return found
    }

    package struct NotInstalled: Error, CustomStringConvertible {
        package let description = "PostgreSQL is not there: scripts/install test"
    }

    /// A new database, a copy of another one that nobody is connected to.
    package func newDatabase(from template: String? = nil, options: [String] = []) throws -> String {
        let name = "test\(made.add(1, ordering: .relaxed).newValue)"
        let from = template.map { ["-T", $0] } ?? []
        try run("createdb", ["-h", folder, "-U", "homing"] + from + options + [name])
        return name
    }

    package func drop(_ database: String) {
        try? run("dropdb", ["-h", folder, "-U", "homing", "--force", database])
    }

    package func url(of database: String, connections: Int = 4) -> PostgresURL? {
        PostgresURL(parsing: "postgresql:///\(database)?host=\(folder)&user=homing&connections=\(connections)")
    }

    /// A shell waits for the end of its input, which comes with the end of this process, however it ends.
    private func start() throws {
        let settings =
            [
                "listen_addresses=", "fsync=off", "synchronous_commit=off", "full_page_writes=off",
                "max_connections=400", "shared_buffers=64MB", "max_wal_size=256MB",
            ]
            // `serializable`, as engines that have nothing else. Its locks, and what it remembers of transactions that
            // have ended, are shared by the databases of all tests: ten transactions for each that may be open or
            // prepared. Where one test keeps a transaction open, those of all others are remembered, and past that
            // number it guesses.
            + (Self.environment["HOMING_TEST_ISOLATION"].map {
                [
                    "default_transaction_isolation=\($0)", "max_prepared_transactions=4000",
                    "max_pred_locks_per_transaction=128",
                ]
            } ?? [])
        let server = line("postgres", ["-D", "\(folder)/data", "-k", folder] + settings.flatMap { ["-c", $0] })
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failed(program: "pipe", status: errno) }
        // The end for writing stays open as long as this process lives.
        _ = try Self.spawn(
            "\(server) & server=$!; cat; kill -INT $server; wait; rm -rf \(folder)", input: ends[0])
        close(ends[0])
    }

    private func waitUntilReady() throws {
        for _ in 0..<400 {
            if (try? run("psql", ["-h", folder, "-U", "homing", "-d", "postgres", "-c", "SELECT 1"])) != nil { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        throw Failed(program: "postgres", status: -1)
    }

    private struct Failed: Error {
        let program: String
        let status: Int32
    }

    private func run(_ name: String, _ arguments: [String]) throws {
        let process = try Self.spawn(line(name, arguments))
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard status == 0 else { throw Failed(program: name, status: status) }
    }

    /// A line for a shell; no argument has a quote in it.
    private func line(_ program: String, _ arguments: [String]) -> String {
        let asNobody = ["setpriv", "--reuid", "\(Self.nobody)", "--regid", "\(Self.nobody)", "--clear-groups"]
        let words = (geteuid() == 0 ? asNobody : []) + ["\(programs)/\(program)"] + arguments
        return words.map { "'\($0)'" }.joined(separator: " ")
    }

    /// Starts a shell. Foundation's `Process` reads beyond the list of open files, which are more than a thousand while
    /// all tests run at once, and crashes now and then.
    private static func spawn(_ script: String, input: CInt? = nil) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        // It keeps none of this process's files open.
        let clean = #"for file in /proc/$$/fd/*; do file=${file##*/}; ((file < 3)) || eval "exec $file>&-"; done"#
        let words = ["/bin/bash", "-c", "cd /tmp; exec >/dev/null 2>&1; \(clean); \(script)"]
        var arguments = words.map { strdup($0) } + [nil]
        var variables = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
        defer { for word in arguments + variables { free(word) } }
        var process = pid_t()
        let status = posix_spawn(&process, "/bin/bash", &actions, nil, &arguments, &variables)
        guard status == 0 else { throw Failed(program: script, status: status) }
        return process
    }
}

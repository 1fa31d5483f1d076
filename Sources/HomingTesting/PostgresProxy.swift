// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A network between a node and its PostgreSQL that a test can break: a socket in a folder of its own, whose
/// connections go on to the server's.
package final class PostgresProxy: Sendable {
    /// What happens to traffic.
    package enum Fault: Int, Sendable {
        case none
        /// The answer to the next `COMMIT` of a write is lost, with the connection; the server got it.
        case loseCommitAnswer
        /// The next `COMMIT` of a write is lost, with the connection.
        case loseCommit
        /// Nothing comes through any more, in either direction.
        case swallow
    }

    private let state = Mutex(Fault.none)
    /// The sockets to clients, and how many of them, from the first, are forgotten.
    private let clients = Mutex((all: [CInt](), forgotten: 0))
    private let target: String
    private let listener: CInt
    /// The folder for libpq's `host`.
    package let folder: String

    package init(to serverFolder: String, in folder: String) throws {
        self.folder = folder
        target = "\(serverFolder)/.s.PGSQL.5432"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isListening = Self.withAddress("\(folder)/.s.PGSQL.5432") { address, length in
            bind(listener, address, length) == 0 && listen(listener, 16) == 0
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        start { proxy in
            while true {
                let client = accept(proxy.listener, nil, nil)
                guard client >= 0 else { return }
                proxy.connect(client)
            }
        }
    }

    package func set(_ fault: Fault) {
        state.withLock { $0 = fault }
    }

    /// From now on the clients that are connected hear nothing more, not even that the server has ended their
    /// connection. Others come through.
    package func forget() {
        clients.withLock { $0.forgotten = $0.all.count }
    }

    /// Ends the connection of every client.
    package func endAll() {
        clients.withLock { clients in
            for client in clients.all { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    package func close() {
        shutdown(listener, Int32(SHUT_RDWR))
        _ = Foundation.close(listener)
    }

    private func start(_ body: @escaping @Sendable (PostgresProxy) -> Void) {
        Thread { [self] in body(self) }.start()
    }

    private func connect(_ client: CInt) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = Self.withAddress(target) { Foundation.connect(server, $0, $1) == 0 }
        guard isConnected else { return end(client, server) }
        let number = clients.withLock { clients in
            clients.all.append(client)
            return clients.all.count
        }
        start { $0.pump(number, from: client, to: server, isFromClient: true) }
        start { $0.pump(number, from: server, to: client, isFromClient: false) }
    }

    private func end(_ one: CInt, _ other: CInt) {
        // The descriptors stay, so that no other connection gets their numbers while a thread still uses them.
        shutdown(one, Int32(SHUT_RDWR))
        shutdown(other, Int32(SHUT_RDWR))
    }

    private func pump(_ number: Int, from source: CInt, to sink: CInt, isFromClient: Bool) {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var isReading = false
        while true {
            let count = read(source, &bytes, bytes.count)
            if !isFromClient, clients.withLock({ number <= $0.forgotten }) {
                if count > 0 { continue }
                return
            }
            guard count > 0 else { return end(source, sink) }
            while state.withLock({ $0 == .swallow }) { Thread.sleep(forTimeInterval: 0.02) }
            let chunk = Data(bytes[..<count])
            func has(_ text: String) -> Bool { isFromClient && chunk.range(of: Data(text.utf8)) != nil }
            if has("BEGIN") { isReading = has("READ ONLY\0") }
            let isCommit = has("COMMIT\0") && !isReading
            let fault =
                isCommit
                ? state.withLock { fault in
                    defer { fault = .none }
                    return fault
                } : .none
            if fault == .loseCommit { return end(source, sink) }
            if fault == .loseCommitAnswer {
                shutdown(source, Int32(SHUT_RDWR))
                _ = send(sink, bytes, count, Int32(MSG_NOSIGNAL))
                // Until the server has done it.
                Thread.sleep(forTimeInterval: 0.2)
                return end(source, sink)
            }
            guard send(sink, bytes, count, Int32(MSG_NOSIGNAL)) == count else { return end(source, sink) }
        }
    }

    private static func withAddress<Answer>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer
    ) -> Answer {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibPQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension PostgresConnection {
    /// Sends all that libpq still holds back.
    func flush() throws {
        while true {
            switch PQflush(connection) {
            case 0: return
            // The server may have to be read before it reads on.
            case 1: try wait(for: Int16(POLLIN | POLLOUT))
            default: throw lost()
            }
        }
    }

    /// The next result, nil behind the last one of a statement.
    func nextResult() throws -> OpaquePointer? {
        while PQisBusy(connection) == 1 { try wait(for: Int16(POLLIN)) }
        return PQgetResult(connection)
    }

    /// Waits until the socket can be read or written.
    ///
    /// - Throws: ``ConnectionLost`` at the deadline, or before that where the server has fallen silent for everybody.
    func wait(for events: Int16) throws {
        var descriptor = pollfd(fd: PQsocket(connection), events: events, revents: 0)
        let begun = ContinuousClock.now
        var vainQuestions = 0
        // The verbs of requests have no time for questions.
        let mayAsk = patience.answerSeconds > patience.silenceSeconds
        while true {
            let silence = Duration.seconds(vainQuestions == 0 ? patience.silenceSeconds : 5)
            let left = min(ContinuousClock.now.duration(to: deadline), silence)
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000
            let ready = poll(&descriptor, 1, Int32(clamping: max(0, milliseconds)))
            if ready < 0, errno == EINTR { return }
            if ready > 0 { break }
            // A statement may take hours; a server that does not answer anybody does not work on it either.
            vainQuestions = mayAsk && deadline > .now && isServerThere() ? 0 : vainQuestions + 1
            guard deadline > .now, vainQuestions < 2 else {
                isGivenUp = true
                let seconds = begun.duration(to: .now).components.seconds
                throw ConnectionLost(message: "no answer within \(seconds) seconds")
            }
        }
        guard descriptor.revents & Int16(POLLIN | POLLHUP | POLLERR) == 0 || PQconsumeInput(connection) == 1 else {
            throw lost()
        }
    }

    /// Whether the server answers a new connection, and still has this one. Behind PgBouncer, which gives a connection
    /// of its own a process for a transaction, any answer counts.
    private func isServerThere() -> Bool {
        do {
            let other = try PostgresConnection(url, .ofQuestions, tally: tally)
            let process = Int64(PQbackendPID(connection))
            guard prepares, process != 0 else {
                _ = try other.send(["SELECT 1"])
                return true
            }
            return try other.send(["SELECT 1 FROM pg_stat_activity WHERE pid = \(process)"]).first?.firstInt() == 1
        } catch let lost as ConnectionLost {
            // It answers those that it has.
            return lost.isForLackOfConnections
        } catch {
            return false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Hummingbird
import Synchronization

/// Lets one large form at a time onto this server: each is in memory as a whole, and more than once while it is read.
package final class UploadTurn: Sendable {
    private let isTaken = Mutex(false)

    package init() {}

    /// - Parameter largest: the most bytes of the form; a page without files takes no large one.
    func run<Answer>(
        _ request: Request, atMost largest: Int, _ work: () async throws -> Answer
    ) async throws -> Answer {
        guard largest > SentForm.largest else { return try await work() }
        return try await run(bytes: request.headers[.contentLength].flatMap { Int($0) }, work)
    }

    /// - Parameter bytes: the length of the form; nil where its head does not say.
    /// - Throws: ``ConsoleRefusal/busy(_:)`` while another large form is being read.
    package func run<Answer>(
        bytes: Int?, _ work: () async throws -> Answer
    ) async throws -> Answer {
        guard bytes.map({ $0 > SentForm.largest }) ?? true else { return try await work() }
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else {
            throw ConsoleRefusal.busy("Another large file is being read on this server. Send yours again in a minute.")
        }
        defer { isTaken.withLock { $0 = false } }
        return try await work()
    }
}

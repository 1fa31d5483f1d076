// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import NIOCore
import NIOPosix
import ServiceLifecycle

/// Tells the service manager again and again that the server works, and falls silent when it does not.
///
/// The server works while each event loop takes a turn and the database answers. An error is an answer: a PostgreSQL
/// that is away, or a full disk, would still be there after a restart. So is a database that takes longer than
/// ``longestLook`` while the loops go on.
package struct Watchdog: Service {
    let manager: ServiceManager
    /// Ends when the database has answered.
    let look: @Sendable () async -> Void
    let longestSilence: Duration

    package init(
        manager: ServiceManager, longestSilence: Duration, look: @escaping @Sendable () async -> Void
    ) {
        self.manager = manager
        self.longestSilence = longestSilence
        self.look = look
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Nothing limits the time of the loops: one that takes no turn is the silence.
                await turnLoops()
                if await !hasAnswered() { await turnLoops() }
                manager.tell(.working)
                try? await Task.sleep(for: longestSilence / 4)
            }
        }
    }

    package static let longestLook = Duration.seconds(20)

    private func turnLoops() async {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            try? await loop.submit {}.get()
        }
    }

    /// Whether the database answers in time. A look that does not end is left alone.
    private func hasAnswered() async -> Bool {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let look = Task { [look] in
            await look()
            end.yield(true)
        }
        let limit = Task {
            try? await Task.sleep(for: Self.longestLook)
            end.yield(false)
        }
        defer {
            look.cancel()
            limit.cancel()
        }
        for await hasAnswered in ends { return hasAnswered }
        return true
    }
}

/// Tells the service manager that the server stops. It is the last of the services, which end one after the other from
/// the last on.
package struct StopNotice: Service {
    let manager: ServiceManager

    package init(manager: ServiceManager) {
        self.manager = manager
    }

    package func run() async throws {
        try? await gracefulShutdown()
        manager.tell(.stopping, .status("finishes what has begun"))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Tells the service manager again and again that the server works, and falls silent when it does not.
///
/// The server works while each event loop takes a turn and the database answers. An error is an answer: a PostgreSQL that
/// is away, or a full disk, would still be there after a restart.
struct Watchdog: Service {
    let manager: ServiceManager
    let homing: Homing
    let longestSilence: Duration

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Nothing limits the time of the look: one that does not end is the silence.
                await look()
                manager.tell(.working)
                try? await Task.sleep(for: longestSilence / 2)
            }
        }
    }

    private func look() async {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            try? await loop.submit {}.get()
        }
        _ = await homing.readiness()
    }
}

/// Tells the service manager that the server stops. It is the last of the services, which end one after the other from
/// the last on.
struct StopNotice: Service {
    let manager: ServiceManager

    func run() async throws {
        try? await gracefulShutdown()
        manager.tell(.stopping, .status("finishes what has begun"))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Logging
import ServiceLifecycle

/// What goes on beside the requests: settings and keys are read again twice a minute, what has ended is swept.
struct Upkeep: Service {
    let homing: Homing
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await round()
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    private func round() async {
        do {
            try await homing.projects.reload()
            try await homing.keys.reload()
            try await homing.outbox.takeBackFromTheFuture()
            try await Sweep(homing).run()
        } catch {
            logger.error("upkeep failed; it is tried again in half a minute", metadata: ["error": "\(error)"])
        }
    }
}

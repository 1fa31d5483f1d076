// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Logging
import ServiceLifecycle

/// Writes the counts of links every few seconds, so that a crash loses less than ten; a stop loses nothing, because
/// Homing writes the rest when it closes.
struct LinkCounting: Service {
    let homing: Homing
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(8))
                await flush()
            }
        }
    }

    private func flush() async {
        do {
            try await homing.links.counts.flush()
        } catch {
            logger.error(
                "clicks could not be written; they are kept and tried again", metadata: ["error": "\(error)"])
        }
    }
}

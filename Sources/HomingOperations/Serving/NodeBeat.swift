// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingDatabase
import HomingStore
package import Logging
internal import ServiceLifecycle

/// Takes over what other nodes have changed, tells them every few seconds that this one is alive, and the operator when
/// the database is away or this machine's clock is wrong: once at the beginning, and once at the end.
package struct NodeBeat: Service {
    let homing: Homing
    let name: String
    let logger: Logger

    package init(homing: Homing, name: String, logger: Logger) {
        self.homing = homing
        self.name = name
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var wasAway = false
            var wasSkewed = false
            var keyLookout = KeyLookout(homing.keys, of: homing.nodes, logger)
            var diskLookout = DiskLookout(homing.database, logger)
            while !Task.isCancelled {
                let told = homing.keys.ring.fingerprints
                (wasAway, wasSkewed) = await beat(told, wasAway, wasSkewed)
                for _ in 0..<Nodes.beatSeconds / 2 {
                    try? await Task.sleep(for: .seconds(2))
                    guard !Task.isCancelled else { break }
                    homing.keys.ring.lookAtFile()
                    // A failure is reported by the next beat, or by the upkeep, which reads all of it again.
                    try? await homing.takeOverChanges()
                    if let count = try? await homing.nodes.livingCount() { homing.outbox.batch.set(nodes: count) }
                    keyLookout.look()
                    diskLookout.look()
                    // An operator waits for that: `homing key use` comes behind the copy of the file.
                    if homing.keys.ring.fingerprints != told { break }
                }
            }
        }
        try? await homing.nodes.leave()
    }

    private func beat(_ keys: [String], _ wasAway: Bool, _ wasSkewed: Bool) async -> (isAway: Bool, isSkewed: Bool) {
        do {
            let skew = try await homing.nodes.beat(
                name: name, version: Version.version, mails: homing.outbox.inHand, keys: keys)
            if wasAway { logger.notice("the database answers again") }
            let isSkewed = abs(skew) > Nodes.greatestSkew
            if isSkewed, !wasSkewed {
                logger.error(
                    "this machine's clock differs from the database's by more than 30 seconds: timedatectl set-ntp true",
                    metadata: ["aheadMilliseconds": "\(skew)"])
            }
            return (false, isSkewed)
        } catch is CancellationError {
            return (wasAway, wasSkewed)
        } catch DatabaseUnavailable.full {
            // It answers; what it says has a line of its own.
            return (wasAway, wasSkewed)
        } catch {
            if !wasAway {
                logger.error(
                    "the database does not answer: requests get 503 until it does; nothing has to be restarted here",
                    metadata: ["error": "\(error)"])
            }
            return (true, wasSkewed)
        }
    }
}

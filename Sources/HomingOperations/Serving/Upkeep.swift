// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
package import Logging
internal import ServiceLifecycle

/// The work beside requests: settings and keys are read again twice a minute, ended rows are swept.
package struct Upkeep: Service {
    let homing: Homing
    let logger: Logger

    package init(homing: Homing, logger: Logger) {
        self.homing = homing
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var keyLookout = KeyLookout(homing.keys, of: homing.nodes, logger)
            while !Task.isCancelled {
                await round()
                // Where there are several nodes, the beat has said so.
                if !homing.nodes.areSeveralPossible { keyLookout.look() }
                try? await Task.sleep(for: .seconds(30))
            }
        }
    }

    private func round() async {
        await attempt("projects could not be read again") { try await homing.projects.reload() }
        await attempt("keys could not be read again") { try await homing.keys.reload() }
        // Those that another node has made with a key that this one lacks are no news beside that.
        if homing.nodes.areSeveralPossible, homing.keys.ring.gap == nil {
            await attempt("signing keys could not be read again") { try await homing.signingKeys.reload() }
        }
        await attempt("emails put off too far could not be made due") {
            try await homing.outbox.takeBackFromTheFuture()
        }
        await attempt("the last uses of admin keys could not be written") { try await homing.adminKeys.flushUses() }
        await attempt("what has ended could not be swept") {
            // One node at a time; another one takes the next turn when this one stops.
            if try await homing.nodes.isTurn(for: "sweep", everySeconds: 25) { try await Sweep(homing).run() }
        }
        await attempt("links could not be made ready to be found by their targets") {
            try await UnkeyedLinks(homing).fill()
        }
        await attempt("short links that nobody opens could not be deleted") {
            try await UnopenedLinks(homing).delete { project, count in
                logger.info(
                    "short links that nobody opened were deleted",
                    metadata: ["project": "\(project)", "links": "\(count)"])
            }
        }
        await attempt("old sources of clicks could not be deleted") { try await OldSources(homing).delete() }
        await attempt("anonymous accounts that nobody uses could not be deleted") {
            try await UnusedAccounts(homing).delete { project, count in
                logger.info(
                    "anonymous accounts that nobody used were deleted",
                    metadata: ["project": "\(project)", "accounts": "\(count)"])
            }
        }
    }

    /// Runs one step. A step that fails, such as keys whose file is gone, does not stop the others.
    private func attempt(_ failure: String, _ step: () async throws -> Void) async {
        do {
            try await step()
        } catch {
            logger.error(
                "\(failure); it is tried again in half a minute", metadata: ["error": "\(RefusalLine.text(of: error))"])
        }
    }
}

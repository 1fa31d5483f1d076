// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingProjects
import HomingShortLinks
internal import HomingStore
package import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Tells webhooks of clicks and openings. Each project has its turn, with one request at a time; receivers that have
/// failed share a few turns among them, so that one that hangs costs the others nothing.
package final class LinkEventDelivery: Service {
    private static let pause = Duration.seconds(1)
    private static let mostAtOnce = 32
    private static let mostFailingAtOnce = 8
    /// In one turn; whoever has more waits for the next.
    private static let requestsPerTurn = 50
    /// Pauses between two looks for events that nobody has taken for a day.
    private static let pausesOfOld = 60

    private let homing: Homing
    private let logger: Logger
    /// The projects whose turn it is, and whether their receivers had failed before.
    private let running = Mutex<[Scope: Bool]>([:])
    private let isStopped = Atomic(false)

    package init(homing: Homing, logger: Logger) {
        self.homing = homing
        self.logger = logger
    }

    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { turns in
                var pauses = 0
                while !isStopped.load(ordering: .relaxed), !Task.isCancelled {
                    // Nobody has a webhook, mostly: then nothing is asked.
                    if homing.projects.all().contains(where: { $0.linkWebhook != nil }) {
                        await begin(&turns)
                        if pauses % Self.pausesOfOld == 0 { await dropOld() }
                        pauses += 1
                    }
                    await rest()
                }
            }
        } onCancelOrGracefulShutdown: { [self] in
            isStopped.store(true, ordering: .relaxed)
        }
    }

    private func rest() async {
        await cancelWhenGracefulShutdown { try? await Task.sleep(for: Self.pause) }
    }

    private func begin(_ turns: inout DiscardingTaskGroup) async {
        guard let due = try? await homing.links.events.due() else { return }
        for (project, isFailing) in due {
            guard mayBegin(project, isFailing) else { continue }
            turns.addTask { [self] in
                await tell(project)
                running.withLock { $0[project] = nil }
            }
        }
    }

    private func mayBegin(_ project: Scope, _ isFailing: Bool) -> Bool {
        running.withLock { running in
            guard running[project] == nil, running.count < Self.mostAtOnce,
                !isFailing || running.values.count(where: { $0 }) < Self.mostFailingAtOnce
            else { return false }
            running[project] = isFailing
            return true
        }
    }

    /// Sends what waits for a project, until something is not taken.
    private func tell(_ project: Scope) async {
        for _ in 0..<Self.requestsPerTurn where !isStopped.load(ordering: .relaxed) {
            do {
                guard let batch = try await homing.links.events.claim(project) else { return }
                let problem = await LinkWebhookCall(batch, in: homing).send { [self] in
                    isStopped.load(ordering: .relaxed)
                }
                if problem != nil, isStopped.load(ordering: .relaxed) {
                    return try await homing.links.events.giveBack(batch)
                }
                try await homing.links.events.settle(batch, problem: problem)
                guard let problem else { continue }
                if batch.failures == 0 {
                    logger.warning(
                        "a link webhook does not take what it is told; it is told again for a day",
                        metadata: ["project": "\(project)", "reason": "\(problem)"])
                }
                return
            } catch {
                // The database is away, which others say; the turn ends by its lease.
                return
            }
        }
    }

    private func dropOld() async {
        guard let dropped = try? await homing.links.events.dropOld() else { return }
        for (project, count) in dropped.sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "events of links were dropped: their webhook has not taken them for a day",
                metadata: ["project": "\(project)", "events": "\(count)"])
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingStore
internal import ServiceLifecycle

/// Answers on for a moment when the server is to stop, and says at `/readyz` that no more requests are wanted, so that
/// a balancer sends them elsewhere before the listeners close. Only where there is an elsewhere: a server that has its
/// database for itself stops at once.
///
/// Services end one after the other from the last on: this one stands behind the listeners.
package struct Drain: Service {
    let homing: Homing
    let manager: ServiceManager
    let seconds: Int

    package init(homing: Homing, manager: ServiceManager, seconds: Int) {
        self.homing = homing
        self.manager = manager
        self.seconds = seconds
    }

    package func run() async throws {
        try? await gracefulShutdown()
        homing.drain()
        guard seconds > 0, !Task.isCancelled, await hasSuccessors() else { return }
        manager.tell(.moreTime(seconds: seconds + 25))
        try? await Task.sleep(for: .seconds(seconds))
    }

    /// Whether a balancer looks here, or other nodes could answer.
    private func hasSuccessors() async -> Bool {
        guard homing.nodes.areSeveralPossible else { return false }
        if homing.isLookedAt { return true }
        let nodes = try? await homing.nodes.list()
        return (nodes ?? []).filter(\.isAlive).count > 1
    }
}

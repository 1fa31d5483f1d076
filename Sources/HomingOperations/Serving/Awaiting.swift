// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import ServiceLifecycle

/// Looks once a second whether another node has ended a code that somebody waits for here, one look for all who wait;
/// none while nobody does. Only where there can be another node.
package struct Awaiting: Service {
    let codes: ActionCodes

    package init(codes: ActionCodes) {
        self.codes = codes
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                // That the database is away the node's beat says; the next look finds what this one has missed.
                try? await codes.lookForEnded()
            }
        }
    }
}

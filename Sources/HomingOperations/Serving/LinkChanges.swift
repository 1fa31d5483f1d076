// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingShortLinks
internal import ServiceLifecycle

/// Looks once a second whether another node, or a command, has changed links that this one has in memory. Only where
/// there can be another.
package struct LinkChanges: Service {
    let links: Links

    package init(links: Links) {
        self.links = links
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                // That the database is away the node's beat says; the next look finds what this one has missed.
                try? await links.lookForChanges()
            }
        }
    }
}

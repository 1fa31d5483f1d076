// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingShortLinks
package import HomingStore

extension Homing {
    /// Removes a project and everything that belongs to it. What was counted and is not written yet goes with it.
    package func deleteProject(_ id: ProjectID, by author: Authority) async throws {
        try await links.counts.flush()
        try await outbox.mailCounts.flush()
        try await projects.delete(id, by: author)
    }
}

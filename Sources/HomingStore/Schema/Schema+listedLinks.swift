// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// The orders in which links are listed, page by page.
extension Schema {
    /// Links that have the same time, as an import makes them, stand in the order of their endings: a page begins
    /// wherever the one before has ended. The condition is not that of `links_named`, which has the times alone: an
    /// engine would take that one, and sort.
    static let listedLinks: [SQL] = [
        "CREATE INDEX links_made ON links (project, created_at, domain, suffix)",
        "CREATE INDEX links_listed ON links (project, created_at, domain, suffix) WHERE coalesce(name, '') <> ''",
    ]
}

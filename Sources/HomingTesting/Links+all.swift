// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
package import HomingShortLinks

extension Links {
    /// The links of all pages of a query.
    package func all(_ query: LinkQuery = LinkQuery(), in project: Project) async throws -> [StoredLink] {
        var (query, links, isOver) = (query, [] as [StoredLink], false)
        while !isOver {
            let (page, token) = try await find(query, in: project)
            links += page.map(\.link)
            (query.pageToken, isOver) = (token, token == nil)
        }
        return links
    }
}

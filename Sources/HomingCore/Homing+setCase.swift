// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingLinkRules
import HomingProjects
import HomingShortLinks
package import HomingStore
import HomingWire

extension Homing {
    /// The groups of endings that are named at most.
    private static let mostCollisions = 100

    /// Says whether the case of endings counts on a link domain of a project.
    ///
    /// - Returns: the domain, and where case counts no more the endings that are the same but for it; at most a hundred
    ///   groups. They stay, and each is found in its own case.
    package func setCase(
        of text: String, in id: ProjectID, isIgnored: Bool, by author: Authority
    ) async throws -> (domain: LinkDomain, collisions: [[LinkSuffix]]) {
        let project = try projects.existing(id)
        let domain = try LinkDomain(typed: text)
        guard isIgnored else {
            try await projects.setCase(of: domain, in: id, isIgnored: false, by: author)
            return (domain, [])
        }
        guard project.linkDomains.contains(domain) else { throw Projects.noLinkDomain(text, of: project) }
        // Before, so that no ending is taken for the only one, and after, for those that came meanwhile.
        try await links.fold(on: domain, of: project)
        try await projects.setCase(of: domain, in: id, isIgnored: true, by: author)
        try await links.fold(on: domain, of: project)
        return (domain, try await links.collisions(on: domain, of: project, atMost: Self.mostCollisions))
    }
}

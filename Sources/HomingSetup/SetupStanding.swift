// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import HomingOperations
import HomingProjects
import HomingStore

/// What a database has, as far as setup asks.
package struct SetupStanding: Codable, Sendable {
    package struct Project: Codable, Sendable {
        var id: ProjectID
        var apiKey: String
        var authorizedDomains: [String]
    }

    var projects: [Project] = []
    var operators: [String] = []
    /// The servers that are alive, where several may be.
    var nodes: [String] = []
    /// Opens the console once.
    var link: String?

    init() {}

    /// Makes what is wished for and missing, and says what is there.
    package init(making wishes: SetupWishes, in homing: Homing) async throws {
        if let project = wishes.project, homing.projects.project(project) == nil {
            _ = try await homing.projects.create(
                id: project, name: wishes.projectName, apiKey: nil, authorizedDomains: wishes.authorizedDomains,
                linkDomains: wishes.linkDomains, language: wishes.locale, by: .command)
        }
        if let person = wishes.person {
            let address = try EmailAddress(parsing: person).text
            if !(try await homing.operators.list().contains { $0.address == address }) {
                _ = try await homing.operators.add(address, role: .owner, projects: nil, by: .command)
            }
            link = try await homing.newConsoleLink(for: address)
        }
        projects = homing.projects.all().map {
            Project(id: $0.projectID, apiKey: $0.linkKey, authorizedDomains: $0.authorizedDomains.map(\.text))
        }
        operators = try await homing.operators.list().map(\.address)
        nodes = try await homing.nodes.list().filter(\.isAlive).map(\.node.name)
    }

    /// What another process answered, as far as it can stand in commands that root is told to copy.
    func checked() throws(Refusal) -> SetupStanding {
        for project in projects {
            try Projects.check(id: project.id)
            try APIKey.check(project.apiKey)
        }
        return self
    }
}

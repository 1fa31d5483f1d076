// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// A bearer key for the admin listener, without its secret.
package struct AdminKey: Sendable, Equatable {
    package let id: String
    package let name: String
    /// The projects that it is for; nil for all, and empty when they were all deleted.
    package let projects: [ProjectID]?
    /// Whether its back end may read the hashes of passwords.
    package let readsHashes: Bool
    package let createdAt: Moment
    /// When it ends; nil for a key that only a revocation ends.
    package let expiresAt: Moment?
    package let revokedAt: Moment?
    /// When a request came with it, to within half a minute.
    package let usedAt: Moment?

    package enum State: String, Sendable {
        case inForce = "in force"
        case ended
        case revoked
    }

    package func state(at now: Moment) -> State {
        if revokedAt != nil { return .revoked }
        return hasEnded(at: now) ? .ended : .inForce
    }

    func hasEnded(at now: Moment) -> Bool { expiresAt.map { $0 <= now } ?? false }

    package func isFor(_ project: ProjectID) -> Bool {
        projects?.contains(project) ?? true
    }

    /// Refuses what is about a project that the key is not for. Whether there is such a project is not told.
    package func check(_ project: ProjectID) throws(Refusal) {
        guard !isFor(project) else { return }
        throw .outsideProjects("The admin key \(name) is for \(scope) only.")
    }

    /// Refuses what is about all projects together.
    package func checkAllProjects() throws(Refusal) {
        guard projects != nil else { return }
        throw .outsideProjects(
            "This is about all projects, and the admin key \(name) is for \(scope) only: use a key that was created "
                + "without --project.")
    }

    /// What it is for, as the audit log says it.
    var rights: String { scope + (readsHashes ? ", reads password hashes" : "") }

    /// The projects as a part of a sentence.
    package var scope: String {
        guard let projects else { return "all projects" }
        guard !projects.isEmpty else { return "projects that are gone" }
        return (projects.count == 1 ? "project " : "projects ") + projects.map(\.text).joined(separator: ", ")
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// Somebody who may use the console.
package struct Operator: Sendable, Equatable {
    /// The things that an operator may do; each role may also do what the ones before it may.
    package enum Role: String, Sendable, CaseIterable, Comparable, Codable {
        /// Looks, and sees addresses masked.
        case viewer
        /// Changes projects.
        case editor
        /// Also makes projects and admin keys, and says who the operators are.
        case owner

        package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The address to which sign-in links are mailed; `server` for whoever opened the link that the server printed.
    package let address: String
    package let role: Role
    /// The only projects of this operator, or nil for all.
    package let projects: [ProjectID]?
    package let hasPassword: Bool
    package let hasSecondFactor: Bool

    init(
        address: String, role: Role, projects: [ProjectID]?, hasPassword: Bool = false, hasSecondFactor: Bool = false
    ) {
        self.address = address
        self.role = role
        self.projects = projects
        self.hasPassword = hasPassword
        self.hasSecondFactor = hasSecondFactor
    }

    /// Whoever holds a link that the server printed on its own terminal, where commands can do everything as well.
    package static let ofServer = Operator(address: "server", role: .owner, projects: nil)

    package var isOfServer: Bool { self == .ofServer }

    package func sees(_ project: ProjectID) -> Bool {
        projects?.contains(project) ?? true
    }

    package var author: Authority { .person(address) }

    package var rights: Rights { Rights(role: role, projects: projects) }

    /// What somebody may do, and where.
    package struct Rights: Sendable, Equatable {
        package var role: Role
        /// The only projects, or nil for all.
        package var projects: [ProjectID]?

        package init(role: Role, projects: [ProjectID]?) {
            self.role = role
            self.projects = projects
        }

        func check() throws(Refusal) {
            guard projects == nil || role != .owner else {
                throw .invalidSetting(
                    "an owner is one of all projects: leave the projects out, or give another role")
            }
        }
    }
}

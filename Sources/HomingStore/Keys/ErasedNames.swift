// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What stands for an address where a trace must stay without it: `erased:` and twelve hexadecimal digits, so that the
/// traces of one person still belong together, and nobody who has the database alone can tell whose they are.
package enum Erasure {
    package static let mark = "erased:"

    /// - Parameter project: what the rows are kept under.
    package static func name(of address: EmailAddress, in project: Scope, _ ring: KeyRing) -> String {
        names(of: address, in: project, ring).first ?? mark
    }

    /// The name, and those that the address had under younger keys.
    package static func names(of address: EmailAddress, in project: Scope, _ ring: KeyRing) -> [String] {
        ring.digests(of: address, in: project).map { mark + $0.prefix(12) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire
import Synchronization

/// The members that operations have read or answered although their declarations lack them. Tests give their server
/// one, and fail where anything is in it; a server without one looks at no name.
package final class UndeclaredMembers: Sendable {
    private let found = Mutex<Set<String>>([])

    package init() {}

    /// In sentences, which name the operation and the member.
    package var sentences: [String] { found.withLock { $0.sorted() } }

    fileprivate func note(_ member: String, by operation: String) {
        found.withLock { _ = $0.insert("\(operation) reads \(member), which its declaration lacks") }
    }

    /// Looks at the members of an answer.
    package func check(_ answer: JSON, of operation: String, as shape: Shape, at path: String = "") {
        // One without members is a document whose names nobody knows beforehand.
        guard let object = answer.objectValue, !shape.members.isEmpty else { return }
        for member in object.members {
            guard let declared = shape[member.key] else {
                let name = "\(path)\(member.key)"
                found.withLock { _ = $0.insert("\(operation) answers \(name), which its declaration lacks") }
                continue
            }
            guard let inner = declared.shape else { continue }
            for value in member.value.arrayValue ?? [member.value] {
                check(value, of: operation, as: inner, at: "\(path)\(member.key)/")
            }
        }
    }

    /// What one operation may read of one object.
    package final class Watch: Sendable {
        private let operation: String
        /// Nil where the members are those of somebody else's document.
        private let shape: Shape?
        private let reads: UndeclaredMembers

        package init(_ operation: String, _ shape: Shape?, _ reads: UndeclaredMembers) {
            self.operation = operation
            self.shape = shape
            self.reads = reads
        }

        package func read(_ name: String, at path: String) {
            guard let shape, shape[name] == nil else { return }
            reads.note("\(path)\(name)", by: operation)
        }

        /// The watch of the object, or of an object of the list, that a member is.
        package func inside(_ name: String) -> Watch {
            Watch(operation, shape?[name]?.shape, reads)
        }
    }
}

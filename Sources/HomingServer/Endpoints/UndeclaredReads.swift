// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// The members that operations have read although their declarations lack them. Tests give their server one, and fail where
/// anything is in it; a server without one looks at no name.
package final class UndeclaredReads: Sendable {
    private let found = Mutex<Set<String>>([])

    package init() {}

    /// In sentences, which name the operation and the member.
    package var sentences: [String] { found.withLock { $0.sorted() } }

    fileprivate func note(_ member: String, by operation: String) {
        found.withLock { _ = $0.insert("\(operation) reads \(member), which its declaration lacks") }
    }

    /// What one operation may read of one object.
    package final class Watch: Sendable {
        private let operation: String
        /// Nil where the members are those of somebody else's document.
        private let shape: Shape?
        private let reads: UndeclaredReads

        package init(_ operation: String, _ shape: Shape?, _ reads: UndeclaredReads) {
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

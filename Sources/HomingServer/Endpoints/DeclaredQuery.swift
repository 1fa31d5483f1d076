// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Hummingbird
import HummingbirdCore

/// The query of a request, read by the names that its operation declares.
struct DeclaredQuery: Sendable {
    private let uri: URI
    private let watch: UndeclaredMembers.Watch?

    init(_ uri: URI, watch: UndeclaredMembers.Watch?) {
        self.uri = uri
        self.watch = watch
    }

    /// The value of the first parameter of a name.
    ///
    /// - Parameter other: another spelling, which is looked for where the first is missing.
    func first(_ name: String, or other: String? = nil) -> String? {
        watch?.read(name, at: "?")
        let parameters = uri.queryParameters
        return parameters.get(name) ?? other.flatMap { parameters.get($0) }
    }

    /// The values of all parameters of a name, then those of its other spelling.
    func all(_ name: String, or other: String? = nil) -> [String] {
        watch?.read(name, at: "?")
        let parameters = uri.queryParameters
        return [name, other].compactMap { $0 }.flatMap { parameters.getAll($0) }
    }

    /// The paths of `updateMask`, however often it is given.
    var updateMask: String { all("updateMask").joined(separator: ",") }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What a request asks for, as metrics and traces name it: one of a closed list, whatever anybody sends. The names are
/// those that operations declare (``Endpoint/name``), without Firebase's hosts and versions.
package struct Operation: Sendable, Equatable {
    package let name: String
    /// The place in ``all``.
    let number: Int

    /// A path that nothing answers, or a request that the gate refused.
    private static let noName = "none"
    private static let consoleName = "console"

    package static let all: [Operation] = {
        var names = [noName, consoleName]
        for endpoint in Endpoint.all where !names.contains(endpoint.name) { names.append(endpoint.name) }
        return names.enumerated().map { Operation(name: $1, number: $0) }
    }()

    package static let nothing = all[0]
    static let link = Operation(route: LinkResponder.route)
    private static let console = all[1]

    private static let byRoute: [String: Operation] = {
        let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        let routes = Endpoint.all.flatMap { endpoint in endpoint.allPaths.map { ($0, byName[endpoint.name] ?? nothing) }
        }
        return Dictionary(routes) { first, _ in first }
    }()

    private init(name: String, number: Int) {
        self.name = name
        self.number = number
    }

    /// - Parameter route: a route's path as its endpoint declares it; nil where no route answered.
    package init(route: String?) {
        // The pages of the console are declared beside it.
        self =
            route.map { Self.byRoute[$0] ?? ($0.hasPrefix("/console") ? Self.console : Self.nothing) } ?? Self.nothing
    }
}

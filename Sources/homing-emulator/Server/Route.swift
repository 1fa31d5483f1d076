// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire

/// An operation with its method and path.
struct Route {
    typealias Operation = @Sendable (inout World, Call) throws(Fault) -> JSON

    /// Nil for an operation that is left out, by any method.
    let method: HTTPRequest.Method?
    /// With `{project}`, `{tenant}` and `{config}` in the place of ids: a whole segment, or all of it before a colon.
    let path: String
    let run: Operation
    /// The members that are lists here and texts in other operations.
    var lists: Set<String> = []
    /// Whether the operation looks at keys alone, and not at a back end's credential.
    var takesKeysOnly = false
    /// The greatest number of bytes that a body may have.
    var bodyLimit = Self.bodyLimit
    private let segments: [Segment]

    static let bodyLimit = 16 << 20

    init(_ method: HTTPRequest.Method?, _ path: String, _ run: @escaping Operation) {
        self.method = method
        self.path = path
        self.run = run
        segments = Self.segments(of: path).map(Segment.init)
    }

    /// One that answers that it is left out, by its name in Google's discovery document.
    init(leftOut name: String, _ method: HTTPRequest.Method?, _ path: String) {
        self.init(method, path) { _, _ throws(Fault) in throw Fault.notOffered(name) }
    }

    // MARK: Matching

    /// A route with the project and the tenant that a path names.
    struct Match {
        let route: Route
        var project: String?
        var tenant: String?
    }

    private enum Segment {
        case literal(Substring)
        case id(name: String, before: String)

        init(_ text: Substring) {
            guard text.hasPrefix("{"), let end = text.firstIndex(of: "}") else {
                self = .literal(text)
                return
            }
            self = .id(name: String(text[..<end].dropFirst()), before: String(text[end...].dropFirst()))
        }
    }

    static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// - Parameter given: the segments of a request's path.
    func match(_ given: [Substring]) -> Match? {
        guard given.count == segments.count else { return nil }
        var match = Match(route: self)
        for (text, segment) in zip(given, segments) {
            switch segment {
            case .literal(let wanted):
                guard text.utf8.elementsEqual(wanted.utf8) else { return nil }
            case .id(let name, let end):
                guard text.hasSuffix(end) else { return nil }
                let id = text.dropLast(end.count)
                guard !id.isEmpty else { return nil }
                let decoded = percentDecoded(id) ?? String(id)
                if name == "project" { match.project = decoded }
                if name == "tenant" { match.tenant = decoded }
            }
        }
        return match
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingStore
import HomingWire
import Hummingbird

/// Refuses a request whose path is one of a router's and whose method is not, with those that are
/// (RFC 9110 section 15.5.6): a router's own answer would say that there is no such path.
struct KnownMethods<Inner: HTTPResponder>: HTTPResponder {
    private let inner: Inner
    private var exact: [String: [HTTPRequest.Method]] = [:]
    /// The paths with placeholders, cut at their slashes.
    private var patterns: [(segments: [Substring], methods: [HTTPRequest.Method])] = []

    init(_ inner: Inner, routes: [(method: HTTPRequest.Method, path: String)]) {
        self.inner = inner
        for (path, routes) in Dictionary(grouping: routes, by: \.path) where !path.contains("*") {
            var methods = routes.map(\.method)
            if methods.contains(.get) { methods.append(.head) }
            methods = Set(methods).sorted { $0.rawValue < $1.rawValue }
            if path.contains("{") {
                patterns.append((ASCII.split(path, at: UInt8(ascii: "/")), methods))
            } else {
                exact[path] = methods
            }
        }
    }

    func respond(to request: Request, context: Inner.Context) async throws -> Response {
        do {
            let response = try await inner.respond(to: request, context: context)
            guard response.status == .notFound else { return response }
            try check(request)
            return response
        } catch let refusal as Refusal where refusal.status == .notFound {
            // `{ending}` takes `x:restore`, too, and then there is no such link.
            try check(request)
            throw refusal
        } catch let error as HTTPError where error.status == .notFound || error.status == .methodNotAllowed {
            try check(request)
            throw error
        }
    }

    private func check(_ request: Request) throws(Refusal) {
        let methods = methods(of: request.uri.path)
        guard !methods.isEmpty, !methods.contains(request.method) else { return }
        throw .methodNotAllowed(methods.map(\.rawValue))
    }

    private func methods(of path: String) -> [HTTPRequest.Method] {
        guard path.utf8.count <= 1024 else { return [] }
        if let methods = exact[path] { return methods }
        let segments = ASCII.split(path, at: UInt8(ascii: "/"))
        let known = patterns.filter { pattern in
            pattern.segments.count == segments.count && zip(pattern.segments, segments).allSatisfy(Self.matches)
        }
        // `{ending}:restore` is no `{ending}`, though that would match it.
        let verbs = known.filter { $0.segments.contains { !Self.verb(of: $0).isEmpty } }
        return Set((verbs.isEmpty ? known : verbs).flatMap(\.methods)).sorted { $0.rawValue < $1.rawValue }
    }

    private static func matches(_ pattern: Substring, _ segment: Substring) -> Bool {
        guard pattern.utf8.first == UInt8(ascii: "{") else { return ASCII.areEqual(pattern, segment) }
        return segment.hasSuffix(verb(of: pattern))
    }

    /// What stands behind the placeholder of a segment.
    private static func verb(of pattern: Substring) -> Substring {
        guard pattern.utf8.first == UInt8(ascii: "{"), let end = pattern.utf8.lastIndex(of: UInt8(ascii: "}"))
        else { return "" }
        return pattern[pattern.utf8.index(after: end)...]
    }
}

extension Router {
    /// The router's responder, which tells an unknown path from an unknown method.
    func responderKnowingMethods() -> KnownMethods<RouterResponder<Context>> {
        KnownMethods(buildResponder(), routes: routes.map { (method: $0.method, path: "\($0.path)") })
    }
}

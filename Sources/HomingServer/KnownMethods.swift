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
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy {
                    $0.utf8.first == UInt8(ascii: "{") || ASCII.areEqual($0, $1)
                }
        }
        return Set(known.flatMap(\.methods)).sorted { $0.rawValue < $1.rawValue }
    }
}

extension Router {
    /// The router's responder, which tells an unknown path from an unknown method.
    func responderKnowingMethods() -> KnownMethods<RouterResponder<Context>> {
        KnownMethods(buildResponder(), routes: routes.map { (method: $0.method, path: "\($0.path)") })
    }
}

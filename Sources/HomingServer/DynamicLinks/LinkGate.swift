// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import Hummingbird

/// Opens links before the list of routes is looked through: they are most of what comes, and no path of a route can be
/// one.
struct LinkGate<Inner: HTTPResponder>: HTTPResponder where Inner.Context == CallContext {
    let inner: Inner
    let links: OpenLink

    func respond(to request: Request, context: CallContext) async throws -> Response {
        guard request.method == .get || request.method == .head, let host = request.head.authority else {
            return try await inner.respond(to: request, context: context)
        }
        let path = request.uri.path
        guard let place = links.homing.projects.linkPlace(host: host, path: path) else {
            return try await inner.respond(to: request, context: context)
        }
        let part = LinkPath(path, on: place.domain)
        switch part {
        case .root, .suffix:
            let response =
                if let kept = links.openKept(request, context, part, at: place) {
                    kept
                } else {
                    try await links.open(request, context, part, at: place)
                }
            return request.method == .get ? response : response.withoutBody
        case .authLinks, .nowhere:
            return try await inner.respond(to: request, context: context)
        }
    }
}

extension Response {
    /// What HEAD gets: the same headers, the length of the body included.
    fileprivate var withoutBody: Response {
        var response = self
        let length = body.contentLength
        // Taking the body away takes its length from the headers.
        response.body = .init()
        if let length { response.headers[.contentLength] = String(length) }
        return response
    }
}

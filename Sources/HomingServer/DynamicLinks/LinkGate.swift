// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingShortLinks
import HomingStore
import Hummingbird

/// Opens links before the list of routes is searched: most requests are links, and no link has a route's path. Where one
/// is, ``PublicGate`` has found. What was damaged on the way is mended here, for links and pages alike.
struct LinkGate<Inner: HTTPResponder>: HTTPResponder where Inner.Context == CallContext {
    let inner: Inner
    let links: LinkResponder

    func respond(to request: Request, context: CallContext) async throws -> Response {
        let request = request.mended
        guard let place = context.place else { return try await inner.respond(to: request, context: context) }
        let (site, part) = (place.site, place.part)
        switch part {
        case .root, .suffix:
            context.coreContext.endpointPath.value = LinkResponder.route
            let response =
                if let kept = links.openKept(request, context, part, at: site) {
                    kept
                } else {
                    try await links.open(request, context, part, at: site)
                }
            return request.method == .get ? response : response.withoutBody
        case .authLinks, .nowhere:
            return try await inner.respond(to: request, context: context)
        }
    }

    /// The redirect of a link in memory, without waiting; nil for every other request.
    ///
    /// - Parameter isAllowed: whether the caller may ask; asked once, ahead of the redirect alone.
    func redirect(_ request: Request, ifAllowed isAllowed: () -> Bool) -> HTTPResponse? {
        let request = request.mended
        guard !OwnPath.answersScripts(request.uri.path), let place = LinkPlace(request, links.homing.projects) else {
            return nil
        }
        return links.redirectKept(request, place.part, at: place.site, ifAllowed: isAllowed)
    }
}

extension Response {
    /// The answer to HEAD: the same headers, the length of the body included.
    fileprivate var withoutBody: Response {
        var response = self
        let length = body.contentLength
        // Removing the body removes its length from the headers.
        response.body = .init()
        if let length { response.headers[.contentLength] = String(length) }
        return response
    }
}

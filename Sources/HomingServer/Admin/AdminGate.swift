// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import Hummingbird
import Logging

/// What every request of the admin listener passes: a Host name of its own, and a key.
///
/// There is no CORS here, and a request that a browser or a proxy has touched is never `owner`.
struct AdminGate<Inner: HTTPResponder>: HTTPResponder where Inner.Context == CallContext {
    let inner: Inner
    let homing: Homing
    let acceptsOwner: Bool
    /// The host that this listener is bound to: it answers to that name, to its address and to `localhost`.
    let ownName: String
    let doors: AdminDoors
    let metrics: Metrics

    func respond(to request: Request, context: CallContext) async throws -> Response {
        let response = await answer(request, context)
        metrics.countRequest(on: .admin, status: response.status.code)
        return response
    }

    private func answer(_ request: Request, _ context: CallContext) async -> Response {
        guard request.hasOneHost, let host = request.head.authority, answersTo(host, context) else {
            return Answer.text("This listener does not answer to that Host name.\n", status: .misdirectedRequest)
        }
        let path = request.uri.path
        if path == "/healthz" || path == AdminDoors.path {
            return await settled(request, context, responder: inner)
        }
        do {
            guard try await isLetIn(request) else {
                if request.headers[.authorization] != nil {
                    homing.surroundings.report(SecurityEvent(.adminKeyRefused))
                }
                return refused(request)
            }
        } catch {
            context.logger.error("admin keys could not be read", metadata: ["error": "\(error)"])
            return Answer.fault
        }
        return await settled(request, context, responder: inner)
    }

    private func isLetIn(_ request: Request) async throws -> Bool {
        if request.headers[.authorization] != nil {
            guard let token = Self.token(request) else { return false }
            if Self.isOwner(token) { return acceptsOwner && Self.whatOthersAdded(request) == nil }
            return try await homing.adminKeys.isValid(token)
        }
        // The cookie opens pages only, and the picture of their tab: no operation can be reached by a form on another site.
        let path = request.uri.path
        return request.method == .get && (path.hasPrefix("/mailbox") || path == Favicon.path)
            && doors.isOpen(cookies: request.headers[values: .cookie])
    }

    /// What follows `Bearer`.
    private static func token(_ request: Request) -> String? {
        guard let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1), words.count == 2,
            words[0].lowercased() == "bearer"
        else { return nil }
        return String(words[1])
    }

    private static func isOwner(_ token: String) -> Bool { token.lowercased() == "owner" }

    /// The header by which a proxy or a browser's page gives itself away; nil when there is none.
    ///
    /// Of what browsers say about a fetch only the site counts: Node's `fetch` sends the mode as well.
    private static func whatOthersAdded(_ request: Request) -> String? {
        request.headers.first { field in
            let name = field.name.canonicalName
            return name == "origin" || name == "forwarded" || name == "via" || name == "x-real-ip"
                || name.hasPrefix("x-forwarded-") || name == "sec-fetch-site" && field.value != "none"
        }?.name.rawName
    }

    private func refused(_ request: Request) -> Response {
        if request.method == .get, request.headers[.accept]?.contains("text/html") == true {
            return PageAnswer.html(LockedView().page, status: .unauthorized, policy: Layout.contentSecurityPolicy)
        }
        if request.uri.path.hasPrefix("/mailbox") {
            return Answer.text(
                "Open this page with a link that `homing mailbox` prints, or send an admin key.\n",
                status: .unauthorized)
        }
        guard request.headers[.authorization] != nil else { return Answer.refusal(.loginRequired) }
        guard let token = Self.token(request), Self.isOwner(token) else { return Answer.refusal(.adminKeyInvalid) }
        guard acceptsOwner else {
            return Answer.refusal(
                .ownerRefused(
                    "The token owner is switched off: use an admin key (homing admin-key create), or set "
                        + "admin.owner to allow on a listener that is bound to loopback."))
        }
        let header = Self.whatOthersAdded(request) ?? "another host"
        return Answer.refusal(
            .ownerRefused(
                "The token owner is not taken from a browser or through a proxy, and the request has \(header): "
                    + "use an admin key (homing admin-key create)."))
    }

    private func answersTo(_ authority: String, _ context: CallContext) -> Bool {
        let host = Self.hostName(authority).lowercased()
        return ownName == host || context.local.map { "\($0)" == host || "[\($0)]" == host } == true
            || ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }

    /// The host without its port; an IPv6 address keeps its brackets.
    static func hostName(_ authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), authority.last != "]" else { return authority }
        return String(authority[..<colon])
    }
}

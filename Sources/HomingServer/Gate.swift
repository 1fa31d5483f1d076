// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingListener
import HomingPages
import HomingProjects
import HomingStore
import HomingWire
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// The gate of the public listener: it requires one Host, limits each caller, answers CORS, and is the one that logs
/// faults.
struct PublicGate<Inner: HTTPResponder>: HTTPResponder where Inner.Context == CallContext {
    let inner: Inner
    let homing: Homing
    /// Whether browsers are told to use TLS only.
    let isSecure: Bool
    let trustedProxies: Live<[AddressRange]>
    let rate: RateLimit<IPAddress?>
    /// Of clicks on links, which do not count against `rate`.
    let clickRate: RateLimit<IPAddress?>
    let metrics: Metrics
    /// Whether each request is a span of a trace.
    var isTraced = false

    func respond(to request: Request, context: CallContext) async throws -> Response {
        let start = ContinuousClock.now
        let trustedProxies = trustedProxies.value
        var context = context
        if let peer = context.peer {
            context.client = ClientAddress.of(peer: peer, fields: request.headers, trustedProxies: trustedProxies)
            tellOfForwarder(peer, request, trustedProxies, context.logger)
        }
        context.place = LinkPlace(request, homing.projects)
        let isForScripts = OwnPath.answersScripts(request.uri.path)
        var response = await Asker.$current.withValue(Asker(context.client, author: "app")) { [context] in
            await answer(request, context, isForScripts: isForScripts, trustedProxies)
        }
        if isSecure {
            response.headers[.strictTransportSecurity] = HTTPFields.tlsOnly
        }
        if response.headers[.referrerPolicy] == nil {
            response.headers[.referrerPolicy] = "no-referrer"
            response.headers[.robots] = "noindex"
            if !isForScripts { response.headers[.vary] = "User-Agent" }
        }
        if isForScripts { Self.allowOrigin(request, &response) }
        metrics.countRequest(
            Operation(route: context.endpointPath), on: .open, status: response.status.code,
            took: start.duration(to: .now))
        return response
    }

    /// Says once of each peer that the callers behind it count as one.
    private func tellOfForwarder(
        _ peer: IPAddress, _ request: Request, _ trustedProxies: [AddressRange], _ logger: Logger
    ) {
        guard isNewForwarder(peer, request.headers, trustedProxies), homing.forwarders.remember(peer) else { return }
        logger.warning(
            "a peer sends X-Forwarded-For and is no trusted proxy: all who come by it count as one client",
            metadata: ["peer": "\(peer)", "remedy": "if it is your proxy, name it in HOMING_TRUSTED_PROXIES"])
    }

    private func isNewForwarder(_ peer: IPAddress, _ fields: HTTPFields, _ trustedProxies: [AddressRange]) -> Bool {
        homing.forwarders.takesMore && ClientAddress.isForwarded(fields)
            && !trustedProxies.contains { $0.contains(peer) } && !homing.forwarders.knows(peer)
    }

    /// Makes the answers of a connection that need no waiting: redirects of links in memory.
    func promptAnswers<Others>(to peer: IPAddress?) -> PromptResponder where Inner == LinkGate<Others> {
        { head in
            guard !isTraced else { return nil }
            let start = ContinuousClock.now
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            let isNew = peer.map { isNewForwarder($0, head.headerFields, trustedProxies.value) } ?? false
            guard request.hasOneHost, !isNew,
                let redirect = inner.redirect(
                    request,
                    ifAllowed: {
                        let client = peer.map {
                            ClientAddress.of(peer: $0, fields: head.headerFields, trustedProxies: trustedProxies.value)
                        }
                        return clickRate.allows(client?.network, at: homing.system.now())
                    })
            else { return nil }
            var answer = PromptAnswer(redirect)
            if isSecure { answer.head.headerFields[.strictTransportSecurity] = HTTPFields.tlsOnly }
            metrics.countRequest(
                Operation.link, on: .open, status: redirect.status.code, took: start.duration(to: .now))
            return answer
        }
    }

    private func answer(
        _ request: Request, _ context: CallContext, isForScripts: Bool, _ trustedProxies: [AddressRange]
    ) async -> Response {
        guard isTraced else { return await answer(request, context, isForScripts: isForScripts) }
        let isTrusted = context.peer.map { peer in trustedProxies.contains { $0.contains(peer) } } ?? false
        return await RequestTrace.span(request, context, isCallerTrusted: isTrusted) {
            await answer(request, context, isForScripts: isForScripts)
        }
    }

    private func answer(_ request: Request, _ context: CallContext, isForScripts: Bool) async -> Response {
        guard request.hasOneHost else {
            return Answer.refusal(.invalidArgument("A request has exactly one Host header."))
        }
        let rate = request.belongsToClick(at: context.place) ? clickRate : rate
        guard rate.allows(context.network, at: homing.system.now()) else {
            return forPeople(homing.tooManyRequests(request, context), request, context)
        }
        if isForScripts, request.method == .options { return Response(status: .noContent) }
        return forPeople(await settled(request, context, responder: inner, homing: homing), request, context)
    }

    /// The answer, as a page where a person has asked for one and has to come back later: over a limit, or because the
    /// server cannot work.
    private func forPeople(_ response: Response, _ request: Request, _ context: CallContext) -> Response {
        PageAnswer.wait(insteadOf: response) {
            let link = context.place.flatMap { $0.isLink ? $0 : nil }
            let path = request.uri.path
            let isForPeople =
                link != nil || path.hasPrefix("/__/auth/")
                || !OwnPath.answersPrograms(path) && request.asksForPage
            guard isForPeople, request.method != .head else { return nil }
            if let link { return PageFrame(request, of: link.site.project) }
            var frame = Visit(QueryString(readableIn: request.uri.query ?? ""), request: request, homing: homing).frame
            frame.choice = nil
            return frame
        }
    }

    /// Mirrors the origin, as Firebase's hosts do; this listener has no cookies that another origin could use.
    private static func allowOrigin(_ request: Request, _ response: inout Response) {
        response.headers[.vary] = "Origin"
        // A browser's is ASCII (RFC 6454 section 6.2).
        guard let origin = request.headers.first(.origin), origin.utf8.allSatisfy(ASCII.isVisible) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        guard request.method == .options else { return }
        response.headers[.accessControlAllowMethods] = "GET, POST, OPTIONS"
        response.headers[.accessControlMaxAge] = "3600"
        if let wanted = request.headers[.accessControlRequestHeaders] {
            response.headers[.accessControlAllowHeaders] = wanted
        }
        if request.headers[.privateNetworkRequest] == "true" { response.headers[.privateNetwork] = "true" }
    }
}

extension Homing {
    /// The answer to a caller that asks too much, which it counts. It ends the connection, unless that is a proxy's,
    /// which other callers share: what is piled up on it would be refused one by one, each at the price of an answer.
    func tooManyRequests(_ request: Request, _ context: CallContext) -> Response {
        let refusal = Refusal.tooManyRequests(retryAfterSeconds: 1)
        refused(refusal, at: request.uri.path)
        var response = Answer.refusal(refusal)
        if context.client == context.peer { response.headers[.connection] = "close" }
        return response
    }
}

/// Runs a responder and turns its errors into answers: refusals into Firebase's words, faults into a log line.
///
/// - Parameter notFound: the answer when the responder has no such route.
func settled<Context: RequestContext>(
    _ request: Request, _ context: Context, responder: some HTTPResponder<Context>, homing: Homing,
    notFound: @autoclosure () -> Response = Answer.notFound
) async -> Response {
    do {
        let response = try await responder.respond(to: request, context: context)
        // The router's own 404 is bare.
        return response.status == .notFound && response.headers[.contentType] == nil ? notFound() : response
    } catch let refusal as Refusal {
        homing.refused(refusal, at: request.uri.path)
        return Answer.refusal(refusal)
    } catch let error as HTTPError where error.status == .notFound || error.status == .methodNotAllowed {
        return notFound()
    } catch let error as HTTPError where error.status == .contentTooLarge {
        return Answer.refusal(.payloadTooLarge(most: Routes.bodyLimit))
    } catch is HTTPParserError {
        return Answer.refusal(.invalidArgument("The body's framing is malformed."))
    } catch let reason as DatabaseUnavailable {
        // The node's own beat says so in the log, once for all requests.
        return Answer.refusal(.databaseUnavailable(reason))
    } catch is CancellationError {
        return Answer.fault
    } catch {
        // The log has the path without its query, because codes travel in queries.
        context.logger.error(
            "a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
        return Answer.fault
    }
}

extension Request {
    /// RFC 9112 section 3.2: a server answers 400 to a request with no Host or several. ``HeadCheck`` has refused a
    /// second field; this property looks for a list in one field.
    var hasOneHost: Bool {
        guard let authority = head.authority, !authority.isEmpty else { return false }
        return !authority.utf8.contains(UInt8(ascii: ","))
    }

    /// Whether a person's browser asks for something, to show it: not a scanner of mails, as far as it says so, and not a
    /// browser that looks ahead.
    var isByPerson: Bool {
        method == .get && Visitor(userAgent: headers.first(.userAgent)).isPerson
            && headers[.purpose] == nil && headers[.secPurpose] == nil && headers[.xMoz] == nil
    }

    /// Whether a browser asks, for somebody to read.
    var asksForPage: Bool { headers[.accept].map { ASCII.contains($0, "text/html") } ?? false }
}

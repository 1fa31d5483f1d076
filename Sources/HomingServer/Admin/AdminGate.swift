// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
package import HomingCore
import HomingDatabase
import HomingPages
import HomingPasswords
import HomingStore
import HomingTexts
package import Hummingbird
import Logging

/// A request of the admin listener that its gate has admitted, with the caller. Nothing but the gate can make one, so
/// that a handler which takes one is reached through the gate only.
package struct AdminCall<Caller: Sendable>: RequestContext {
    package typealias Source = Never

    package var coreContext: CoreRequestContextStorage
    package let caller: Caller

    fileprivate init(_ call: CallContext, from caller: Caller) {
        coreContext = call.coreContext
        self.caller = caller
    }

    /// Hummingbird's initialiser of contexts, which nobody can call here.
    package init(source: Never) { switch source {} }
}

/// A caller without any credential: for health, and for the pages where a person signs in.
package struct Anybody: Sendable {
    /// The caller in the form that limits in the database count.
    package let address: String
}

/// The operator's own back end, by its credential.
package enum BackEnd: Sendable {
    /// An admin key, or the rights of a service account that has shown an access token.
    case key(AdminKey)
    /// `Authorization: Bearer owner`, as Firebase's Admin SDKs send it to an emulator.
    case owner

    /// Nil for `owner`, who may do everything.
    var key: AdminKey? {
        if case .key(let key) = self { key } else { nil }
    }

    /// The back end as the author of a change.
    var author: Authority { .backEnd(key: key?.id) }
}

/// A person at a browser that has the cookie of a session.
package struct Person: Sendable {
    let session: AdminSession
}

/// An operator at a browser that has the cookie of a session of the console.
package struct ConsolePerson: Sendable {
    package let session: AdminSession
    package let person: Operator
}

/// The gate of the admin listener: every request needs a Host name of this listener and the proof of its caller.
///
/// There is no CORS here, and a request that a browser or a proxy has touched is never `owner` (``OwnerToken``). The
/// pages and paths that are for callers without a proof have the limit of requests that the public listener has for
/// everything.
struct AdminGate: HTTPResponder {
    private let open: KnownMethods<RouterResponder<AdminCall<Anybody>>>
    private let operations: KnownMethods<RouterResponder<AdminCall<BackEnd>>>
    private let pages: RouterResponder<AdminCall<Person>>
    private let console: RouterResponder<AdminCall<ConsolePerson>>
    private let pagesOfConsole: any AdminConsole
    private let homing: Homing
    private let acceptsOwner: Bool
    /// The host that this listener is bound to. It answers to that name, to its address and to `localhost`.
    private let ownName: String
    /// The host at which a proxy on a private network shows the console, if there is one.
    private let consoleName: String?
    private let signIn: AdminSignIn
    private let trustedProxies: Live<[AddressRange]>
    private let rate: RateLimit<IPAddress?>
    private let metrics: Metrics
    private let isTraced: Bool

    init(
        _ routes: AdminRoutes, homing: Homing, acceptsOwner: Bool, ownName: String, signIn: AdminSignIn,
        trustedProxies: Live<[AddressRange]>, metrics: Metrics, isTraced: Bool
    ) {
        open = routes.open.responderKnowingMethods()
        operations = routes.operations.responderKnowingMethods()
        pages = routes.pages.buildResponder()
        console = routes.consolePages.buildResponder()
        pagesOfConsole = routes.console
        self.homing = homing
        self.acceptsOwner = acceptsOwner
        self.ownName = ownName
        consoleName = homing.consoleURL.map { Self.hostName(String($0.split(separator: "/").last ?? "")).lowercased() }
        self.signIn = signIn
        self.trustedProxies = trustedProxies
        rate = RateLimit(perSecond: homing.limits.requestsPerIPSecond)
        self.metrics = metrics
        self.isTraced = isTraced
    }

    func respond(to request: Request, context: CallContext) async throws -> Response {
        let start = ContinuousClock.now
        var context = context
        if let peer = context.peer {
            context.client = ClientAddress.of(
                peer: peer, fields: request.headers, trustedProxies: trustedProxies.value)
        }
        let admission = await Asker.$current.withValue(Asker(context.client, author: "nobody")) { [context] in
            await admit(request, context)
        }
        var response = await Asker.$current.withValue(Asker(context.client, author: admission.author ?? "nobody")) {
            [context] in
            isTraced
                ? await RequestTrace.span(
                    request, context, isCallerTrusted: admission.author != nil, admission.answer)
                : await admission.answer()
        }
        if signIn.cookie.isSecure { response.headers[.strictTransportSecurity] = HTTPFields.tlsOnly }
        metrics.countRequest(
            Operation(route: context.endpointPath), on: .admin, status: response.status.code,
            took: start.duration(to: .now))
        return response
    }

    /// What a caller gets, once it is known who that is.
    private struct Admission {
        /// The caller as the author of what is done, once a key or a session was shown: whoever has shown none writes
        /// into no trace of others.
        var author: String?
        let answer: () async -> Response

        static func refused(_ response: Response) -> Admission { Admission { response } }
    }

    private func admit(_ request: Request, _ context: CallContext) async -> Admission {
        guard request.hasOneHost, let host = request.head.authority, answersTo(host, context) else {
            return .refused(
                Answer.text("This listener does not answer to that Host name.\n", status: .misdirectedRequest))
        }
        if AdminRoutes.isOpen(request.uri.path) {
            guard rate.allows(context.network, at: homing.system.now()) else {
                return .refused(
                    PageAnswer.wait(insteadOf: homing.tooManyRequests(request, context)) {
                        request.method != .head && request.asksForPage ? PageFrame(request, of: nil) : nil
                    })
            }
            return Admission {
                await settled(
                    request, AdminCall(context, from: Anybody(address: context.caller)), responder: open,
                    homing: homing)
            }
        }
        do {
            if Self.isOfConsole(request.uri.path) { return try await admitToConsole(request, context) }
            if let backEnd = try await backEnd(of: request) {
                return Admission(author: backEnd.author.text) {
                    await settled(
                        AdminRoutes.overridden(request), AdminCall(context, from: backEnd), responder: operations,
                        homing: homing)
                }
            }
            if let person = try await person(of: request) {
                // A cookie must not reveal whether such an operation exists.
                return Admission(author: person.session.person?.address ?? AdminPage.mailbox.rawValue) {
                    await settled(
                        request, AdminCall(context, from: person), responder: pages, homing: homing,
                        notFound: refused(request))
                }
            }
        } catch let refusal as Refusal {
            homing.refused(refusal, at: request.uri.path)
            return .refused(Answer.refusal(refusal))
        } catch let reason as DatabaseUnavailable {
            return .refused(Answer.refusal(.databaseUnavailable(reason)))
        } catch {
            context.logger.error("admin keys or sessions could not be read", metadata: ["error": "\(error)"])
            return .refused(Answer.fault)
        }
        if request.headers[.authorization] != nil {
            homing.system.report(SecurityEvent(.adminKeyRefused, subject: request.uri.path))
        }
        return .refused(refused(request))
    }

    private static func isOfConsole(_ path: String) -> Bool {
        path == "/console" || path.hasPrefix("/console/")
    }

    /// A page of the console, or the page where one signs in; whatever a key may do, it is not here.
    private func admitToConsole(_ request: Request, _ context: CallContext) async throws -> Admission {
        guard let session = try await signIn.cookie.session(of: request.headers, homing), let person = session.person
        else {
            guard request.method == .get || request.method == .head else {
                return .refused(AdminSignIn.answer(SessionEndedView(), status: .unauthorized))
            }
            var response = PageAnswer.redirect(to: ConsolePath.signIn, status: .seeOther)
            // What a page loads beside itself is no page that somebody wanted.
            if request.asksForPage,
                let wanted = signIn.cookie.remembering(wanted: request.head.path ?? "")
            {
                response.headers[.setCookie] = wanted
            }
            return .refused(response)
        }
        guard !session.lacksSecondFactor || request.uri.path == ConsolePath.myself else {
            return .refused(PageAnswer.redirect(to: ConsolePath.myself, status: .seeOther))
        }
        let caller = ConsolePerson(session: session, person: person)
        return Admission(author: person.address) {
            await settled(
                request, AdminCall(context, from: caller), responder: console, homing: homing,
                notFound: pagesOfConsole.notFound(for: person))
        }
    }

    private func backEnd(of request: Request) async throws -> BackEnd? {
        guard let token = Self.token(request) else { return nil }
        if OwnerToken.isMeant(by: token) { return acceptsOwner && OwnerToken.traces(in: request) == nil ? .owner : nil }
        if let key = try await homing.adminKeys.find(token) { return .key(key) }
        return try await homing.accounts.serviceAccounts.rights(of: token).map { .key($0) }
    }

    /// The person of a request without a key, by the cookie. A wrong key is refused, whatever comes with it.
    private func person(of request: Request) async throws -> Person? {
        guard request.headers[.authorization] == nil else { return nil }
        guard let session = try await signIn.cookie.session(of: request.headers, homing) else { return nil }
        // Mails have codes: of the operators only owners may read other people's.
        let isAllowed = session.opens(.mailbox) || request.uri.path == AdminSignIn.signOutPath
        return isAllowed ? Person(session: session) : nil
    }

    /// The token behind `Bearer`.
    private static func token(_ request: Request) -> String? {
        guard let words = request.headers[.authorization]?.split(separator: " ", maxSplits: 1), words.count == 2,
            words[0].lowercased() == "bearer"
        else { return nil }
        return String(words[1])
    }

    private func refused(_ request: Request) -> Response {
        if request.method == .get, request.asksForPage {
            return AdminSignIn.answer(LockedView(showsMailbox: signIn.showsMailbox), status: .unauthorized)
        }
        if request.uri.path.hasPrefix("/mailbox") {
            return Answer.text(
                "Open this page with a link that `homing mailbox` prints, or send an admin key.\n",
                status: .unauthorized)
        }
        guard request.headers[.authorization] != nil else { return Answer.refusal(.loginRequired) }
        guard let token = Self.token(request), OwnerToken.isMeant(by: token) else {
            return Answer.refusal(.adminKeyInvalid)
        }
        guard acceptsOwner else {
            return Answer.refusal(
                .ownerRefused(
                    "The token owner is switched off: use a service account's file (docs/admin-sdks.md) or an admin key, "
                        + "or set admin.owner to allow on a listener that is bound to loopback."
                ))
        }
        let traces = OwnerToken.traces(in: request) ?? "another host"
        return Answer.refusal(
            .ownerRefused(
                "The token owner is not taken from a browser or through a proxy, and the request has \(traces): "
                    + "use a service account's file (docs/admin-sdks.md) or an admin key."))
    }

    private func answersTo(_ authority: String, _ context: CallContext) -> Bool {
        let host = Self.hostName(authority).lowercased()
        return ownName == host || consoleName == host
            || context.local.map { "\($0)" == host || "[\($0)]" == host } == true
            || ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }

    /// The host without its port; an IPv6 address keeps its brackets.
    static func hostName(_ authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), authority.last != "]" else { return authority }
        return String(authority[..<colon])
    }
}

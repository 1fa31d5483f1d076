// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCertificates
import HomingCore
import HomingProjects
import HomingStore
import HomingWire
import Hummingbird

/// What the operations and pages of the public listener need besides the request.
struct PublicParts: Sendable {
    let homing: Homing
    let certificates: Certificates
    let actionPage: ActionPage
    let waitPage: WaitPage
    let resetPage: ResetRequestPage
    let returnReport: ReturnReport
    let links: LinkResponder
    let authLinks: AuthLinks
    let mailEvents: MailEventInbox
    /// Of those who make short links.
    let linkRate: RateLimit<IPAddress?>
    let undeclared: UndeclaredMembers?
    /// Of the one operation that gets these.
    var watch: UndeclaredMembers.Watch?

    init(
        _ homing: Homing, _ certificates: Certificates, links: LinkResponder, undeclared: UndeclaredMembers?
    ) {
        self.homing = homing
        self.certificates = certificates
        self.links = links
        self.undeclared = undeclared
        actionPage = ActionPage(homing: homing)
        waitPage = WaitPage(homing: homing, actionPage: actionPage)
        resetPage = ResetRequestPage(homing: homing)
        returnReport = ReturnReport(homing: homing)
        authLinks = AuthLinks(homing: homing, links: links)
        mailEvents = MailEventInbox(homing: homing)
        linkRate = RateLimit(perSecond: homing.limits.linksPerIPSecond)
    }
}

extension Endpoint {
    /// Adds the operation to the public listener, where it belongs there.
    func add(to router: Router<CallContext>, _ parts: PublicParts) {
        if let answer = handler(parts, inVersion3: false) {
            for path in paths {
                router.on(RouterPath(path), method: verb) { try await answer($0, $1) }
            }
        }
        if let path = pathInVersion3, let answer = handler(parts, inVersion3: true) {
            router.on(RouterPath(path), method: verb) { request, call in
                try await Self.withReasonsOfVersion3(request, parts.homing) { try await answer(request, call) }
            }
        }
    }

    private func handler(
        _ parts: PublicParts, inVersion3: Bool
    ) -> (@Sendable (Request, CallContext) async throws -> Response)? {
        let readsBody = request != nil
        let ofLinks: Limit = \.linksPerIPSecond
        let countsLinks = limits.contains { $0 == ofLinks }
        let declared = request ?? query
        let declaresProject = declared["targetProjectId"] != nil
        let declaresTokens = declared["returnSecureToken"] != nil
        let watch = watch(parts.undeclared)
        @Sendable func admit(_ request: Request, _ call: CallContext) async throws -> ProjectContext {
            let homing = parts.homing
            // Before a body is read, so that a stranger's body costs nothing.
            let project = try ProjectContext.project(of: request, homing)
            if countsLinks, !parts.linkRate.allows(call.network, at: homing.system.now()) {
                throw Refusal.tooManyRequests(retryAfterSeconds: 1)
            }
            let fields =
                readsBody
                ? try await Routes.fields(of: request, limit: bodyLimit, watch: watch)
                : Fields(query(of: request), watch: watch)
            let context = try ProjectContext(request, call, of: project, fields: fields, homing: homing)
            if declaresProject { try IdentityToolkit.checkNoProject(fields) }
            if declaresTokens { try IdentityToolkit.checkCommonMembers(fields) }
            return context
        }
        @Sendable func answered(_ answer: JSON) -> Response {
            response(inVersion3 ? Self.withPictureOfVersion3(answer) : answer, parts.undeclared)
        }
        switch run {
        case .app(let operation):
            return { answered(try await operation(try await admit($0, $1))) }
        case .signedIn(let operation):
            return { request, call in
                let context = try await admit(request, call)
                return answered(try await operation(context, try await SignedInContext(context).person))
            }
        case .anybody(let operation), .appResponse(let operation):
            var parts = parts
            parts.watch = watch
            return { [parts] in try await operation($0, $1, parts) }
        case .elsewhere, .project, .backEnd, .response, .stranger, .person, .mailbox: return nil
        }
    }

    /// What it declares of a request's query.
    private func query(of request: Request) -> JSON.Object {
        let parameters = request.uri.queryParameters
        return JSON.Object(
            query.members.compactMap { member in
                parameters.get(member.name).map { (member.name, JSON.string($0)) }
            })
    }

    /// A sign-in's picture has two names; Apple's client reads that of version 3.
    private static func withPictureOfVersion3(_ answer: JSON) -> JSON {
        guard case .object(var members) = answer, let picture = members["profilePicture"] else { return answer }
        members["photoUrl"] = picture
        return .object(members)
    }

    /// Answers a wrong key with version 3's own reason, which Apple's client looks for.
    private static func withReasonsOfVersion3(
        _ request: Request, _ homing: Homing, _ answer: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await answer()
        } catch Refusal.apiKeyInvalid {
            homing.refused(.apiKeyInvalid, at: request.uri.path)
            var error = WireError(.apiKeyInvalid)
            error.reason = "keyInvalid"
            return Answer.refusal(error)
        }
    }
}

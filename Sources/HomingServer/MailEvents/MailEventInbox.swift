// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingWire
import Hummingbird
import Logging

/// `POST /_/mail-events/TOKEN`: what a provider tells of mails that it has taken. The token says whose provider it is,
/// the events key of that one whether the request is the provider's.
struct MailEventInbox: Sendable {
    static let path = "/_/mail-events/{token}"

    let homing: Homing
    private let certificates = SigningCertificates()
    /// Of each token.
    private let rate = RateLimit<String>(perSecond: 100)

    init(homing: Homing) {
        self.homing = homing
    }

    /// The provider that a token names.
    private struct Sender {
        let provider: String
        let events: MailEvents
        let key: String
        /// The project or tenant whose own it is; nil for the server's.
        let owner: Scope?
    }

    /// - Throws: 404 as for any other path, before the body is read, and so is the answer to those that are too many.
    func take(_ request: Request, _ call: CallContext) async throws -> Response {
        guard let token = call.parameters.get("token"), let sender = try sender(token) else {
            throw HTTPError(.notFound)
        }
        guard rate.allows(token, at: homing.system.now()) else {
            return Self.later("too many requests\n", .tooManyRequests, seconds: 1)
        }
        let body = try await Routes.body(of: request, limit: Routes.bodyLimit)
        let reading = await sender.events.read(
            MailEventRequest(headers: Self.fields(of: request), body: body, now: homing.system.now()), key: sender.key,
            certificates: certificates)
        switch reading {
        case .events(let events, let once):
            let outcomes = try await outcomes(of: events, once: once, from: sender)
            for outcome in MailEvent.Outcome.allCases {
                note(outcome, of: sender, by: outcomes.count { $0 == outcome }, call.logger)
            }
            return Answer.text("ok\n")
        case .subscribed:
            note(.subscribed, of: sender, call.logger)
            return Answer.text("ok\n")
        case .refused(let outcome):
            note(outcome, of: sender, call.logger)
            return Self.refusal(outcome, sender.events)
        case .away:
            return Self.later("the proof cannot be checked now\n", .serviceUnavailable, seconds: 30)
        }
    }

    private static func later(_ text: String, _ status: HTTPResponse.Status, seconds: Int) -> Response {
        var response = Answer.text(text, status: status)
        response.headers[.retryAfter] = "\(seconds)"
        return response
    }

    private func outcomes(
        of events: [MailEvent], once: String?, from sender: Sender
    ) async throws -> [MailEvent.Outcome] {
        guard !events.isEmpty else { return [.ignored] }
        let projects = homing.projects
        let owner = sender.owner
        // What another sender has shown is not this one's; no project's id begins with a hyphen.
        let once = once.map { "\(owner.map { "\($0)" } ?? "-") \($0)" }
        let outcomes = try await homing.suppressions.take(events, once: once, in: owner.map(scopes)) { scope in
            let own = projects.projectOrTenant(scope)?.ownTransport
            // One that falls back mails through the server's now and then.
            return owner.map { $0 == own?.owner } ?? (own?.fallsBack ?? true)
        }
        guard let outcomes else { return [.replayed] }
        return outcomes + Array(repeating: .unreadable, count: events.count - outcomes.count)
    }

    /// Whose mails may leave by an owner's own transport: its own, and those of a project's tenants.
    private func scopes(of owner: Scope) -> [Scope] {
        let project = owner.tenant == nil ? homing.projects.project(owner.project) : nil
        return [owner] + (project.map { homing.projects.tenants(of: $0).map(\.scope) } ?? [])
    }

    /// What is genuine and of no use is not asked for again.
    private static func refusal(_ outcome: MailEvent.Outcome, _ events: MailEvents) -> Response {
        guard outcome != .unreadable else { return Answer.text("ok\n") }
        var response = Answer.text(
            "this is not from the provider, or it is too old\n", status: HTTPResponse.Status(code: events.refusal))
        if events.refusal == 401 { response.headers[.wwwAuthenticate] = "Basic realm=\"mail events\"" }
        return response
    }

    private func note(
        _ outcome: MailEvent.Outcome, of sender: Sender, by count: Int = 1, _ logger: Logger
    ) {
        homing.mailEvents.count(outcome, of: sender.provider, by: count)
        guard count > 0, outcome.isSuspicious, homing.mailEvents.maySay(at: homing.system.now()) else { return }
        logger.warning(
            "what was told of emails was not taken; homing_mail_events_total counts more of it",
            metadata: [
                "provider": "\(sender.provider)", "outcome": "\(outcome.rawValue)",
                "owner": "\(sender.owner.map { "\($0)" } ?? "server")",
            ])
    }

    // MARK: Senders

    /// Nil where no provider is known by the token, or nothing could show that a request is the provider's.
    private func sender(_ token: String) throws -> Sender? {
        if homing.isMailEventsToken(token) {
            let mail = homing.serverMail.value
            return mail.url.flatMap { Self.sender($0, key: mail.eventsKey ?? "", owner: nil) }
        }
        guard let transport = homing.projects.mailTransport(withEventsToken: token),
            areEqualInConstantTime(Array(transport.eventsToken.utf8), Array(token.utf8)),
            let sealed = transport.sealedEventsKey
        else { return nil }
        let key = try homing.keys.ring.open(sealed, name: OwnMailTransport.eventsLabel(transport.owner))
        return Self.sender(transport.url, key: String(decoding: key, as: UTF8.self), owner: transport.owner)
    }

    private static func sender(_ url: String, key: String, owner: Scope?) -> Sender? {
        guard !key.isEmpty, let (provider, events) = MailEvents.of(url) else { return nil }
        return Sender(provider: provider, events: events, key: key, owner: owner)
    }

    /// The first value of each field.
    private static func fields(of request: Request) -> [String: String] {
        Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first }
    }
}

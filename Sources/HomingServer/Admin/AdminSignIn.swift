// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
package import HomingCore
import HomingStore
import HomingWire
package import Hummingbird

/// A person's sign-in and sign-out: the page behind a one-time link, where GET shows a button and POST sets the cookie,
/// and signing out.
package struct AdminSignIn: Sendable {
    static let path = "/enter"
    package static let signOutPath = "/sign-out"

    let homing: Homing
    package let cookie: AdminCookie
    /// Whether this server keeps mails and shows them.
    let showsMailbox: Bool

    /// The path and query of a link, from its secret.
    package static func link(_ secret: String) -> String { "\(path)?ticket=\(secret)" }

    func show(_ request: Request) async throws -> Response {
        let ticket = QueryString(parsing: request.uri.query ?? "")?["ticket"] ?? ""
        guard let link = try await homing.adminSessions.look(at: ticket) else { return try await used(request) }
        var other: Operator?
        if let session = try await cookie.session(of: request.headers, homing), session.opens(link.page) {
            // A person who is signed in needs no second session; the link stays good.
            guard link.page == .console, let person = session.person,
                link.person.map({ !ASCII.areEqual($0, person.address) }) == true
            else {
                return PageAnswer.redirect(to: link.page.path)
            }
            other = person
        }
        var response = Self.answer(EnterView(link: ticket, page: link.page, person: link.person, other: other))
        response.headers[.referrerPolicy] = AdminFormContext.signInReferrerPolicy
        return response
    }

    func enter(_ request: Request, caller: String) async throws -> Response {
        guard AdminFormContext.beginsOnOwnPage(request) else { return Self.foreignForm(request, homing) }
        let form = try await Routes.formFields(of: request)
        let link = form["ticket"] ?? ""
        let person = try await homing.adminSessions.look(at: link)?.person
        let browser = cookie.browser(of: request.headers)
        guard let entry = try await homing.adminSessions.redeem(link, browser: browser, from: caller) else {
            homing.system.report(SecurityEvent(.operatorLinkRefused, subject: person))
            guard try await homing.adminSessions.page(ofLink: link) == nil else {
                return Self.answer(OtherBrowserView(), status: .forbidden)
            }
            return try await used(request)
        }
        if !entry.awaitsCode { try await begun(person, instead: request) }
        return cookie.answer(entry, to: request)
    }

    /// Tells of a new session. The one that the browser had is ended, since nobody could sign out of it any more.
    ///
    /// - Parameter person: nil for a link to the mailbox.
    package func begun(_ person: String?, instead request: Request) async throws {
        if let person { homing.system.report(SecurityEvent(.operatorSignedIn, subject: person, by: person)) }
        if let old = try await cookie.session(of: request.headers, homing) { try await homing.adminSessions.end(old) }
    }

    func signOut(_ context: AdminFormContext) async throws -> Response {
        try await homing.adminSessions.end(context.person.session)
        var response = Self.answer(SignedOutView(isOfConsole: context.person.session.person != nil))
        response.headers[.setCookie] = cookie.deletion
        return response
    }

    /// The answer to a form of another site, of another session, or from too long ago; nothing has changed.
    package static func foreignForm(_ request: Request, _ homing: Homing) -> Response {
        homing.system.report(SecurityEvent(.formRefused, subject: request.uri.path))
        return answer(ForeignFormView(), status: .forbidden)
    }

    private func used(_ request: Request) async throws -> Response {
        let session = try await cookie.session(of: request.headers, homing)
        return Self.answer(UsedLinkView(showsMailbox: showsMailbox, session: session), status: .forbidden)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingWire
import Hummingbird

/// A person's sign-in and sign-out: the page behind a one-time link, where GET shows a button and POST sets the cookie,
/// and signing out.
struct AdminSignIn: Sendable {
    static let path = "/enter"
    static let signOutPath = "/sign-out"

    let homing: Homing
    let cookie: AdminCookie
    /// Whether this server keeps mails and shows them.
    let showsMailbox: Bool

    /// The path and query of a link, from its secret.
    static func link(_ secret: String) -> String { "\(path)?ticket=\(secret)" }

    func show(_ request: Request) async throws -> Response {
        let link = QueryString(parsing: request.uri.query ?? "")?["ticket"] ?? ""
        guard let page = try await homing.adminSessions.page(ofLink: link) else { return try await used(request) }
        // A person who is signed in needs no second session; the link stays good.
        if try await cookie.session(of: request.headers, homing)?.opens(page) == true {
            return PageAnswer.redirect(to: page.path)
        }
        var response = Self.answer(EnterView(link: link, page: page))
        response.headers[.referrerPolicy] = AdminFormContext.signInReferrerPolicy
        return response
    }

    func enter(_ request: Request) async throws -> Response {
        guard AdminFormContext.beginsOnOwnPage(request) else { return Self.foreignForm }
        let form = try await Routes.formFields(of: request)
        let link = form["ticket"] ?? ""
        let browser = cookie.browser(of: request.headers)
        guard let (session, page) = try await homing.adminSessions.redeem(link, browser: browser) else {
            guard try await homing.adminSessions.page(ofLink: link) == nil else {
                return Self.answer(OtherBrowserView(), status: .forbidden)
            }
            return try await used(request)
        }
        var response = PageAnswer.redirect(to: page.path, status: .seeOther)
        response.headers[.setCookie] = cookie.setting(session)
        return response
    }

    func signOut(_ context: AdminFormContext) async throws -> Response {
        try await homing.adminSessions.end(context.person.session)
        var response = Self.answer(SignedOutView(isOfConsole: context.person.session.person != nil))
        response.headers[.setCookie] = cookie.deletion
        return response
    }

    /// The answer to a form of another site, of another session, or from too long ago; nothing has changed.
    static var foreignForm: Response { answer(ForeignFormView(), status: .forbidden) }

    private func used(_ request: Request) async throws -> Response {
        let session = try await cookie.session(of: request.headers, homing)
        return Self.answer(UsedLinkView(showsMailbox: showsMailbox, session: session), status: .forbidden)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire
import Hummingbird

/// The page behind a one-time link: GET shows a button, POST takes the ticket and sets the cookie.
struct AdminDoor: Sendable {
    let doors: AdminDoors

    func show(_ request: Request) -> Response {
        let ticket = QueryString(parsing: request.uri.query ?? "")?["ticket"] ?? ""
        guard doors.isGood(ticket) else { return used(request) }
        // Whoever is in needs no door; the link stays good.
        if doors.isOpen(cookies: request.headers[values: .cookie]) { return PageAnswer.redirect(to: "/mailbox") }
        return PageAnswer.html(DoorView(ticket: ticket).page, policy: Layout.contentSecurityPolicy)
    }

    func enter(_ request: Request, form: QueryString) -> Response {
        guard let cookie = doors.redeem(form["ticket"] ?? "") else { return used(request) }
        var response = PageAnswer.redirect(to: "/mailbox", status: .seeOther)
        response.headers[.setCookie] = cookie
        return response
    }

    private func used(_ request: Request) -> Response {
        let isIn = doors.isOpen(cookies: request.headers[values: .cookie])
        return PageAnswer.html(
            UsedDoorView(isIn: isIn).page, status: .forbidden, policy: Layout.contentSecurityPolicy)
    }
}

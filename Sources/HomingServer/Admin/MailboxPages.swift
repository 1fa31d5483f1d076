// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HTTPTypes
import HomingCore
import HomingWire
import Hummingbird

/// `/mailbox` on the admin listener, with `mailbox:` as the relay: every mail that would have left.
struct MailboxPages: Sendable {
    let homing: Homing
    let doors: AdminDoors

    /// The door: GET shows a button, POST takes the ticket and sets the cookie.
    func door(_ request: Request) -> Response {
        let ticket = QueryString(parsing: request.uri.query ?? "")?["ticket"] ?? ""
        return PageAnswer.html(
            DoorView(ticket: ticket, path: AdminDoors.path).page, policy: Layout.contentSecurityPolicy)
    }

    func enter(form: QueryString) -> Response {
        guard let cookie = doors.redeem(form["ticket"] ?? "") else {
            return Answer.text(
                "This link was used already. `homing serve` prints a new one when it starts.\n", status: .forbidden)
        }
        var response = PageAnswer.redirect(to: "/mailbox", status: .seeOther)
        response.headers[.setCookie] = cookie
        return response
    }

    func page() async throws -> Response {
        let messages = try await homing.mailbox.messages().map { message in
            MailboxMessage(
                id: message.id, to: message.recipient, subject: message.subject, kind: message.kind,
                language: message.language, date: Self.date(message.createdAt), text: message.plain,
                html: message.html, links: Self.links(in: message.plain), note: message.note)
        }
        return PageAnswer.html(MailboxView(messages: messages).page, policy: Layout.contentSecurityPolicy)
    }

    func json() async throws -> Response {
        let messages = try await homing.mailbox.messages().map { message -> JSON in
            .object([
                ("id", .string(message.id)), ("project", .string(message.project)), ("to", .string(message.recipient)),
                ("subject", .string(message.subject)), ("kind", .string(message.kind)),
                ("language", .string(message.language)), ("date", .string(Self.date(message.createdAt))),
                ("text", .string(message.plain)), ("html", .string(message.html)),
                ("links", .array(Self.links(in: message.plain).map { .string($0) })),
                ("note", message.note.map { .string($0) }),
            ])
        }
        return Answer.json(.object([("messages", .array(messages))]))
    }

    /// A letter's HTML part alone, where nothing can run or be loaded.
    func letter(_ name: String) async throws -> Response {
        guard name.hasSuffix(".html"), let message = try await homing.mailbox.message(String(name.dropLast(5))) else {
            return Answer.notFound
        }
        return PageAnswer.html(
            HTML(trusted: message.html), policy: MailboxView.letterContentSecurityPolicy)
    }

    private static func links(in text: String) -> [String] {
        text.split { $0 == "\n" || $0 == "\r\n" || $0 == " " }.map(String.init)
            .filter { $0.hasPrefixFoldingASCII("http://") || $0.hasPrefixFoldingASCII("https://") }
    }

    private static func date(_ moment: Moment) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000).formatted(.iso8601)
    }
}

/// One button, so that a preview of the link does not use it up.
private struct DoorView: PageView {
    let ticket: String
    let path: String

    var page: HTML { page(in: PageFrame(appName: "Homing", language: .english)) }

    func title(in frame: PageFrame) -> String { "Open the mailbox" }

    func body(in frame: PageFrame) -> HTML {
        """
        <h1>Open the mailbox</h1>
        <p>The mails of this server are shown in this browser for twelve hours. The link works once.</p>
        \(PageForm(action: path, fields: [.init("ticket", ticket)]).html(button: "Open", busy: "Opening"))
        """
    }
}

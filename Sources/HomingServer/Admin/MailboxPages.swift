// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HTTPTypes
import HomingCore
import HomingPages
package import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
package import Hummingbird

/// `/mailbox` on the admin listener, with `mailbox:` as the relay: every mail that would have been sent.
package enum MailboxPages {
    static func page(_ context: AdminPageContext) async throws -> Response {
        let messages = try await context.homing.mailbox.messages().map { message in
            MailboxMessage(
                id: message.id, to: message.recipient, subject: message.subject, kind: message.kind,
                language: message.language, date: date(message.createdAt), text: message.plain,
                html: message.html, links: links(in: message.plain), note: message.note)
        }
        return PageAnswer.html(
            MailboxView(messages: messages, signOut: context.form(to: AdminSignIn.signOutPath)).page,
            policy: MailboxView.contentSecurityPolicy)
    }

    /// The id of the newest mail, for a page that waits for the next one.
    static func newest(_ context: AdminPageContext) async throws -> Response {
        Answer.text(try await context.homing.mailbox.messages(limit: 1).first?.id ?? "")
    }

    static func json(_ context: AdminPageContext) async throws -> Response {
        let messages = try await context.homing.mailbox.messages().map { message -> JSON in
            .object([
                ("id", .string(message.id)), ("project", .string(message.project.text)),
                ("to", .string(message.recipient)),
                ("subject", .string(message.subject)), ("kind", .string(message.kind)),
                ("language", .string(message.language)), ("date", .string(date(message.createdAt))),
                ("text", .string(message.plain)), ("html", .string(message.html)),
                ("links", .array(links(in: message.plain).map { .string($0) })),
                ("note", message.note.map { .string($0) }),
            ])
        }
        return Answer.json(.object([("messages", .array(messages))]))
    }

    /// A message's HTML part alone, where nothing can run or be loaded.
    static func letter(_ name: String, _ context: AdminPageContext) async throws -> Response {
        guard name.hasSuffix(".html"), let message = try await context.homing.mailbox.message(String(name.dropLast(5)))
        else {
            return Answer.notFound
        }
        return letterAnswer(message.html, of: context.homing.projects.projectOrTenant(message.project))
    }

    /// A mail's HTML part, with the logo that the mail carries.
    package static func letterAnswer(_ html: String, of project: Project?) -> Response {
        let logo = project?.brand.logo.map(\.dataURL) ?? ""
        var response = PageAnswer.html(
            MailboxView.letterPage(html.replacing("src=\"\(LetterMarkup.logoURL)\"", with: "src=\"\(logo)\"")),
            policy: MailboxView.letterContentSecurityPolicy)
        response.headers[.frameOptions] = "SAMEORIGIN"
        return response
    }

    private static func links(in text: String) -> [String] {
        text.split { $0 == "\n" || $0 == "\r\n" || $0 == " " }.map(String.init)
            .filter { $0.hasPrefixFoldingASCII("http://") || $0.hasPrefixFoldingASCII("https://") }
    }

    private static func date(_ moment: Moment) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000).formatted(.iso8601)
    }
}

extension Logo {
    /// The picture itself as a URL, for a page that is not served beside it.
    var dataURL: String { "data:\(format.rawValue);base64,\(Data(bytes).base64EncodedString())" }
}

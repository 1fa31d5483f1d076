// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingWire
import HummingbirdCore

/// What back ends ask of the server itself, and what answers on the admin listener without a key.
extension Endpoint {
    static let ofServer: [Endpoint] =
        [
            Endpoint(
                "mailBounces", .post, ["/mail/bounces"], "Takes the report of a relay that an email came back.",
                request: [
                    .text("envelopeFrom", "The envelope sender of the email that came back."),
                    .text("token", "The part of it that names the email, in its place."),
                    .text("status", "An enhanced status code (RFC 3463), such as 5.1.1."),
                    .text("diagnostic", "The other server's words."),
                ],
                reply: .json([
                    .text("verdict", "What became of it."), .anything("mail", "The id of the email, or null."),
                ]), .backEnd { context, _, _ in try await MailBounces.take(context) }),
            Endpoint(
                "mailbox", .get, ["/mailbox/messages"], "Tells the emails of a server that keeps them.",
                reply: .json([
                    .objects(
                        "messages",
                        [
                            .text("id", "The email's id."), .text("project", "The project."),
                            .text("to", "The address."),
                            .text("subject", "The subject."), .text("kind", "What the email is for."),
                            .text("language", "Its language."), .text("date", "When it was made."),
                            .text("text", "Its text."), .text("html", "Its HTML."), .texts("links", "The links in it."),
                            .text("note", "What a newcomer should know of it."),
                        ], "The newest first.")
                ]), .mailbox { context, _ in try await MailboxPages.json(context) }),
            Endpoint(
                "keys", .get, [], inVersion3: GoogleMethod.getPublicKeys.inVersion3,
                "Tells the certificates that verify session cookies, by their ids.", methods: [.getPublicKeys],
                reply: .json(.open), .response { _, _, parts in try TokenKeys.sessionCookieCertificates(parts.homing) }),
            Endpoint(
                "openAPI", .get, [OpenAPI.path], "This document.", reply: .json(.open),
                .response { _, _, parts in
                    Answer.json(
                        OpenAPI.document(of: all, publicURL: parts.homing.publicURL, version: parts.metrics.version))
                }),
            Endpoint(
                "metrics", .get, ["/metrics"], "Tells what the server counts (Prometheus' text format).", reply: .text,
                .response { _, call, parts in
                    let context = AdminContext(call, homing: parts.homing)
                    var response = Answer.text(try await parts.metrics.page(context))
                    response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
                    return response
                }),
            Endpoint(
                "token", .post, AccessTokenGrant.paths,
                "Answers an access token for what a service account has signed (RFC 7523).",
                request: [
                    .text("grant_type", "`\(AccessTokenGrant.grantType)`."), .text("assertion", "What was signed."),
                ], form: .only,
                reply: .json([
                    .text("access_token", "The token."), .integer("expires_in", "Seconds that it lasts."),
                    .text("token_type", "`Bearer`."),
                ]), .stranger { request, _, parts in try await AccessTokenGrant.answer(request, parts.homing) }),
            Endpoint(
                "health", .get, ["/healthz"], "Says that the server runs.", reply: .text,
                .stranger { _, _, _ in
                    Answer.text("ok\n")
                }),
        ]

    // MARK: Pages

    /// Pages and files for people on the admin listener, but those of the console.
    static let adminPages: [Endpoint] = [
        Endpoint(
            undescribed: "mailbox", .get, ["/mailbox"], .mailbox { context, _ in try await MailboxPages.page(context) }),
        Endpoint(
            undescribed: "mailbox", .get, ["/mailbox/newest"],
            .mailbox { context, _ in
                try await MailboxPages.newest(context)
            }),
        Endpoint(
            undescribed: "mailbox", .get, ["/mailbox/messages/{name}"],
            .mailbox { context, name in
                try await MailboxPages.letter(name ?? "", context)
            }),
        Endpoint(undescribed: "console", .get, [ConsolePath.signIn], .stranger { try await $2.consoleSignIn.show($0) }),
        Endpoint(
            undescribed: "console", .post, [ConsolePath.signIn],
            .stranger { request, call, parts in
                try await parts.consoleSignIn.act(request, caller: call.caller.address)
            }),
        Endpoint(
            undescribed: "console", .get, [ConsolePath.code],
            .stranger { try await $2.consoleSignIn.askForCode($0) }),
        Endpoint(
            undescribed: "console", .post, [ConsolePath.code],
            .stranger { try await $2.consoleSignIn.takeCode($0) }),
        Endpoint(
            undescribed: "favicon", .get, [Favicon.path], .stranger { _, _, _ in Favicon.answer(isCacheable: false) }),
        Endpoint(undescribed: "adminSignIn", .get, [AdminSignIn.path], .stranger { try await $2.signIn.show($0) }),
        Endpoint(
            undescribed: "adminSignIn", .post, [AdminSignIn.path],
            .stranger { request, call, parts in
                try await parts.signIn.enter(request, caller: call.caller.address)
            }),
        // A person changes anything through an AdminFormContext only.
        Endpoint(
            undescribed: "adminSignIn", .post, [AdminSignIn.signOutPath],
            .person { request, call, parts in
                guard let context = try await AdminFormContext(request, call, homing: parts.homing) else {
                    return AdminSignIn.foreignForm(request, parts.homing)
                }
                return try await parts.signIn.signOut(context)
            }),
    ]
}

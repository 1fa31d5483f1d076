// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import HomingWire
import Testing

@Suite struct `The document of a project's settings` {
    private static let page = "notification.sendEmail.resetPasswordTemplate"
    private static let html = #"<p><a href=\"%LINK%\">Here</a></p>"#

    private func takingOver(_ text: String, into project: Project) throws -> ProjectConfigChanges {
        let document = try #require(try JSON.parse(Array(text.utf8)).objectValue)
        return ProjectConfigDocument.takingOver(document, into: project)
    }

    private func template(_ members: String) -> String {
        #"{"notification": {"sendEmail": {"resetPasswordTemplate": {\#(members)}}}}"#
    }

    private let project = Project(
        scope: "shop", number: "1", name: "Shop",
        authorizedDomains: [try? AuthorizedDomain(parsing: "shop.example")]
            .compactMap(\.self))

    // MARK: Another service's

    @Test func `one bad part of another's document keeps no other one out`() throws {
        let changes = try takingOver(
            """
            {"signIn": {"email": {"enabled": "perhaps", "passwordRequired": true}, "anonymous": {"enabled": false}},
             "authorizedDomains": ["capacitor://localhost", "b\u{FC}cher.example", "shop.example", "www.shop.example"],
             "quota": {"signUpQuotaConfig": {"quota": "9", "quotaDuration": "60s"}},
             "passwordPolicyConfig": {"passwordPolicyVersions": [{"customStrengthOptions":
                {"minPasswordLength": 30, "maxPasswordLength": 8, "containsNumericCharacter": true}}]},
             "notification": {"defaultLocale": "es", "sendEmail": {
                "resetPasswordTemplate": {"subject": "Otra vez", "replyTo": "noreply"},
                "verifyEmailTemplate": {"subject": "Hola", "body": "no link"}, "changeEmailTemplate": []}}}
            """, into: project)
        #expect(
            changes.settings.map(\.name) == [
                "notification.defaultLocale", "signIn.email.passwordRequired", "signIn.anonymous.enabled",
                "passwordPolicyConfig.containsNumericCharacter",
            ])
        #expect(
            changes.authorizedDomains?.map(\.text) == ["shop.example", "xn--bcher-kva.example", "www.shop.example"],
            "they join those that are there")
        #expect(changes.templates.map(\.kind) == [.passwordReset, .verifyEmail])
        #expect(changes.templates.allSatisfy { $0.language == "es" })
        #expect(
            changes.leftOut.map(\.part) == [
                "signIn.email.enabled", "quota.signUpQuotaConfig", "passwordPolicyConfig", "authorizedDomains",
                "\(Self.page).replyTo", "notification.sendEmail.verifyEmailTemplate.body",
                "notification.sendEmail.changeEmailTemplate",
            ])
        #expect(changes.leftOut.allSatisfy { !$0.reason.isEmpty && !$0.isFirebasesOwn })
    }

    @Test(arguments: [
        (#""subject": "One", "replyTo": "noreply""#, ["subject"], "replyTo"),
        (#""senderDisplayName": "The Shop", "replyTo": "noreply""#, ["senderName"], "replyTo"),
        (#""replyTo": "help@shop.example", "subject": "%LNIK%""#, ["replyTo"], "subject"),
        (
            #""subject": "One", "body": "<p><a href=\"%LINK%\">a</a><img src=\"https://a.example/x.gif\"></p>""#,
            ["subject"], "body"
        ),
        (#""subject": "One", "body": "<marquee>%LINK%""#, ["subject"], "body"),
        (#""subject": "One", "body": "no link", "bodyFormat": "PLAIN_TEXT""#, ["subject"], "body"),
    ])
    func `of a template what can come does`(members: String, fields: [String], leftOut: String) throws {
        let changes = try takingOver(template(members), into: project)
        let template = try #require(changes.templates.first?.template)
        #expect(MailTemplate.Field.allCases.filter { template[$0] != nil }.map(\.rawValue) == fields)
        #expect(changes.leftOut.map(\.part) == ["\(Self.page).\(leftOut)"])
    }

    @Test func `a template of which nothing can come changes nothing`() throws {
        for members in [#""replyTo": "noreply""#, #""body": "no link""#, #""subject": 7"#] {
            let changes = try takingOver(template(members), into: project)
            #expect(changes.templates.isEmpty && changes.leftOut.count == 1)
        }
        let whole = try takingOver(#"{"notification": [], "authorizedDomains": "x", "signIn": []}"#, into: project)
        #expect(whole.settings.isEmpty && whole.authorizedDomains == nil && whole.templates.isEmpty)
        #expect(whole.leftOut.count == 3, "a member of another type is one part")
    }

    // MARK: A back end's change

    @Test func `what only qualifies a template never stops it, and the answer says so`() async throws {
        try await withHoming { homing in
            let (_, secret) = try await homing.adminKeys.create(name: "ci")
            try await withServer(homing) { server in
                func patch(_ members: String, mask: String = "") async throws -> RESTAnswer {
                    try await server.admin.send(
                        "PATCH", "/v2/projects/shop/config\(mask)",
                        headers: [("Authorization", "Bearer \(secret)"), ("Content-Type", "application/json")],
                        body: Array(template(members).utf8))
                }
                for _ in 1...2 {
                    let answer = try await patch(
                        #""subject": "Two", "body": "\#(Self.html)", "replyTo": "noreply", "senderLocalPart": "a b""#)
                    #expect(answer.status == 200)
                    let warnings = answer["warnings"]?.arrayValue?.compactMap(\.stringValue) ?? []
                    #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("INVALID_ADDRESS") })
                    let kept = try homing.shop.templates.newest(.passwordReset, "en")?.template
                    #expect(kept?[.subject] == "Two" && kept?[.html] != nil && kept?[.replyTo] == nil)
                }
                let good = try await patch(#""replyTo": "help@shop.example""#)
                #expect(good.status == 200 && good["warnings"] == nil)
                #expect(try await patch(#""subject": "Three", "replyTo": "noreply""#).status == 200)
                let kept = try homing.shop.templates.newest(.passwordReset, "en")?.template
                #expect(kept?[.subject] == "Three" && kept?[.replyTo] == "help@shop.example", "it stays as it was")
            }
        }
    }

    @Test func `what a back end asks for by itself, and cannot have, is refused`() async throws {
        try await withHoming { homing in
            let (_, secret) = try await homing.adminKeys.create(name: "ci")
            try await withServer(homing) { server in
                let member = "?updateMask=\(Self.page)"
                for (members, mask) in [
                    (#""replyTo": "noreply""#, ""), (#""replyTo": "noreply""#, member),
                    (#""subject": "One", "replyTo": "noreply""#, "\(member).subject,\(Self.page).replyTo"),
                    (#""subject": "One", "body": "no link""#, ""), (#""subject": "%LNIK%""#, member),
                ] {
                    let answer = try await server.admin.send(
                        "PATCH", "/v2/projects/shop/config\(mask)",
                        headers: [("Authorization", "Bearer \(secret)"), ("Content-Type", "application/json")],
                        body: Array(template(members).utf8))
                    #expect(answer.status == 400 && answer.errorMessage?.hasPrefix("INVALID_TEMPLATE") == true)
                }
                #expect(try homing.shop.templates.all.isEmpty)
            }
        }
    }
}

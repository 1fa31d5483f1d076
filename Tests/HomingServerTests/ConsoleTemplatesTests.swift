// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import HomingTexts
import Testing

@Suite struct ConsoleTemplatesTests {
    private let path = "/console/projects/shop/templates/PASSWORD_RESET/de"

    private func cookie(_ role: Operator.Role, _ homing: TestHoming, _ server: LiveServer) async throws -> [(
        String, String
    )] {
        let address = "\(role.rawValue)@example.com"
        _ = try await homing.operators.add(address, role: role, projects: nil)
        let link = try await homing.operators.newLink(for: address)
        let entered = try await server.admin.post("/enter", form: [("ticket", link)])
        return [("Cookie", String(try #require(entered.header("Set-Cookie")).prefix { $0 != ";" }))]
    }

    private func token(_ path: String, _ cookie: [(String, String)], _ server: LiveServer) async throws -> String {
        let page = try await server.admin.get(path, headers: cookie)
        return try #require(page.form?.fields.first { $0.0 == "token" }?.1)
    }

    /// Sends the form of the template's page.
    private func post(
        _ fields: [(String, String)], _ cookie: [(String, String)], _ server: LiveServer
    ) async throws -> RESTAnswer {
        let token = try await token(path, cookie, server)
        return try await server.admin.post(path, form: [("token", token)] + fields, headers: cookie)
    }

    @Test func `a template is written, previewed, mailed and taken back in the console`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let list = "/console/projects/shop/templates"
                let open = try await server.admin.get("\(list)?kind=PASSWORD_RESET&language=DE", headers: editor)
                #expect(open.status == 303 && open.header("Location") == path)
                let values = [("subject", "Neu für %APP_NAME%"), ("text", "Hier:\r\n%LINK%\r\n"), ("base", "0")]
                let saved = try await post(values, editor, server)
                #expect(saved.status == 303 && saved.header("Location") == "\(path)?saved=1")
                let version = try #require(try homing.shop.templates.newest(.passwordReset, "de"))
                #expect(version.author == "editor@example.com" && version.template?[.text] == "Hier:\n%LINK%\n")
                #expect(try await server.admin.get(list, headers: editor).text.contains("Neu für %APP_NAME%"))
                for mode in ["phone", "desktop", "dark", "text"] {
                    let letter = try await server.admin.get("\(path)/preview?mode=\(mode)", headers: editor)
                    #expect(letter.text.contains("Neu für Shop") && !letter.text.contains("%APP_NAME%"))
                    #expect(letter.text.contains("@media all") == (mode == "dark"))
                    #expect(letter.text.contains("<pre") == (mode == "text"))
                    #expect(letter.header("Content-Security-Policy")?.contains("sandbox") == true)
                    #expect(letter.header("X-Frame-Options") == "SAMEORIGIN")
                }
                #expect(
                    try await post([("way", "test"), ("address", "ada@shop.example")], editor, server).status == 303)
                #expect(try await homing.outbox.list(project: "shop").map(\.recipient) == ["ada@shop.example"])
                let noted = try await homing.audit.list(project: "shop").first { $0.action == "template.test" }
                #expect(noted?.subject == "ada@shop.example" && noted?.after == "PASSWORD_RESET de")
                #expect(noted?.author == "editor@example.com")
                #expect(try await post([("way", "reset"), ("base", "1")], editor, server).status == 303)
                #expect(try homing.shop.templates.inForce.isEmpty)
                let back = [("way", "restore"), ("version", "1"), ("base", "2")]
                #expect(try await post(back, editor, server).status == 303)
                #expect(try homing.shop.templates.newest(.passwordReset, "de")?.number == 3)
            }
        }
    }

    @Test func `a template that lacks the code or the number is taken, and its page says so`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                #expect(
                    try await post([("text", "Hier:\n%LINK%"), ("subject", "x"), ("base", "0")], editor, server)
                        .status == 303)
                let page = try await server.admin.get(path, headers: editor).text
                #expect(page.contains("ext without %CODE%:") && !page.contains("without %NUMBER%"))
                try await homing.projects.set("shop", "actionCodes.press.PASSWORD_RESET", to: "number")
                let asking = try await server.admin.get(path, headers: editor).text
                #expect(asking.contains("ext without %NUMBER%:"))
                let letter = try await server.admin.get("\(path)/preview?mode=light", headers: editor).text
                #expect(letter.contains(": 42</p>"))
            }
        }
    }

    @Test func `the page lists who saved the newest fifty versions and when, and none of what they say`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                for number in 1...52 {
                    var template = MailTemplate()
                    template[.subject] = "Subject \(number)."
                    template[.text] = "%LINK%"
                    try await homing.projects.save(
                        [TemplateChange(.passwordReset, "de", to: number == 51 ? nil : template)], of: "shop")
                }
                let page = try await server.admin.get(path, headers: editor).text
                #expect(page.contains("Version 51 <span class=\"tag plain\">the standard</span>"))
                #expect(page.contains("\(path)/versions/3\"") && !page.contains("\(path)/versions/2\""))
                #expect(page.contains("Subject 52.") && !page.contains("Subject 50."))
                let back = [("way", "restore"), ("version", "1"), ("base", "52")]
                #expect(try await post(back, editor, server).status == 303)
                #expect(try homing.shop.templates.newest(.passwordReset, "de")?.template?[.subject] == "Subject 1.")
            }
        }
    }

    @Test func `test mails of a template count as the other test mails of a person do`() async throws {
        try await withHoming(limits: Limits(mailPerIPHour: 2)) { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let test = [("way", "test"), ("address", "ada@shop.example")]
                #expect(try await post(test, editor, server).status == 303)
                try await homing.actionCodes.allowMail(from: "console editor@example.com", in: try homing.shop)
                let refused = try await post(test, editor, server)
                #expect(refused.status == 400 && refused.text.contains("id=\"f-test-address-fault\""))
                #expect(try await homing.outbox.list(project: "shop").count == 1)
                let entries = try await homing.audit.list(project: "shop")
                #expect(entries.count { $0.action == "template.test" } == 1)
            }
        }
    }

    @Test func `Enter in a line of a template's form saves it`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let page = try await server.admin.get(path, headers: editor).text
                let form = try #require(
                    page.split(separator: "<form method=\"post\"").first { $0.contains("f-subject") })
                let button = try #require(form.split(separator: "<button").dropFirst().first)
                #expect(button.hasPrefix(" type=\"submit\">Save</button>"), "\(button)")
            }
        }
    }

    @Test func `a refused template stays in the form, with the fault beside its field`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let values = [("subject", "a\"><script>"), ("text", "ohne %LNIK%"), ("html", "<form></form>")]
                let page = try await post(values, editor, server)
                #expect(page.status == 400)
                #expect(page.text.contains("value=\"a&quot;&gt;&lt;script&gt;\"") && !page.text.contains("<script>a"))
                #expect(page.text.contains("ohne %LNIK%</textarea>") && page.text.contains("There is no %LNIK% here"))
                #expect(page.text.contains("id=\"f-html-fault\"") && page.text.contains("asks for input"))
                #expect(try homing.shop.templates.all.isEmpty)
            }
        }
    }

    @Test func `the second of two people is shown what differs, and both texts`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                var theirs = MailTemplate()
                theirs[.subject] = "Theirs"
                theirs[.text] = "%LINK%"
                let change = try TemplateChange(.passwordReset, "de", to: theirs)
                try await homing.projects.save([change], of: "shop", by: .person("bob@example.com"))
                let page = try await post([("subject", "Mine"), ("text", "%LINK%"), ("base", "0")], editor, server)
                #expect(page.status == 409 && page.text.contains("bob@example.com"))
                #expect(page.text.contains("<del>− Theirs\n</del><ins>+ Mine\n</ins>"))
                #expect(page.text.contains("value=\"Mine\"") && page.text.contains("name=\"base\" value=\"1\""))
                #expect(try homing.shop.templates.newest(.passwordReset, "de")?.template == theirs)
            }
        }
    }

    @Test(arguments: [
        "TEST/de", "OPERATOR_SIGNIN/en", "NOTHING/de", "PASSWORD_RESET/d", "PASSWORD_RESET/..%2f..", "passwordReset/de",
    ])
    func `what is no template has no page`(name: String) async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                let page = try await server.admin.get("/console/projects/shop/templates/\(name)", headers: viewer)
                #expect(page.status == 404)
            }
        }
    }

    @Test func `a viewer sees who wrote a template as little as any other address`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                var template = MailTemplate()
                template[.subject] = "Neu"
                template[.text] = "%LINK%"
                let change = try TemplateChange(.passwordReset, "de", to: template)
                try await homing.projects.save([change], of: "shop", by: .person("bob@example.com"))
                for path in [path, "/console/projects/shop/templates"] {
                    let page = try await server.admin.get(path, headers: viewer).text
                    #expect(page.contains("b•••@example.com") && !page.contains("bob@example.com"), "\(path)")
                }
            }
        }
    }

    @Test func `a viewer reads templates and brands, and changes neither`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let viewer = try await cookie(.viewer, homing, server)
                for path in [path, "/console/projects/shop/brand"] {
                    let page = try await server.admin.get(path, headers: viewer)
                    #expect(page.status == 200 && !page.text.contains("<form method=\"post\""), "\(path)")
                }
            }
        }
    }

    @Test func `a brand is not written over unseen, and what was typed stays`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let path = "/console/projects/shop/brand"
                let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>".utf8)
                try await homing.projects.setBrand(BrandChange(logo: svg, color: "#111111"), of: "shop")
                let seen = [
                    ("was:logo", try #require(try homing.shop.brand.logo?.digest)), ("was:color", "#111111"),
                    ("was:support", ""), ("was:postal", ""),
                ]
                func send(_ fields: [(String, String)]) async throws -> RESTAnswer {
                    let token = try await token(path, editor, server)
                    return try await server.admin.post(
                        path, form: [("token", token)] + seen + fields, headers: editor)
                }
                let shown = try await server.admin.get(path, headers: editor).text
                for (name, value) in seen { #expect(shown.contains("name=\"\(name)\" value=\"\(value)\"")) }
                try await homing.projects.setBrand(BrandChange(color: "#222222"), of: "shop")
                let unchanged = [("color", "#111111"), ("support", "help@shop.example"), ("postal", "")]
                #expect(try await send(unchanged).status == 303)
                #expect(try homing.shop.brand.color?.text == "#222222", "what one person left alone stays as it is")
                let mine = [("color", "#333333"), ("support", ""), ("postal", "Mine")]
                let page = try await send(mine)
                #expect(page.status == 409 && page.text.contains("Somebody else has changed the brand"))
                #expect(page.text.contains("value=\"#333333\"") && page.text.contains("value=\"Mine\""))
                #expect(page.text.contains("name=\"was:color\" value=\"#222222\""))
                #expect(try homing.shop.brand.color?.text == "#222222" && homing.shop.brand.postalLine == nil)
                let other = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M1 1\"/></svg>".utf8)
                try await homing.projects.setBrand(BrandChange(logo: other), of: "shop")
                #expect(try await send([("way", "remove")]).status == 409)
                #expect(try homing.shop.brand.logo?.bytes == other)
            }
        }
    }

    @Test func `a logo is uploaded as a file, and one that is no picture is refused beside its field`() async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                let editor = try await cookie(.editor, homing, server)
                let path = "/console/projects/shop/brand"
                let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\"/></svg>"
                func upload(_ file: String, color: String = "#123456") async throws -> RESTAnswer {
                    let token = try await token(path, editor, server)
                    let parts = [("token", token), ("color", color), ("support", "help@shop.example"), ("postal", "")]
                    var body = parts.map {
                        "--xyz\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n"
                    }
                    body.append(
                        "--xyz\r\nContent-Disposition: form-data; name=\"logo\"; filename=\"a\"\r\nContent-Type: image/png"
                            + "\r\n\r\n\(file)\r\n--xyz--\r\n")
                    return try await server.admin.send(
                        "POST", path, headers: editor + [("Content-Type", "multipart/form-data; boundary=xyz")],
                        body: Array(body.joined().utf8))
                }
                #expect(try await upload(svg).status == 303)
                #expect(try homing.shop.brand.logo?.bytes == Array(svg.utf8))
                #expect(try await upload("").status == 303, "no file is no change")
                let refused = try await upload("GIF89a", color: "red")
                #expect(
                    refused.status == 400 && refused.text.contains("f-logo-fault")
                        && refused.text.contains("value=\"red\""))
                let brand = try homing.shop.brand
                #expect(brand.logo != nil && brand.color?.text == "#123456")
                let shown = try await server.admin.get(path, headers: editor)
                let digest = try #require(brand.logo?.digest)
                #expect(shown.text.contains("src=\"\(path)/logo?v=\(digest)\"") && !shown.text.contains("src=\"data:"))
                #expect(shown.text.utf8.count < 60_000)
                let logo = try await server.admin.get("\(path)/logo?v=\(digest)", headers: editor)
                #expect(logo.status == 200 && logo.text == svg && logo.header("Content-Type") == "image/svg+xml")
                #expect(logo.header("Content-Security-Policy")?.contains("sandbox") == true)
                #expect(logo.header("X-Content-Type-Options") == "nosniff")
                #expect(try await server.admin.get("\(path)/logo").text != svg, "nobody sees it without signing in")
                try await homing.projects.setBrand(.reset, of: "shop")
                #expect(try await server.admin.get("\(path)/logo", headers: editor).status == 404)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDatabase
import HomingProjects
import HomingStore
import HomingTesting
import Testing

/// What the hosted pages tell of the life of a mail.
@Suite struct MailLifePageTests {
    private static let browser = ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")

    private static func path(_ code: String) -> String {
        "/__/auth/action?mode=verifyEmail&oobCode=\(code)&apiKey=\(TestHoming.apiKey)&lang=en"
    }

    private static func number(_ step: MailCounts.Step, _ homing: TestHoming) async throws -> Int64 {
        try await homing.outbox.mailCounts.rows(of: homing.shop, days: 1).reduce(0) { $0 + $1.numbers[step] }
    }

    private static func mailedCode(_ homing: TestHoming) async throws -> String {
        try await homing.account(TestHoming.ann)
        var settings = ActionCodeSettings()
        settings.continueURL = "https://shop.example/welcome"
        _ = try await homing.actionCodes.request(
            ActionCodes.Request(
                project: homing.shop, kind: .verifyEmail, subject: .address(try EmailAddress(parsing: TestHoming.ann)),
                settings: settings, language: "en"))
        return try await homing.mailedCode(to: TestHoming.ann)
    }

    @Test func `a page that a person is shown counts as opened, once; scanners and prefetching do not`() async throws {
        try await withHoming { homing in
            let code = try await Self.mailedCode(homing)
            try await withServer(homing) { server in
                let statements = homing.database.counts.statements
                let page = Self.path(code)
                _ = try await server.client.send("HEAD", page, headers: [Self.browser])
                for headers in [[("User-Agent", "Googlebot/2.1")], [Self.browser, ("Sec-Purpose", "prefetch")]] {
                    _ = try await server.client.send("GET", page, headers: headers)
                }
                #expect(homing.database.counts.statements == statements + 3, "each page reads its code, and no more")
                #expect(try await Self.number(.opened, homing) == 0)
                for _ in 0..<2 { _ = try await server.client.send("GET", page, headers: [Self.browser]) }
                #expect(try await Self.number(.opened, homing) == 1)
            }
        }
    }

    @Test func `following Continue is counted once, and only with the report of the page that used the code`()
        async throws
    {
        try await withHoming { homing in
            let code = try await Self.mailedCode(homing)
            try await withServer(homing) { server in
                let form = try #require(try await server.client.get(Self.path(code)).form)
                let page = try await server.client.post(form.action, form: form.fields)
                #expect(page.continueHref == "https://shop.example/welcome", "the link itself is untouched")
                let report = try #require(page.text.firstMatch(of: /data-report="([^"]*)"/)?.1)
                    .replacing("&amp;", with: "&")
                #expect(!report.contains(code))
                let fields = report.split(separator: "&").map {
                    $0.split(separator: "=", maxSplits: 1).map(String.init)
                }
                .map { ($0[0], $0[1]) }
                for name in ["apiKey", "mail", "token"] {
                    let wrong = fields.map { $0.0 == name ? ($0.0, "x" + $0.1.dropFirst()) : $0 }
                    #expect(try await server.client.post("/__/auth/returned", form: wrong).status == 204)
                }
                #expect(try await Self.number(.returned, homing) == 0)
                for _ in 0..<2 {
                    #expect(try await server.client.post("/__/auth/returned", form: fields).status == 204)
                }
                #expect(try await Self.number(.returned, homing) == 1)
                #expect(try await server.client.get("/__/auth/returned?\(report)").status == 405)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingCore
import HomingCurl
import HomingDoctor
import HomingLinkRules
import HomingMail
import HomingOperations
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire
import Testing

@Suite struct `The doctor's judgement` {
    static let now: Int64 = 1_800_000_000

    @Test(arguments: [
        (-1, "CERTIFICATE_EXPIRES_SOON", Finding.Level.problem), (6, "CERTIFICATE_EXPIRES_SOON", .problem),
        (7, "CERTIFICATE_EXPIRES_SOON", .warning), (20, "CERTIFICATE_EXPIRES_SOON", .warning),
        (21, "CERTIFICATE_OK", .ok), (90, "CERTIFICATE_OK", .ok),
    ])
    func `days that a certificate has left`(days: Int64, code: String, level: Finding.Level) {
        let look = CertificateLook(fault: nil, end: CertificateEnd(seconds: Self.now + days * 86_400))
        let found = look.findings("h", now: Self.now)
        #expect(found.map(\.code) == [code])
        #expect(found.map(\.level) == [level])
    }

    @Test func `the end of a certificate is read as TLS libraries write it`() throws {
        let end = try #require(CertificateEnd(parsing: "Nov 20 06:35:42 2026 GMT"))
        #expect(end.seconds == 1_795_156_542)
        #expect(end.day == "2026-11-20")
        #expect(end.daysLeft(at: end.seconds - 86_400) == 1)
        #expect(end.daysLeft(at: end.seconds - 86_399) == 0)
        #expect(end.daysLeft(at: end.seconds + 1) == -1)
        #expect(CertificateEnd(parsing: "one day") == nil)
    }

    @Test(arguments: [
        (CertificateLook.Fault.ended, "CERTIFICATE_EXPIRED"), (.notYetValid, "CERTIFICATE_NOT_YET_VALID"),
        (.otherHost, "CERTIFICATE_HOST_MISMATCH"), (.notTrusted(reason: "x"), "CERTIFICATE_NOT_TRUSTED"),
        (.noTLS(reason: "x"), "HOST_UNREACHABLE"),
    ])
    func `each fault of a certificate has its code`(fault: CertificateLook.Fault, code: String) {
        let found = CertificateLook(fault: fault, end: nil).findings("h", now: Self.now)
        #expect(found.map(\.code) == [code])
        #expect(found.allSatisfy { $0.level == .problem && !$0.advice.isEmpty })
    }

    @Test(arguments: [
        ("https://auth.a.test", ["links.a.test"], []),
        ("http://auth.a.test", [], ["PUBLIC_URL_NOT_HTTPS"]),
        ("http://localhost:9099", [], ["PUBLIC_URL_IS_LOCAL"]),
        ("https://links.a.test:8443", ["links.a.test"], ["PUBLIC_URL_IS_LINK_DOMAIN"]),
        ("http://[::1]:80", ["links.a.test:99"], ["PUBLIC_URL_IS_LOCAL"]),
    ])
    func `the public URL as it is set`(url: String, hosts: [String], codes: [String]) {
        let check = PublicURLCheck(publicURL: url, linkHosts: hosts)
        #expect(check.settingFindings().map(\.code) == codes)
    }

    @Test func `the public URL as it answers`() {
        let check = PublicURLCheck(publicURL: "https://auth.a.test", linkHosts: [])
        func health(_ status: Int) -> [String] {
            check.healthFindings(.answered(.init(status: status, location: "https://x"))).map(\.code)
        }
        func action(_ status: Int) -> [String] { check.actionFindings(.answered(.init(status: status))).map(\.code) }
        #expect(
            health(200) == ["PUBLIC_URL_OK"] && health(502) == ["PUBLIC_URL_STATUS"]
                && health(301) == ["PUBLIC_URL_STATUS"])
        #expect(check.healthFindings(.unreachable(reason: "x")).map(\.code) == ["PUBLIC_URL_UNREACHABLE"])
        #expect(action(400) == ["ACTION_PAGE_OK"] && action(410) == ["ACTION_PAGE_OK"])
        #expect(action(301) == ["ACTION_PAGE_REDIRECTED"])
        #expect(action(200) == ["ACTION_PAGE_STATUS"] && action(502) == ["ACTION_PAGE_STATUS"])
        #expect(check.heloName == "auth.a.test")
        #expect(PublicURLCheck(publicURL: "http://127.0.0.1:9099", linkHosts: []).heloName == "localhost")
        #expect(PublicURLCheck(publicURL: "http://[::1]", linkHosts: []).heloName == "localhost")
    }

    @Test func `a proxy that nobody has named is told of`() {
        var examination = Examination(publicURL: "https://auth.a.test", hosts: [], projects: [])
        func seen() -> [String] {
            let doctor = Doctor(
                examination: examination, fetcher: WebFetcher(), names: NameServer.system, relay: .mailbox, sender: nil,
                mailDomain: nil, bounceDomain: nil, selectors: [], now: Self.now)
            return doctor.findingsOffline().filter { $0.code == "PROXY_NOT_TRUSTED" }.map(\.advice)
        }
        #expect(seen().isEmpty)
        examination.untrustedForwarders = ["192.0.2.7"]
        #expect(seen().count == 1 && seen().first?.contains("HOMING_TRUSTED_PROXIES=192.0.2.7.") == true)
    }

    @Test func `a file that forgets the App Clip or the passwords is found out`() throws {
        let apple = #"{"applinks":{"details":[{"appID":"T.a"}]},"webcredentials":{"apps":["T.a"]}}"#
        let clip = apple.dropLast() + #","appclips":{"apps":["T.a.Clip"]}}"#
        let served = try #require(AppleFile(parsing: Array(apple.utf8)))
        let expected = try #require(AppleFile(parsing: Array(clip.utf8)))
        #expect(served.differences(from: expected, "a", path: "/x").map(\.code) == ["APPLE_CLIP_MISSING"])
        #expect(expected.differences(from: expected, "a", path: "/x").isEmpty)
        func android(_ relations: String) throws -> AndroidFile {
            let target = #"{"namespace":"android_app","package_name":"c.d","sha256_cert_fingerprints":["AA"]}"#
            return try #require(
                AndroidFile(parsing: Array(#"[{"relation":[\#(relations)],"target":\#(target)}]"#.utf8)))
        }
        let links = #""delegate_permission/common.handle_all_urls""#
        let both = links + #","delegate_permission/common.get_login_creds""#
        #expect(
            try android(links).differences(from: try android(both), "a", path: "/x").map(\.code)
                == ["ANDROID_CREDENTIALS_MISSING"])
        #expect(try android(both).differences(from: try android(both), "a", path: "/x").isEmpty)
    }

    @Test func `apps are judged by what is registered of them`() {
        func codes(_ apps: [RegisteredApp], on domains: [String] = ["a.test"], unregistered: [String] = []) -> [String]
        {
            let project = Examination.Project(
                id: "p", apps: apps, linkDomains: domains, unregisteredApps: unregistered)
            return AppsCheck(project: project).findings().map(\.code)
        }
        let apple = RegisteredApp(platform: .apple, id: "com.a", teamID: "ABCDE12345", appStoreID: "123456")
        let android = RegisteredApp(platform: .android, id: "com.b", sha256: ["AA"])
        #expect(codes([apple, android]) == ["APP_OK", "APP_OK"])
        #expect(
            codes([RegisteredApp(platform: .apple, id: "com.a")]) == ["APP_WITHOUT_TEAM_ID", "APP_WITHOUT_STORE_ID"])
        #expect(codes([RegisteredApp(platform: .android, id: "com.b")]) == ["APP_WITHOUT_FINGERPRINT"])
        #expect(codes([android], unregistered: ["com.c"]) == ["APP_OK", "APP_NOT_REGISTERED"])
        #expect(codes([android], on: []) == ["APP_OK", "LINK_DOMAIN_MISSING"])
        #expect(codes([]) == ["APPS_MISSING"])
        #expect(codes([], on: []).isEmpty)
    }

    @Test func `a link webhook is judged by what it takes`() {
        func codes(_ webhook: Examination.LinkWebhook?) -> [String] {
            var project = Examination.Project(id: "p", apps: [], linkDomains: [])
            project.linkWebhook = webhook
            return LinkWebhookCheck(project: project).findings().map(\.code)
        }
        let url = "https://a.test/hook"
        #expect(codes(nil).isEmpty)
        #expect(codes(.init(url: url)) == ["LINK_WEBHOOK_OK"])
        #expect(codes(.init(url: url, dropped: 3)) == ["LINK_WEBHOOK_DROPPED"])
        let failing = Examination.LinkWebhook(url: url, failingSince: "today", problem: "it answered 500", waiting: 3)
        #expect(codes(failing) == ["LINK_WEBHOOK_FAILING"])
    }

    @Test func `links that lead nowhere are counted, with one of them and what to do`() {
        var project = Examination.Project(id: "p", apps: [], linkDomains: ["a.test"])
        #expect(DeadLinksCheck(project: project).findings().isEmpty)
        var links = LinkDeaths()
        links.looked = 100_000
        project.deadLinks = links
        #expect(DeadLinksCheck(project: project).findings().isEmpty)
        links.dead = 3
        links.isWhole = false
        links.example = "https://a.test/abc"
        links.reason = "link: why"
        project.deadLinks = links
        let finding = DeadLinksCheck(project: project).findings().first
        #expect(finding?.level == .problem && finding?.code == "LINKS_LEAD_NOWHERE")
        #expect(
            finding?.seen
                == "of the 100000 links that were looked at, 3 links lead nowhere any more, such as https://a.test/abc "
                + "(link: why)")
        #expect(finding?.advice.contains("homing link edit p") == true)
    }

    @Test func `a host of Google's is named, and is a problem where there is no other`() {
        func levels(_ domains: [String]) -> [Finding.Level] {
            AppsCheck(project: Examination.Project(id: "p", apps: [], linkDomains: domains)).findings()
                .filter { $0.code == "LINK_DOMAIN_GOOGLES" }.map(\.level)
        }
        #expect(levels(["a.page.link"]) == [.problem])
        #expect(levels(["a.page.link", "b.app.goo.gl/x"]) == [.problem, .problem])
        #expect(levels(["a.page.link", "links.a.test"]) == [.warning])
        #expect(levels(["links.a.test", "page.link.a.test", "apage.link"]).isEmpty)
    }

    @Test func `the relay is judged by how far it went with us`() throws {
        func codes(_ url: String, _ look: RelayLook) throws -> [String] {
            RelayCheck(relay: try SMTPRelay(parsing: url)).findings(look, now: Self.now).map(\.code)
        }
        let valid = CertificateLook(fault: nil, end: CertificateEnd(seconds: Self.now + 90 * 86_400))
        let ended = CertificateLook(fault: .ended, end: CertificateEnd(seconds: Self.now - 86_400))
        let ready = RelayLook(ending: .ready, isEncrypted: true, hasSeenPassword: true, certificate: valid)
        #expect(
            try codes("smtp://u:p@r.test", ready)
                == ["RELAY_OK", "RELAY_TLS_OK", "RELAY_CERTIFICATE_OK", "RELAY_AUTH_OK"])
        #expect(try codes("smtp://r.test", RelayLook(ending: .ready)) == ["RELAY_OK", "RELAY_NOT_ENCRYPTED"])
        #expect(try codes("smtp://127.0.0.1", RelayLook(ending: .ready)) == ["RELAY_OK", "RELAY_LOCAL"])
        #expect(try codes("smtp://u:p@r.test", RelayLook(ending: .tlsNotOffered)) == ["RELAY_TLS_NOT_OFFERED"])
        let failed = RelayLook(ending: .tlsFailed(reason: "x"), certificate: ended)
        #expect(try codes("smtp://u:p@r.test", failed) == ["RELAY_CERTIFICATE_EXPIRED"])
        #expect(try codes("smtps://r.test", RelayLook(ending: .tlsFailed(reason: "x"))) == ["RELAY_TLS_FAILED"])
        let lenient = RelayLook(ending: .ready, isEncrypted: true, certificate: ended)
        #expect(try codes("smtp://r.test", lenient) == ["RELAY_OK", "RELAY_TLS_OK", "RELAY_CERTIFICATE_UNCHECKED"])
        let silent = RelayLook(ending: .ready, isEncrypted: true, certificate: valid)
        #expect(try codes("smtp://u:p@r.test", silent).last == "RELAY_AUTH_NOT_OFFERED")
        #expect(
            try codes("smtp://u:p@r.test", RelayLook(ending: .passwordRefused(reply: "535"))).last
                == "RELAY_AUTH_REFUSED")
        #expect(try codes("smtp://r.test", RelayLook(ending: .refused(reply: "554"))) == ["RELAY_REFUSES_US"])
        let sender = RelayLook(ending: .senderRefused(sender: "a@b.test", reply: "553 no"), isEncrypted: true)
        #expect(try codes("smtp://r.test", sender).last == "RELAY_REFUSES_SENDER")
        let recipient = RelayLook(ending: .recipientRefused(recipient: "p@b.test", reply: "450 later"))
        #expect(try codes("smtp://127.0.0.1", recipient) == ["RELAY_LOCAL", "RELAY_REFUSES_RECIPIENT"])
        #expect(try codes("smtp://r.test", RelayLook(ending: .unreachable(reason: "x"))) == ["RELAY_UNREACHABLE"])
        #expect(RelayCheck(relay: try SMTPRelay(parsing: "smtp://u:secret@r.test")).subject == "smtp://r.test:25")
    }

    @Test(arguments: [
        ("in-v3.mailjet.com", true), ("SMTP-RELAY.BREVO.COM", true), ("notmailjet.com", false), ("r.test", false),
        ("smtp.sendgrid.net", false), ("SMTP.MAILGUN.ORG", false),
    ])
    func `services that rewrite links are named, unless each mail tells them not to`(host: String, isNamed: Bool) throws
    {
        let found = RelayCheck(relay: try SMTPRelay(parsing: "smtp://\(host)"))
            .findings(RelayLook(ending: .ready), now: Self.now)
        #expect(found.contains { $0.code == "RELAY_MAY_REWRITE_LINKS" } == isNamed)
    }

    @Test func `the report groups by subject and counts`() {
        let report = DoctorReport(findings: [
            .ok("A", "one", "fine"), .problem("B", "two", "broken", "Mend it."),
            .warning("C", "one", "odd", "Look at it."),
        ])
        #expect(
            report.lines.map(\.text) == [
                "one", "  OK       A  fine", "  Warning  C  odd", "      Look at it.", "", "two",
                "  Fix      B  broken", "      Mend it.", "",
            ])
        #expect(report.summary == "1 to fix, 1 warning, 1 OK")
        #expect(report.request == "\(report.summary): do what stands under each Fix")
        let states = report.lines.flatMap(\.parts).map(\.style).filter { $0 != .heading }
        #expect(states == [.ok, .warning, .fix])
        let fine = DoctorReport(findings: [.ok("A", "one", "fine")])
        #expect(fine.lines.last?.text == "0 to fix, 0 warnings, 1 OK", "where nothing else says so")
        #expect(report.hasProblems)
        #expect(!DoctorReport(findings: [.warning("C", "one", "odd", "Look at it.")]).hasProblems)
        let first = report.json.objectValue?["findings"]?.arrayValue?[1].objectValue
        #expect(first?["code"] == "B" && first?["level"] == "problem" && first?["advice"] == "Mend it.")
        #expect(report.json.objectValue?["problems"] == 1)
    }

    @Test func `what a stranger's server says is cut to what a terminal can show`() {
        let check = AssociationFileCheck(kind: .apple, subject: "h", path: "/p", expected: "{}")
        let body = #"{"applinks":{"details":[{"appID":"A.\u001b[31m\u00e9"}]}}"#
        let found = check.findings(
            .answered(.init(status: 200, contentType: "application/json", body: Array(body.utf8))))
        #expect(found.map(\.code) == ["APPLE_APP_EXTRA"])
        #expect(found.first?.seen.contains("A.[31m,") == true)
    }
}

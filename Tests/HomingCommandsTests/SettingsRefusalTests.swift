// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingCore
import HomingDatabase
import HomingMail
import HomingOperations
import HomingShortLinks
import HomingStore
import HomingWire
import Testing

@Suite struct `What settings refuse` {
    private static let secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

    private static let bad: [(String, [String])] = [
        (
            "database.url",
            ["", "homing.db", "sqlite:", "sqlite://x", "sqlite::memory:", "sqlite:/a/", "sqlite:/a\u{0}b", "mysql://h"]
        ),
        (
            "listen",
            [
                "", "9099", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:01", "::1:80",
                "[::1]",
                "[127.0.0.1]:80", ":80", "*:80", "a b:80", "0x7f.1:80", "127.0.0.1:80 ", "[fe80::1%eth0]:80",
            ]
        ),
        ("admin.listen", ["", "localhost", "127.0.0.1:x"]),
        ("admin.owner", ["", "yes", "Allow", "true"]),
        (
            "publicURL",
            [
                "", "auth.example.com", "ftp://a.example", "https://a.example/", "https://a.example/x",
                "https://a.example?x",
                "https://a.example#x", "https://u@a.example", "https://u:p@a.example", "https://",
                "https://a.example:0",
                "https://a.example:65536", "https://a.example:", "https://a_b.example",
                "https://evil.example\\@a.example",
                "https://[::1", "https://[127.0.0.1]", "https:a.example", "https://a.example\n", "https://a%2eexample",
                "javascript:alert(1)", "https://bücher.example",
            ]
        ),
        (
            "smtp.url",
            [
                "", "mailbox", "mailbox:x", "http://h", "smtp:h", "smtp://", "smtp://h/", "smtp://h:0", "smtp://h:x",
                "smtp://user@h", "smtp://:p@h", "smtp://u:@h", "smtp://u:p%@h", "smtp://u:p%zz@h", "smtp://a:b@c:d@h",
                "smtp://h?tls=off", "smtp://h?tls=required&tls=required", "smtp://h?connections=0",
                "smtp://h?connections=257",
                "smtp://h?ca=", "smtp://h?x=1", "smtp://h?", "smtp://h\r\nRCPT", "smtp://[127.0.0.1]", "smtp://h#x",
            ]
        ),
        (
            "mail.url",
            [
                "", "mailbox", "none:", "None", "http://h", "https://hooks.example.com", "smtp:h", "smtp://user@h",
                "webhook+https:", "webhook+https://", "webhook+http://h/x", "webhook+https://h/x?region=eu",
                "webhook+https://h/x?connections=65", "webhook+https://h/x?ca=", "webhook+https://h/x?ca=/a&ca=/a",
                "webhook+https://a:b@h/x", "webhook+https://a@b@h/x", "webhook+https://h/x?endpoint=http://h.example",
                "webhook+https://h/x?endpoint=https://h.example/?a=b", "webhook+https://whsec_short@h/x",
                "webhook+https://h/x#y", "webhook+https://\(secret)@h/x?secret-file=/a",
            ]
        ),
        ("mail.secret", ["", " \n", String(repeating: "a", count: 16_385)]),
        ("mail.eventsKey", ["", " \n", String(repeating: "a", count: 16_385)]),
        ("mail.privateAddresses", ["", "yes", "TRUE", "1"]),
        (
            "mail.from",
            [
                "", "noreply", "a@b@c.example", "App <a@example.com", "App a@example.com>", "<a@example.com>",
                "App <a@example.com>, B <b@example.com>", "App\r\nBcc: x <a@example.com>",
                "a@example.com,b@example.com",
                "A \"quoted\" app <a@example.com>",
            ]
        ),
        (
            "mail.bounces",
            [
                "", "bounces", "Bounces <b@example.com>", "b@example.com,c@example.com", "twelve-bytes@example.com",
                "b@example.com\r\n",
            ]
        ),
        ("mail.probe.address", ["", "probe", "Probe <probe@example.com>"]),
        (
            "mail.probe.inbox",
            [
                "", "imaps://imap.example.com", "imap://ann@imap.example.com", "imaps://ann:secret@imap.example.com",
                "pop3s://ann@pop.example.com/Junk", "https://ann@imap.example.com",
            ]
        ),
        ("mail.probe.secret", ["", " \n", String(repeating: "a", count: 1_025)]),
        ("keyFile", ["", "/a\u{0}b", "/a\nb"]),
        (
            "trustedProxies",
            [
                "", "proxy.example", "10.0.0.0/33", "10.0.0.1/8", "0.0.0.0/0", "::/0", "10.0.0.0/8,", "10.0.0.0/08x",
                "10.0.0",
                "10.0.0.0/-1", "2001:db8::/129", "10.0.0.0/8/8", "010.0.0.1", "*",
            ]
        ),
        ("drainSeconds", ["", "-1", "61", "5s", "1.5"]),
        ("log.level", ["", "INFO", "verbose"]),
        ("log.format", ["", "JSON", "xml"]),
        ("tls.certificate", [""]),
        ("tls.key", [""]),
        ("tls.acme.agree", ["", "true", "YES", "agree"]),
        ("tls.acme.email", ["", "ops", "Ops <ops@example.com>", "a@b.example,c@d.example", "mailto:a@b.example"]),
        (
            "tls.acme.directory",
            [
                "", "letsencrypt", "http://ca.example.com/directory", "http://127.0.0.1.evil.example/",
                "ftp://ca.example.com",
                "https://ca.example.com/a b", "http://localhost@evil.example/",
            ]
        ),
        ("tls.acme.ca", ["", "/a\u{0}b"]),
        (
            "security.contact",
            [
                "", "security@example.com", "mailto:", "mailto:security", "mailto:a@b.example\nContact: c",
                "MAILTO:a@b.example",
                "http://example.com/security", "http://localhost/", "https://", "tel:+1-201-555-0123",
                "javascript:alert(1)",
            ]
        ),
        ("redirect.listen", ["", "80", "0.0.0.0", "0.0.0.0:65536", "https://0.0.0.0:80"]),
    ]

    private static let badLimits = [
        "", "-1", "1.5", "many", "1000000001", "01", "+1", " 1", "1e3", "99999999999999999999",
    ]

    @Test(arguments: SettingExample.all)
    func `a bad value is refused by one line that names key, value and what is accepted`(example: SettingExample) throws
    {
        let values = Self.bad.first { $0.0 == example.key }?.1 ?? Self.badLimits
        let setting = try #require(Setting.all.first { $0.key == example.key })
        for value in values {
            var given = GivenSettings(environment: example.companions)
            given.environment[example.variable] = value
            let sentence = try #require(try given.refusal(), "\(example.variable)=\(value) was taken")
            #expect(sentence.utf8.starts(with: "\(example.variable) (\(example.key)): \"".utf8))
            let shown = Printable.line(setting.masked(value), atMost: 200)
            #expect(sentence.contains("\"\(shown)\" is refused: "))
            #expect(sentence.contains(setting.accepted) || !sentence.contains("accepted is"))
            #expect(!sentence.utf8.contains { $0 < 0x20 })
        }
    }

    @Test(arguments: [
        (["HOMING_TLS_ACME_AGREE": "yes"], "HOMING_PUBLIC_URL"),
        (["HOMING_TLS_ACME_AGREE": "yes", "HOMING_PUBLIC_URL": "https://localhost"], "https://localhost"),
        (["HOMING_TLS_ACME_AGREE": "yes", "HOMING_PUBLIC_URL": "https://192.0.2.7"], "a name with a dot"),
        (["HOMING_TLS_ACME_AGREE": "yes", "HOMING_PUBLIC_URL": "http://auth.example.com"], "https://"),
        (["HOMING_TLS_ACME_EMAIL": "ops@example.com"], "tls.acme.agree: yes"),
        (["HOMING_REDIRECT_LISTEN": "127.0.0.1:9099"], "another listener has it"),
    ])
    func `certificates are obtained only with consent, and for a name that an authority can know`(
        environment: [String: String], says: String
    ) throws {
        let sentence = try #require(try GivenSettings(environment: environment).refusal())
        #expect(sentence.contains(says))
    }

    @Test(arguments: [
        ("smtp://mail_relay:1025", true), ("smtp://user:p%40ss@[2001:db8::1]:587?ca=%2Fetc%2Fca.pem", true),
        ("SMTP://h", false), ("smtp://h/?tls=required", false), ("smtp://h?", false), ("smtp://h?tls=required&", false),
        ("smtp://u:@h", false), ("smtp://u:p:q@h", false), ("smtp://u:p/q@h", false), ("smtp://u:a%00b@h", false),
        ("smtp://u:a%0d%0ab@h", false), ("smtp://u:%ff@h", false), ("smtp://[127.0.0.1]", false),
        ("smtp://[:::1]", false), ("smtp://127.0.0.256", false), ("smtp://mail-.example", false),
        ("smtp://h:025", false),
        ("smtp://h?connections=07", false), ("smtp://h?ca=/a%0a", false),
    ])
    func `the settings take a relay's address exactly when mails can be handed to it`(url: String, isTaken: Bool) throws
    {
        #expect(try (GivenSettings(environment: ["HOMING_SMTP_URL": url]).refusal() == nil) == isTaken)
        #expect(((try? SMTPRelay(parsing: url)) != nil) == isTaken)
    }

    @Test func `what PostgreSQL would not understand is refused with an example and without its password`() throws {
        for url in [
            "postgresql://u:hunter2@db.example/homing?connections=0", "postgres://db?password=hunter2&prepared=maybe",
            "postgresql://u:hunter2@db.example/homing?no_such_parameter=1", "postgresql://u:hunter2%zz@db.example/",
            "postgresql://u:hunter2@db.example/home page", "postgresql://u:hunter2@db/homing?connections=201",
        ] {
            let sentence = try #require(try GivenSettings(flags: ["database-url": url]).refusal())
            #expect(sentence.contains("postgresql://homing:password@db1,db2/homing"))
            #expect(!sentence.contains("hunter2"), "\(sentence)")
        }
    }

    @Test func `PostgreSQL may have several hosts, and our own parameters are not libpq's`() throws {
        let url = "postgresql://u:p@db1:5433,db2/homing?connections=20&sslmode=require&prepared=off"
        let address = try #require(try GivenSettings(flags: ["database-url": url]).load().database.url)
        #expect(address.uri == "postgresql://u:p@db1:5433,db2/homing?sslmode=require")
        #expect(address.connections == 20)
        #expect(!address.isPrepared)
        let plain = try #require(PostgresURL(parsing: "postgres:///homing?connections=3"))
        #expect(plain.uri == "postgres:///homing")
        #expect(plain.isPrepared)
    }

    @Test func `a refused relay URL does not show its password`() throws {
        for url in [
            "smtp://u:hunter2@", "smtp://u:hunt/hunter2@h", "smtpx://hunter2@h", "hunter2:hunter2@h",
            "smtp://u:a@hunter2@h",
        ] {
            let sentence = try #require(try GivenSettings(flags: ["smtp-url": url]).refusal())
            #expect(!sentence.contains("hunter2"), "\(sentence)")
        }
    }

    @Test(arguments: [
        ("webhook+https://\(secret)@h.example/x?secret-file=/a", "in secret-file"),
        ("webhook+https://\(secret)@h.example/x?endpoint=ftp://h", "endpoint"),
        ("webhook+https://\(secret.dropLast(8))@h.example/x", "signing secret"),
        ("webhook+https://\(secret)@h.example/x?unheard=of", "unheard"),
    ])
    func `a refused URL of a provider names what is wrong, and shows no secret`(url: String, says: String) throws {
        let sentence = try #require(try GivenSettings(environment: ["HOMING_MAIL_URL": url]).refusal())
        #expect(sentence.contains(says), "\(sentence)")
        #expect(!sentence.contains("MDEyMzQ1"), "\(sentence)")
    }

    @Test func `a secret in two places is refused`() throws {
        for url in ["webhook+https://\(Self.secret)@h.example/x", "smtp://ann:pass@h.example"] {
            let given = GivenSettings(environment: ["HOMING_MAIL_URL": url, "HOMING_MAIL_SECRET": Self.secret])
            let sentence = try #require(try given.refusal(), "\(url)")
            #expect(sentence.contains("mail.url") && !sentence.contains("MDEyMzQ1") && !sentence.contains("pass@"))
        }
    }

    @Test func `a secret that is not here stops only what needs it`() throws {
        let url = "webhook+https://h.example/x"
        let alone = try GivenSettings(environment: ["HOMING_MAIL_URL": url]).load()
        #expect(throws: Refusal.self) { try LiveSettings.relay(of: alone) }
        let away = try GivenSettings(environment: ["HOMING_MAIL_URL": url + "?secret-file=/nowhere/secret"]).load()
        #expect(throws: Refusal.self) { try LiveSettings.relay(of: away) }
        let whole = try GivenSettings(environment: ["HOMING_MAIL_URL": url, "HOMING_MAIL_SECRET": Self.secret]).load()
        guard case .provider(let mailURL, _) = try LiveSettings.relay(of: whole) else {
            Issue.record("no provider")
            return
        }
        #expect(mailURL.secret == Self.secret)
        #expect(!"\(mailURL)".contains("whsec") && !String(reflecting: mailURL).contains("whsec"))
        #expect(!whole.text.contains("whsec") && !whole.json.contains("whsec"))
    }

    @Test func `the two names of where mails leave may say the same, and nothing else`() throws {
        let both = ["HOMING_SMTP_URL": "smtp://h.example", "HOMING_MAIL_URL": "smtp://h.example"]
        #expect(try GivenSettings(environment: both).refusal() == nil)
        let environment = try #require(
            try GivenSettings(environment: both.merging(["HOMING_MAIL_URL": "none"]) { $1 }).refusal())
        #expect(environment.contains("HOMING_MAIL_URL") && environment.contains("HOMING_SMTP_URL"))
        let file = try #require(
            try GivenSettings(yaml: "smtp:\n  url: smtp://h.example\nmail:\n  url: none\n").refusal())
        #expect(file.contains("line 4") && file.contains("line 2"))
    }

    @Test func `an unknown variable is named with the one that was meant`() throws {
        let sentence = try GivenSettings(environment: ["HOMING_LISTENS": "127.0.0.1:1"]).refusal()
        #expect(sentence == "HOMING_LISTENS is not a setting of Homing; did you mean HOMING_LISTEN?")
        let other = try GivenSettings(environment: ["HOMING_ZZZZZZZZZZZZ": ""]).refusal()
        #expect(other == "HOMING_ZZZZZZZZZZZZ is not a setting of Homing; `homing config` lists every setting.")
    }

    @Test func `an unknown flag is named`() throws {
        #expect(try GivenSettings(flags: ["public-urls": ""]).refusal()?.contains("did you mean --public-url?") == true)
    }

    @Test(arguments: [
        ("lisen: 127.0.0.1:1\n", ", line 1: lisen is not a setting of Homing; did you mean listen?"),
        ("log:\n  level: info\n  colour: red\n", ", line 3: log.colour is not a setting of Homing"),
        ("admin.owner: allow\n", ", line 1: admin.owner is not a setting of Homing"),
        ("log: info\n", ", line 1: log is a section"),
        ("listen: {host: a}\n", ", line 1: listen must be one value"),
        ("listen: []\n", ", line 1: listen must be one value"),
        ("listen:\n", ", line 1: listen: \"\" is refused"),
        (
            "limits:\n  connections: many\n",
            ", line 2: limits.connections: \"many\" is refused: accepted is a whole number"
        ),
        ("- listen\n", "must hold a mapping"),
        ("listen: a\nlisten: b\n", "is not YAML"),
        ("listen: [\n", "is not YAML"),
        ("? [a]\n: b\n", "a key must be a plain word"),
    ])
    func `a wrong file is refused by one line with the position`(yaml: String, expected: String) throws {
        let sentence = try #require(try GivenSettings(yaml: yaml).refusal())
        #expect(sentence.contains(expected), "\(sentence)")
        #expect(!sentence.utf8.contains { $0 < 0x20 })
    }

    @Test func `a file that was asked for must be there and be text`() throws {
        let folders = DefaultFolders(environment: ["HOME": "/nowhere"], isRoot: false, isTerminal: false)
        func refusal(_ path: String) -> String? {
            do {
                _ = try Settings.load(environment: [:], configPath: path, folders: folders)
                return nil
            } catch {
                return error.sentence
            }
        }
        #expect(refusal("/nowhere/homing.yaml")?.contains("/nowhere/homing.yaml cannot be read") == true)
        #expect(refusal("/dev/zero")?.contains("larger than 1 MiB") == true)
        #expect(refusal("/dev/null") == nil)
    }

    @Test func `the owner's word is taken on loopback only`() throws {
        func refusal(_ listen: String) throws -> String? {
            try GivenSettings(flags: ["admin-owner": "allow", "admin-listen": listen]).refusal()
        }
        for listen in ["127.0.0.1:1", "127.8.8.8:1", "[::1]:1", "localhost:1", "[::ffff:127.0.0.1]:1"] {
            #expect(try refusal(listen) == nil, "\(listen)")
        }
        for listen in ["0.0.0.0:1", "[::]:1", "10.0.0.1:1", "localhost.example:1", "db:1"] {
            let sentence = try #require(try refusal(listen))
            #expect(sentence.contains("HOMING_ADMIN_OWNER (admin.owner): \"allow\" is refused"))
        }
    }

    @Test func `owner is not allowed where a proxy shows the console`() throws {
        let given = ["admin-owner": "allow", "console-public-url": "https://console.example.com"]
        let refusal = try #require(try GivenSettings(flags: given).refusal())
        #expect(refusal.contains("HOMING_CONSOLE_PUBLIC_URL") && refusal.contains("set refuse"))
    }

    @Test func `a wildcard listener needs a public URL`() throws {
        for listen in ["0.0.0.0:80", "[::]:80", "0.0.0.0:0"] {
            #expect(
                try GivenSettings(flags: ["listen": listen]).refusal()?.contains("HOMING_PUBLIC_URL (publicURL)")
                    == true)
            let given = GivenSettings(flags: ["listen": listen, "public-url": "https://a.example"])
            #expect(try given.refusal() == nil)
        }
    }

    @Test func `one of the two TLS files alone is refused`() throws {
        let key = try #require(try GivenSettings(flags: ["tls-key": "/k"]).refusal())
        #expect(key.contains("HOMING_TLS_CERTIFICATE (tls.certificate)"))
        let certificate = try #require(try GivenSettings(flags: ["tls-certificate": "/c"]).refusal())
        #expect(certificate.contains("HOMING_TLS_KEY (tls.key)"))
        #expect(try GivenSettings(flags: ["tls-certificate": "/c", "tls-key": "/k"]).load().tls != nil)
        #expect(try GivenSettings().load().tls == nil)
    }

    @Test func `both listeners at one address are refused, but for a picked port`() throws {
        #expect(try GivenSettings(flags: ["admin-listen": "127.0.0.1:9099"]).refusal()?.contains("must differ") == true)
        #expect(try GivenSettings(flags: ["listen": "127.0.0.1:0", "admin-listen": "127.0.0.1:0"]).refusal() == nil)
    }
}

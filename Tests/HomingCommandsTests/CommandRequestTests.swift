// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingShortLinks
import Testing

@Suite struct `The request of a command` {
    static let commands = [
        ["account", "create", "shop", "ada@example.com", "--password-stdin"],
        ["account", "delete", "shop", "ada@example.com", "--yes", "--json"],
        ["account", "disable", "shop", "ada@example.com"],
        ["account", "enable", "shop", "ada@example.com"],
        ["account", "erase", "shop", "ada@shop.example", "--yes"],
        ["account", "export", "shop", "/copies/users.json", "--format", "csv"],
        [
            "account", "import", "shop", "/users.csv", "--from", "csv", "--columns", "id=user_id", "--dry-run",
            "--skip-refused", "--without-passwords", "--resume", "--report", "refused.csv",
        ],
        ["account", "list", "shop", "--search", "é\n\"\\/", "--limit", "7"],
        ["account", "old-system", "shop", "--end", "--yes"],
        ["account", "search", "shop", "ada", "--after", "address:ada@example.com", "--limit", "7"],
        ["account", "send-reset", "shop", "ada@example.com"],
        ["account", "sessions", "shop", "ada@example.com", "--end"],
        ["account", "show", "shop", "ada@example.com", "--json"],
        ["admin-key", "create", "backend", "--project", "shop", "--project", "skarv", "--expires", "90d"],
        ["admin-key", "list"],
        ["admin-key", "revoke", "kPz3VtQ8mN"],
        ["api-key", "create", "shop", "Autumn apps", "--key", "hk_of_ones_own"],
        ["api-key", "list", "shop"],
        ["api-key", "revoke", "shop", "hk_of_ones_own"],
        ["api-key", "use", "shop", "hk_of_ones_own", "--json"],
        ["app", "add", "android", "shop", "--package", "com.example", "--sha256", "A", "--sha256", "B", "--sha1", "C"],
        ["app", "add", "apple", "shop", "--bundle-id", "com.example", "--app-store-id", ""],
        ["app", "config", "shop", "com.example", "--platform", "apple", "--file", "Homing-Info.plist"],
        ["app", "list", "shop"],
        ["app", "remove", "shop", "com.example"],
        ["audit", "list", "--project", "shop", "--limit", "7"],
        ["backup", "/copies/homing.db"],
        ["brand", "reset", "shop"],
        ["brand", "set", "shop", "--color", "#0A7D55", "--logo", "logo.png", "--postal", ""],
        ["brand", "show", "shop"],
        ["certificate", "check", "links.shop.example", "--json"],
        ["certificate", "list"],
        ["certificate", "renew", "links.shop.example", "--force"],
        [
            "doctor", "--project", "shop", "--nameserver", "9.9.9.9:53", "--resolve", "a.example:443:192.0.2.7",
            "--offline",
        ],
        ["domain", "add", "shop", "*.shop.example"],
        ["domain", "list", "shop"],
        ["domain", "remove", "shop", "shop.example"],
        ["key", "add"],
        ["key", "floor", "255"],
        ["key", "list", "--json"],
        ["key", "retire", "1"],
        ["key", "use", "2"],
        ["link", "archive", "shop", "spring"],
        [
            "link", "create", "shop", "--link", "https://shop.example/?a=b&c=d", "--short", "--utm-source", "mail",
            "--efr",
        ],
        ["link", "delete", "shop", "spring"],
        ["link", "disable", "shop", "https://links.shop.example/spring"],
        [
            "link", "edit", "shop", "spring", "--link", "https://shop.example/", "--title", "", "--tag", "print",
            "--tag",
            "spring", "--starts", "2027-01-01", "--ends", "90d", "--max-clicks", "7", "--after-end",
            "https://shop.example/over", "--language-link", "de=https://shop.example/de", "--no-efr", "--if-version",
            "3",
        ],
        ["link", "enable", "shop", "spring"],
        ["link", "export", "shop", "/copies/links.csv", "--csv"],
        [
            "link", "import", "shop", "links.csv", "--from", "short.io", "--domain", "go.example", "--dry-run",
            "--strict",
        ],
        [
            "link", "list", "shop", "--all", "--archived", "--search", "spr", "--limit", "3", "--state", "ENDED",
            "--order", "clicks", "--page", "x",
        ],
        ["link", "rename", "shop", "spring", "Spring letter"],
        ["link", "restore", "shop", "spring", "3"],
        ["link", "search", "shop", "--target", "www.shop.example/cart", "--tag", "print"],
        ["link", "show", "shop", "spring"],
        ["link", "stats", "shop", "spring", "--days", "30", "--csv"],
        ["link", "unarchive", "shop", "spring"],
        ["link", "versions", "shop", "spring", "--json"],
        ["link", "webhook", "remove", "shop"],
        ["link", "webhook", "set", "shop", "https://shop.example/hook", "--secret-file", "secret"],
        ["link", "webhook", "show", "shop"],
        ["link", "webhook", "test", "shop", "--json"],
        ["link-domain", "add", "shop", "links.shop.example"],
        ["link-domain", "default", "shop", "links.shop.example"],
        ["link-domain", "list", "shop"],
        ["link-domain", "remove", "shop", "links.shop.example"],
        ["link-domain", "set", "shop", "links.shop.example", "--ignore-case"],
        ["mail", "bounce", "bounces+0101@example.com"],
        ["mail", "domain", "add", "shop", "shop.example", "--now"],
        ["mail", "domain", "check", "shop", "shop.example", "--nameserver", "9.9.9.9:53"],
        ["mail", "domain", "list", "shop"],
        ["mail", "domain", "remove", "shop", "shop.example"],
        ["mail", "domain", "rotate", "shop"],
        ["mail", "domain", "show", "shop", "--json"],
        ["mail", "list", "--project", "shop", "--address", "ada@example.com"],
        ["mail", "probe", "letter.eml", "--json"],
        ["mail", "retry", "BmWh7GKpbM0xXc6jVf2tQA"],
        ["mail", "show", "BmWh7GKpbM0xXc6jVf2tQA"],
        ["mail", "stats", "shop", "--days", "30", "--csv"],
        ["mail", "suppressed", "lift", "shop", "ada@example.com"],
        ["mail", "suppressed", "list", "shop", "--limit", "7"],
        ["mail", "test", "shop", "ada@example.com", "--wait"],
        ["mail", "transport", "remove", "shop", "--tenant", "staff"],
        [
            "mail", "transport", "set", "shop/staff", "--url", "resend:", "--from", "Shop <a@shop.example>",
            "--no-fallback", "--secret-file", "key", "--events-key-file", "", "--test", "ada@example.com",
        ],
        ["mail", "transport", "show", "shop", "--json"],
        ["mail", "transport", "test", "shop", "ada@example.com"],
        ["mailbox"],
        ["node", "list"],
        ["operator", "add", "ann@example.com", "--role", "editor", "--project", "shop"],
        ["operator", "link", "ann@example.com", "--forget"],
        ["operator", "list"],
        ["operator", "remove", "ann@example.com"],
        ["project", "create", "shop", "--authorized-domain", "a.example", "--authorized-domain", "b.example"],
        ["project", "delete", "shop", "-y"],
        ["project", "import", "shop", "config.json", "google-services.json", "--team-id", "ABCDE12345", "--strict"],
        ["project", "list"],
        ["project", "set", "shop", "displayName", "--", "-"],
        ["project", "show", "shop"],
        ["reload", "--json"],
        ["service-account", "create", "shop", "Back end"],
        ["service-account", "list", "shop"],
        ["service-account", "revoke", "shop", "a1b2"],
        ["setup", "--project", "shop", "--operator", "ann@shop.example"],
        ["template", "export", "shop", "mails"],
        ["template", "import", "shop", "mails", "--dry-run"],
        ["template", "list", "shop"],
        ["template", "preview", "shop", "PASSWORD_RESET", "de", "--html"],
        ["template", "reset", "shop", "PASSWORD_RESET", "de"],
        ["template", "restore", "shop", "PASSWORD_RESET", "de", "3"],
        ["template", "set", "shop", "PASSWORD_RESET", "de", "--subject", "Hallo", "--text", "a.txt", "--from", "2"],
        ["template", "show", "shop", "PASSWORD_RESET", "de"],
        ["template", "test", "shop", "PASSWORD_RESET", "de", "ada@example.com"],
        ["template", "versions", "shop", "PASSWORD_RESET", "de", "--json"],
        ["tenant", "create", "shop", "--id", "acme", "--name", "Acme", "--set", "allowPasswordSignup=true"],
        ["tenant", "delete", "shop/acme", "--yes"],
        ["tenant", "list", "shop"],
        ["tenant", "set", "shop/acme", "enableEmailLinkSignin", "true"],
        ["tenant", "show", "shop/acme"],
        ["text", "diff", "shop", "de"],
        ["text", "list", "shop", "de", "--all"],
        ["text", "reset", "shop", "de", "pages.reset.title"],
        ["text", "set", "shop", "de", "pages.reset.title", "Ein neues Passwort"],
    ]

    @Test(arguments: commands) func `a command arrives with the values that were typed`(arguments: [String]) throws {
        let request = try CommandRequest(parsing: arguments)
        let arrived = try JSONDecoder().decode(CommandRequest.self, from: Data(request.text.utf8))
        #expect(try arrived.text == request.text)
        let name = try #require(CommandRequest.names.last { arguments.joined(separator: " ").hasPrefix($0) })
        #expect(try request.text.hasPrefix(#"{"name":"\#(name)","values":{"#))
    }

    @Test func `every command that works on the open database is among them`() {
        let tried = Self.commands.map { command in
            CommandRequest.names.last { command.joined(separator: " ").hasPrefix($0) }
        }
        #expect(tried == CommandRequest.names)
    }

    @Test func `values keep their types, and what was not given is not invented`() throws {
        #expect(
            try CommandRequest(parsing: ["account", "list", "shop", "--limit", "7"]).text
                == #"{"name":"account list","values":{"format":{"json":false},"limit":7,"project":"shop","search":null}}"#
        )
    }

    @Test(arguments: ["copy.db", "backup", "a/../b"])
    func `the file of a backup is named from the root on, because a server stands in another folder`(
        path: String
    ) throws {
        let folder = FileManager.default.currentDirectoryPath
        #expect(try CommandRequest(parsing: ["backup", path]).text.contains(#""path":"\#(folder)/\#(path)""#))
        #expect(try CommandRequest(parsing: ["backup", "/x/\(path)"]).text.contains(#""path":"/x/\#(path)""#))
    }

    @Test func `the file of an export is named from the root on, too`() throws {
        let folder = FileManager.default.currentDirectoryPath
        let request = try CommandRequest(parsing: ["account", "export", "shop", "users.json"])
        #expect(try request.text.contains(#""file":"\#(folder)/users.json""#))
    }

    @Test func `a command that needs no open database is no request`() {
        #expect(throws: (any Error).self) { try CommandRequest(parsing: ["version"]) }
        #expect(throws: (any Error).self) { try CommandRequest(parsing: ["key", "use", "256"]) }
    }
}

extension CommandRequest {
    static var keyList: CommandRequest {
        get throws { try CommandRequest(parsing: ["key", "list"]) }
    }

    /// The command on the wire.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingCore
import HomingMail
import HomingOperations
import Testing

@Suite struct `Where settings come from` {
    @Test func `the table and the examples hold the same rows`() {
        #expect(Setting.all.map(\.key) == SettingExample.all.map(\.key))
        #expect(Setting.all.map(\.variable) == SettingExample.all.map(\.variable))
        #expect(Setting.all.map(\.flag) == SettingExample.all.map(\.flag))
    }

    @Test(arguments: SettingExample.all)
    func `a setting that nobody gives has its default`(example: SettingExample) throws {
        let entry = try GivenSettings().load().entry(example.key)
        #expect(entry.shown == example.standard)
        #expect(entry.source == .standard)
    }

    @Test(arguments: SettingExample.all)
    func `a value of the file wins over the default`(example: SettingExample) throws {
        for value in example.values {
            let given = GivenSettings(environment: example.companions, yaml: example.yaml(value))
            let entry = try given.load().entry(example.key)
            #expect(entry.shown == value)
            guard case .file(_, let line) = entry.source else { return #expect(Bool(false), "\(entry.source)") }
            #expect(line == example.key.split(separator: ".").count)
        }
    }

    @Test(arguments: SettingExample.all)
    func `a variable wins over the file`(example: SettingExample) throws {
        var given = GivenSettings(environment: example.companions, yaml: example.yaml(example.values[0]))
        given.environment[example.variable] = example.values[1]
        let entry = try given.load().entry(example.key)
        #expect(entry.shown == example.values[1])
        #expect(entry.source == .environment(example.variable))
    }

    @Test(arguments: SettingExample.all)
    func `a flag wins over variable and file`(example: SettingExample) throws {
        var given = GivenSettings(environment: example.companions, yaml: example.yaml(example.values[0]))
        given.environment[example.variable] = example.values[1]
        given.flags[example.flag] = example.values[2]
        let entry = try given.load().entry(example.key)
        #expect(entry.shown == example.values[2])
        #expect(entry.source == .flag(example.flag))
    }

    @Test func `root keeps data and key where services do`() throws {
        let settings = try GivenSettings(isRoot: true).load()
        #expect(settings.database == .sqlite(DatabaseFile(path: "/var/lib/homing/homing.db")))
        #expect(settings.keyFile == "/etc/homing/homing.key")
    }

    @Test func `XDG folders are used when absolute and ignored when not`() throws {
        let folders = ["XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "conf"]
        let settings = try GivenSettings(environment: folders).load()
        #expect(settings.database == .sqlite(DatabaseFile(path: "/data/homing/homing.db")))
        #expect(settings.keyFile == "/nowhere/someone/.config/homing/homing.key")
    }

    @Test func `a terminal gets text`() throws {
        #expect(try GivenSettings(isTerminal: true).load().logFormat == .text)
        #expect(
            try GivenSettings(environment: ["HOMING_LOG_FORMAT": "json"], isTerminal: true).load().logFormat == .json)
    }

    @Test func `the sender follows the host of the public URL`() throws {
        func sender(_ url: String) throws -> String? {
            try GivenSettings(flags: ["public-url": url]).load().mailSender?.description
        }
        #expect(try sender("https://auth.example.com:8443") == "noreply@auth.example.com")
        #expect(try sender("https://192.0.2.1") == "noreply@localhost")
        #expect(try sender("http://[::1]:80") == "noreply@localhost")
        #expect(try sender("http://server") == "noreply@localhost")
    }

    @Test func `the public URL follows the listener, with TLS too`() throws {
        func url(_ listen: String, tls: Bool = false, port: Int = 5) throws -> String {
            var given = GivenSettings(flags: ["listen": listen])
            if tls { given.flags.merge(["tls-certificate": "/c", "tls-key": "/k"]) { $1 } }
            return try given.load().publicURL(boundTo: port).description
        }
        #expect(try url("10.0.0.1:80") == "http://10.0.0.1")
        #expect(try url("10.0.0.1:443", tls: true) == "https://10.0.0.1")
        #expect(try url("[::1]:0", port: 4711) == "http://[::1]:4711")
    }

    @Test func `a file may be empty, or have its sections commented out`() throws {
        for yaml in ["", "# nothing\n", "smtp:\n  # url: mailbox:\nlisten: 127.0.0.1:7\n", "---\n...\n"] {
            #expect(try GivenSettings(yaml: yaml).refusal() == nil, "\(yaml)")
        }
    }

    @Test func `proxies may be a list`() throws {
        let settings = try GivenSettings(yaml: "trustedProxies: [10.0.0.0/8, '2001:db8::/32']").load()
        #expect(settings.trustedProxies.map(\.description) == ["10.0.0.0/8", "2001:db8::/32"])
    }

    @Test func `variables of the source tree's scripts are left alone`() throws {
        let scripts = [
            "HOMING_BENCHMARKS": "1", "HOMING_COMMIT": "0a 2026-11-22", "HOMING_SCRATCH_PATH": "/x", "OTHER": "y",
        ]
        #expect(try GivenSettings(environment: scripts).refusal() == nil)
    }
}

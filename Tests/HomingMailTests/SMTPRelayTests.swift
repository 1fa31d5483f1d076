// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import Testing

struct SMTPRelayTests {
    @Test func `a relay on this machine without credentials is spoken to without TLS`() throws {
        for host in ["localhost", "LocalHost", "127.0.0.1", "127.8.9.10", "[::1]"] {
            let relay = try SMTPRelay(parsing: "smtp://\(host)")
            #expect(relay.security == .none, "\(host)")
            #expect(relay.port == 25)
            #expect(relay.connections == 16)
            #expect(relay.credentials == nil)
        }
    }

    @Test func `any other relay is offered TLS that nobody checks`() throws {
        for host in ["mail.example", "127.0.0.1.evil.example", "128.0.0.1", "[::2]", "126.255.255.255"] {
            #expect(try SMTPRelay(parsing: "smtp://\(host)").security == .opportunistic, "\(host)")
        }
        #expect(try SMTPRelay(parsing: "smtps://localhost").security == .opportunistic)
    }

    @Test func `credentials and tls=required both demand a valid certificate, on this machine too`() throws {
        #expect(try SMTPRelay(parsing: "smtp://u:p@mail.example").security == .verified)
        #expect(try SMTPRelay(parsing: "smtp://u:p@localhost").security == .verified)
        #expect(try SMTPRelay(parsing: "smtp://mail.example?tls=required").security == .verified)
        #expect(try SMTPRelay(parsing: "smtps://localhost?tls=required").security == .verified)
    }

    @Test func `every part of an address is read`() throws {
        let relay = try SMTPRelay(
            parsing: "smtps://ann%40here.test:p%3a%2F%25%C3%A9@[2001:db8::1]:2465?connections=64&ca=%2Fetc%2Fca.pem")
        #expect(relay.speaksTLSAtOnce)
        #expect(relay.host == "[2001:db8::1]")
        #expect(relay.port == 2_465)
        #expect(relay.connections == 64)
        #expect(relay.authorityFile == "/etc/ca.pem")
        #expect(relay.credentials?.user == "ann@here.test")
        #expect(relay.credentials?.password == "p:/%é")
        #expect(try SMTPRelay(parsing: "smtps://mail.example").port == 465)
        #expect(try SMTPRelay(parsing: "smtp://mail_relay:1025").host == "mail_relay")
    }

    @Test(arguments: [
        "", "smtp:", "smtp://", "smtp:///", "mail.example", "http://mail.example", "smtp:mail.example",
        "smtp://mail.example:0", "smtp://mail.example:65536", "smtp://mail.example:", "smtp://mail.example:2x",
        "smtp://mail.example/path", "smtp://mail.example#x", "smtp://mail example", "smtp://mail.example\r\nQUIT",
        "smtp://user@mail.example", "smtp://:p@mail.example", "smtp://a@b:p@mail.example", "smtp://u:%zz@mail.example",
        "smtp://u:%4@mail.example", "smtp://u:a%00b@mail.example", "smtp://u:a%0d%0ab@mail.example",
        "smtp://u:%ff@mail.example", "smtp://mail..example", "smtp://-mail.example", "smtp://mail%2eexample",
        "smtp://mail-.example", "smtp://_mail.example", "smtp://127.0.0", "smtp://127.0.0.256", "smtp://[127.0.0.1]",
        "smtp://mail.example/", "smtp://mail.example?", "smtp://mail.example:025", "SMTP://mail.example",
        "smtp://u:@mail.example", "smtp://u:p:q@mail.example", "smtp://u:p/q@mail.example",
        "smtp://[::1", "smtp://[::1]x", "smtp://[::g]", "smtp://mail.example?connections=0",
        "smtp://mail.example?connections=65", "smtp://mail.example?connections=+5", "smtp://mail.example?connections=",
        "smtp://mail.example?ca=", "smtp://mail.example?tls=maybe", "smtp://mail.example?tls",
        "smtp://mail.example?tls=required&tls=required", "smtp://mail.example?verify=no", "smtp://ma\u{ef}l.example",
    ])
    func `a text that is no relay's address is refused with the accepted form`(_ address: String) {
        let fault = #expect(throws: SMTPRelayFault.self) { try SMTPRelay(parsing: address) }
        #expect(fault?.sentence.contains("smtp://[user:password@]host[:port]") == true)
    }

    @Test func `a password is never repeated`() throws {
        let fault = #expect(throws: SMTPRelayFault.self) { try SMTPRelay(parsing: "smtp://u:secret@host:99999") }
        #expect(fault?.sentence.contains("secret") == false)
        let relay = try SMTPRelay(parsing: "smtp://ann:secret@mail.example")
        #expect(!"\(relay)".contains("secret"))
        #expect(!String(reflecting: relay).contains("secret"))
        var dumped = ""
        dump(relay, to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingSetup
import HomingShortLinks
import HomingStore
import HomingWire
import Testing

@Suite struct `What setup asks` {
    private func asked(_ state: SetupState) -> [SetupStep] { SetupStep.allCases.filter { !state.isAnswered($0) } }

    @Test func `a new server is asked for everything`() {
        #expect(asked(SetupState()) == [.address, .relay, .sender, .project, .person])
        #expect(
            asked(SetupState(values: ["publicURL": "https://auth.shop.example"]))
                == [.encryption, .relay, .sender, .project, .person])
    }

    @Test(arguments: ["http://localhost:9099", "http://auth.shop.example", "https://192.0.2.7", "https://localhost"])
    func `nobody is asked for certificates that no authority makes`(url: String) {
        #expect(SetupState(values: ["publicURL": url]).isAnswered(.encryption))
    }

    @Test(arguments: ["tls.acme.agree", "tls.certificate", "trustedProxies"])
    func `whoever has said who speaks TLS is not asked again`(key: String) {
        let values = ["publicURL": "https://auth.shop.example", key: "no"]
        #expect(SetupState(values: values).isAnswered(.encryption))
    }

    @Test func `nothing is missing where everything stands`() {
        let values = ["publicURL": "http://localhost:9099", "smtp.url": "mailbox:"]
        #expect(asked(SetupState(values: values, hasProject: true, hasOperator: true)) == [])
        #expect(asked(SetupState(values: values, project: "shop", person: "ann@shop.example")) == [])
        #expect(asked(SetupState(values: values, hasOperator: true)) == [.project])
    }

    @Test func `certificates by itself mean listeners that the internet reaches, unless others are given`() {
        var state = SetupState(values: ["publicURL": "https://auth.shop.example", "tls.acme.agree": "yes"])
        #expect(state.implied == ["listen": "0.0.0.0:443", "redirect.listen": "0.0.0.0:80"])
        state.values["listen"] = "192.0.2.7:443"
        #expect(state.implied == ["redirect.listen": "0.0.0.0:80"])
        state.values["tls.acme.agree"] = "no"
        #expect(state.implied == [:])
        state = SetupState(values: ["publicURL": "https://auth.shop.example:8443", "tls.acme.agree": "yes"])
        #expect(state.implied["listen"] == "0.0.0.0:8443")
    }
}

@Suite struct `What people type in setup` {
    @Test(arguments: [
        ("auth.shop.example", "https://auth.shop.example"), ("https://auth.shop.example/", "https://auth.shop.example"),
        ("http://localhost:9099", "http://localhost:9099"),
    ])
    func `a host alone is a public URL with https`(typed: String, url: String) {
        #expect(SetupReading.publicURL(typed) == url)
    }

    @Test(arguments: [
        ("smtp.example.net", "smtp://smtp.example.net"), ("smtp.example.net:587", "smtp://smtp.example.net:587"),
        ("smtp.example.net:465", "smtps://smtp.example.net:465"), ("mailbox:", "mailbox:"),
        ("smtps://a@b.example", "smtps://a@b.example"), ("none", "none"), ("resend:", "resend:"),
    ])
    func `a host alone is a relay`(typed: String, url: String) {
        #expect(SetupReading.relay(typed) == url)
    }

    @Test(arguments: [
        ("resend:", "resend", "resend:"), ("mg.shop.example", "mailgun", "mailgun://mg.shop.example"),
        ("https://hooks.shop.example/mail", "webhook+https", "webhook+https://hooks.shop.example/mail"),
        ("mailgun://mg.shop.example?region=eu", "mailgun", "mailgun://mg.shop.example?region=eu"),
    ])
    func `a provider's URL may be typed without its scheme`(typed: String, scheme: String, url: String) {
        #expect(SetupReading.url(typed, ofScheme: scheme) == url)
    }

    @Test(arguments: [
        ("resend:", true, true, "API key"), ("resend:?secret-file=/k", false, true, "API key"),
        ("resend:re_123@", false, true, "API key"),
        ("graph://a@b.example?tenant=t&client=c", true, true, "Client secret"),
        ("smtp://ann@relay.example", true, false, "Password"), ("smtp://relay.example", false, false, "Password"),
        ("smtp://ann:x@relay.example", false, false, "Password"),
        ("smtp://a%40b.example@smtp.office365.com:587?oauth=microsoft&tenant=t&client=c", true, true, "Client secret"),
        ("smtp://a%40b.example@smtp.gmail.com:587?oauth=google&secret-file=/k", false, true, "Client secret"),
    ])
    func `a URL says which secret it lacks, and where that is kept`(
        url: String, lacks: Bool, isApart: Bool, name: String
    ) {
        #expect(SetupReading.wantsSecret(relay: url) == lacks)
        #expect(SetupReading.keepsSecretApart(url) == isApart)
        #expect(SetupReading.secretName(ofDoor: url) == name)
    }

    @Test func `what is wrong with an answer is said before the secret is asked for`() {
        #expect(
            SetupReading.fault(inDoor: "mailgun://")
                == "the address of Mailgun has no domain; its form is mailgun://DOMAIN[?region=eu]")
        #expect(SetupReading.fault(inDoor: "pigeon://loft") != nil)
        #expect(SetupReading.fault(inDoor: "smtp://relay.example:99999") != nil)
        #expect(SetupReading.fault(inDoor: "smtp://ann@relay.example:99999") != nil)
        for url in [
            "mailgun://mg.shop.example", "smtp://ann@relay.example", "smtp://relay.example", "none", "mailbox:",
        ] {
            #expect(SetupReading.fault(inDoor: url) == nil)
        }
        #expect(SetupReading.fault(inDoor: "resend:", isWhole: true)?.contains("API key is missing") == true)
        #expect(SetupReading.fault(inDoor: "resend:", secret: "re_1", isWhole: true) == nil)
        #expect(SetupReading.fault(inDoor: "resend:?secret-file=/nowhere/key")?.contains("cannot be read") == true)
        let hook = "webhook+https://hooks.shop.example/mail"
        #expect(SetupReading.fault(inDoor: hook) == nil)
        #expect(SetupReading.fault(inDoor: hook, secret: "abc", isWhole: true)?.contains("whsec_") == true)
    }

    @Test func `Microsoft's and Google's relays are named as their documents have them`() throws {
        let microsoft = SetupReading.microsoftRelay("noreply@shop.example", tenant: "t-1", client: "c-1")
        #expect(
            microsoft
                == "smtp://noreply%40shop.example@smtp.office365.com:587?oauth=microsoft&tenant=t-1&client=c-1&connections=3"
        )
        #expect(SetupReading.fault(inDoor: microsoft) == nil)
        #expect(SetupReading.fault(inDoor: microsoft, secret: "s", isWhole: true) == nil)
        let google = SetupReading.googleRelay("noreply@shop.example", keyFile: "/etc/homing/a b.json")
        #expect(google.hasSuffix("@smtp.gmail.com:587?oauth=google&secret-file=%2Fetc%2Fhoming%2Fa%20b.json"))
        #expect(SetupReading.fault(inDoor: google)?.contains("/etc/homing/a b.json cannot be read") == true)
    }

    @Test(arguments: ["secret", "p@ss:w/rd?#%", "пароль", "a b"])
    func `any user and password come out of the relay's URL as they were typed`(text: String) throws {
        let url = SetupReading.relay(SetupReading.relay("smtp://b.example:25?tls=required", user: text), password: text)
        let credentials = try #require(SetupReading.credentials(inRelay: url))
        #expect(credentials.hasPassword)
        #expect(percentDecoded(credentials.user) == text)
        #expect(try GivenSettings(environment: ["HOMING_SMTP_URL": url]).refusal() == nil)
        #expect(url.hasSuffix("@b.example:25?tls=required"))
    }

    @Test func `a URL says whether it has a password`() {
        #expect(SetupReading.credentials(inRelay: "smtp://b.example") == nil)
        #expect(SetupReading.credentials(inRelay: "smtp://a@b.example")?.hasPassword == false)
        #expect(SetupReading.credentials(inRelay: "smtp://a:@b.example")?.hasPassword == true)
        #expect(SetupReading.credentials(inRelay: "mailbox:") == nil)
    }

    @Test(arguments: [
        ("https://www.shop.example/app?x#y", "www.shop.example"), ("http://localhost:3000/", "localhost:3000"),
        ("www.shop.example", "www.shop.example"), ("www.shop.example/", "www.shop.example"),
    ])
    func `the app's page names the domain that people come back to`(typed: String, domain: String) {
        #expect(SetupReading.authorizedDomain(typed) == domain)
    }

    @Test(arguments: [
        ("auth.shop.example", "shop"), ("shop.example", "shop"), ("localhost", "app"), ("192.0.2.7", "app"),
        ("", "app"),
    ])
    func `a project's id is proposed from the host`(host: String, id: ProjectID) {
        #expect(SetupReading.projectID(forHost: host) == id)
    }
}

@Suite struct `What setup tells systemd` {
    private func units(_ values: [String: String]) throws -> [String: String] {
        let settings = try GivenSettings(flags: values).load()
        return SetupService.texts(for: settings).reduce(into: [:]) { $0[$1.path] = $1.text }
    }

    @Test func `the ports that the package has need nothing`() throws {
        #expect(try units([:]) == [:])
    }

    @Test func `other ports are the socket unit's`() throws {
        let texts = try units(["listen": "0.0.0.0:443", "public-url": "https://auth.shop.example"])
        #expect(texts.keys.sorted() == ["/etc/systemd/system/homing.socket.d/setup.conf"])
        #expect(
            texts.values.first?.hasSuffix(
                "[Socket]\nListenStream=\nListenStream=0.0.0.0:443\nListenStream=127.0.0.1:9098\n") == true)
    }

    @Test func `port 80 has a unit of its own`() throws {
        let text = try units(["redirect-listen": "0.0.0.0:80"])["/etc/systemd/system/homing-redirect.socket"]
        #expect(
            text?.contains("ListenStream=0.0.0.0:80\nFileDescriptorName=redirect\nService=homing.service\n") == true)
    }
}

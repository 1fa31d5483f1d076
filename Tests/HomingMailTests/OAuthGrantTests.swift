// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingTesting
import HomingWire
import Testing

/// How an access token is asked for.
struct OAuthGrantTests {
    private func form(_ grant: OAuthGrant?, refreshToken: String? = nil, at now: Int64 = 0) throws -> QueryString {
        QueryString(readableIn: try #require(grant).form(refreshToken: refreshToken, at: now))
    }

    private func grant(_ url: String, secret: String? = nil) throws -> OAuthGrant? {
        try SMTPRelay(parsing: url, secret: secret).tokenLogin?.grant
    }

    @Test func `a mailbox of Microsoft 365 is signed into with the app's own secret`() throws {
        let relay = try SMTPRelay(
            parsing: "smtp://a%40b.test:s%2Bcret@smtp.office365.com:587?oauth=microsoft&tenant=b.test&client=app-1")
        #expect(relay.credentials == nil && relay.security == .verified)
        #expect(relay.tokenLogin?.user == "a@b.test" && relay.tokenLogin?.mechanism == .xoauth2)
        #expect(
            relay.tokenLogin?.grant.tokenURL == "https://login.microsoftonline.com/b.test/oauth2/v2.0/token")
        let form = try form(relay.tokenLogin?.grant)
        #expect(
            form.parameters.map { "\($0.name)=\($0.value)" } == [
                "grant_type=client_credentials", "client_id=app-1", "client_secret=s+cret",
                "scope=https://outlook.office365.com/.default",
            ])
    }

    @Test func `a refresh token is used with its client, and with the one that took its place`() throws {
        let url = "smtp://a%40b.test@r.test?oauth=microsoft&tenant=t&client=app-1&grant=refresh"
        let plain = try grant(url, secret: "old-token\n")
        #expect(try form(plain)["refresh_token"] == "old-token" && form(plain)["client_secret"] == nil)
        #expect(try form(plain)["scope"] == "https://outlook.office.com/SMTP.Send offline_access")
        #expect(try form(plain, refreshToken: "new-token")["refresh_token"] == "new-token")
        let file = #"{"type":"authorized_user","client_id":"app-2","client_secret":"shh","refresh_token":"r-1"}"#
        let google = try form(try grant("smtp://a%40b.test@r.test?oauth=google&grant=refresh", secret: file))
        #expect(
            google.parameters.map { "\($0.name)=\($0.value)" } == [
                "grant_type=refresh_token", "client_id=app-2", "client_secret=shh", "refresh_token=r-1",
            ])
    }

    @Test func `a service account signs for the mailbox`() throws {
        let json = try ServiceAccountFile.made(for: "sa@p.test")
        let text = String(decoding: json.write(), as: UTF8.self)
        let grant = try grant("smtp://a%40b.test@smtp.gmail.com:587?oauth=google", secret: text)
        let form = try form(grant, at: 1_800_000_000)
        #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        let claims = try #require(try ServiceAccountFile(json).claims(of: form["assertion"] ?? ""))
        #expect(claims["iss"] == "sa@p.test" && claims["sub"] == "a@b.test")
        #expect(claims["scope"] == "https://mail.google.com/")
        #expect(claims["aud"] == "https://oauth2.googleapis.com/token")
        #expect(claims["iat"] == 1_800_000_000 && claims["exp"] == 1_800_003_600)
    }

    @Test func `any other token endpoint is named by its address`() throws {
        let relay = try SMTPRelay(
            parsing: "smtps://a%40b.test@r.test?oauth=custom&token-url=https%3A%2F%2Fid.test%2Ft&client=c&scope=mail"
                + "&mechanism=oauthbearer&ca=/etc/ca.pem",
            secret: "x")
        #expect(relay.tokenLogin?.mechanism == .oauthbearer)
        #expect(relay.tokenLogin?.grant.authorityFile == "/etc/ca.pem")
        #expect(try form(relay.tokenLogin?.grant)["scope"] == "mail")
        #expect(
            try grant("smtp://a%40b.test:x@r.test?oauth=custom&token-url=http://127.0.0.1:9/t&client=c")?.tokenURL
                == "http://127.0.0.1:9/t")
    }

    @Test(arguments: [
        ("oauth=yahoo", "oauth"), ("oauth=microsoft&client=c", "tenant"),
        ("oauth=microsoft&tenant=a/b&client=c", "tenant"),
        ("oauth=microsoft&tenant=t", "client"), ("oauth=microsoft&tenant=t&client=c&grant=service-account", "grant"),
        ("oauth=google&grant=client", "grant"), ("oauth=google", "key file"),
        ("oauth=google&tenant=t&grant=refresh", "client"),
        ("oauth=google&grant=refresh&client=c&tenant=t", "not known"),
        ("oauth=custom&client=c", "token-url"), ("oauth=custom&token-url=http://id.test/t&client=c", "token-url"),
        ("oauth=custom&token-url=ftp://id.test/t&client=c", "token-url"),
        ("oauth=microsoft&tenant=t&client=c&mechanism=plain", "mechanism"), ("mechanism=xoauth2", "not known"),
        ("tenant=t", "not known"),
    ])
    func `what is missing or not known is named`(parameters: String, word: String) {
        let fault = #expect(throws: SMTPRelayFault.self) {
            try SMTPRelay(parsing: "smtp://ann:s3cret@r.test?\(parameters)")
        }
        #expect(fault?.sentence.contains(word) == true)
        #expect(fault?.sentence.contains("s3cret") == false)
    }

    @Test func `a secret stands in one place`() throws {
        #expect(try SMTPRelay(parsing: "smtp://ann@r.test", secret: "pw").credentials?.password == "pw")
        for url in ["smtp://ann:pw@r.test", "smtp://r.test"] {
            #expect(throws: SMTPRelayFault.self) { try SMTPRelay(parsing: url, secret: "pw") }
        }
        #expect(throws: SMTPRelayFault.self) { try SMTPRelay(parsing: "smtp://ann@r.test?oauth=google") }
    }

    @Test func `no secret is printed`() throws {
        let file = try ServiceAccountFile.made(for: "sa@p.test")
        for (parameters, secret) in [
            ("oauth=microsoft&tenant=t&client=c", "s3cret"),
            ("oauth=microsoft&tenant=t&client=c&grant=refresh", "s3cret"),
            ("oauth=google", String(decoding: file.write(), as: UTF8.self)),
        ] {
            let relay = try SMTPRelay(parsing: "smtp://ann@r.test?\(parameters)", secret: secret)
            var dumped = "\(relay) \(String(reflecting: relay))"
            dump(relay, to: &dumped)
            #expect(!dumped.contains("s3cret") && !dumped.contains("PRIVATE KEY"))
        }
    }
}

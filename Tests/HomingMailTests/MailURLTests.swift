// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingMail
import Testing

@Suite struct `The URL of a provider` {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    @Test func `every part is read, and decoded`() throws {
        let url = try MailURL(
            parsing: "ses://AK%2FA:s%40cret@eu-west-1?connections=3&ca=%2Fa.pem&endpoint=http://127.0.0.1:8/x/")
        #expect(url.user == "AK/A" && url.secret == "s@cret" && url.place == "eu-west-1")
        #expect(url.connections == 3 && url.authorityFile == "/a.pem" && url.endpoint == "http://127.0.0.1:8/x")
        #expect(try MailURL(parsing: "mailgun://key@mg.example?region=eu").parameters == ["region": "eu"])
    }

    @Test func `before the @ stands the user where there is one, else the secret`() throws {
        #expect(try MailURL(parsing: "ses:AKIA@eu-west-1").user == "AKIA")
        #expect(try MailURL(parsing: "resend:").secret == nil)
        for text in ["resend:key@", "resend://key@"] { #expect(try MailURL(parsing: text).secret == "key") }
        for text in ["gmail://ann@shop.example", "gmail:ann%40shop.example"] {
            let url = try MailURL(parsing: text)
            #expect(url.place == "ann@shop.example" && url.secret == nil)
        }
        #expect(try MailURL(parsing: "gmail://s@ann@shop.example").secret == "s")
    }

    @Test(arguments: [
        ("ses://eu-west-1", "before an @"), ("ses://AKIA@", "has no"), ("scaleway://project", "region"),
        ("mailgun://hunter2@mg.example?region=mars", "region that"),
        ("mailgun://hunter2@mg.example?region=eu&region=eu", "twice"),
        ("mailgun://hunter2@mg.example?zone=1", "zone"),
        ("mailgun://hunter2@mg.example?endpoint=http://10.0.0.1/", "endpoint"),
        ("mailgun://hunter2@mg.example?endpoint=https://h/?x", "endpoint"),
        ("ses://AKIA:hunter2@eu-west-1?secret-file=/a", "secret-file"),
        ("ses://AKIA:hunter2:x@eu-west-1", "percent-encoded"), ("ses://AKIA:hunter2@eu/west", "characters"),
        ("ses://AKIA:hunter2@eu-west-1?connections=0", "1 to 64"), ("resend:hunter2", "before an @"),
        ("ses://AKIA:hunter2%0d%0a@eu-west-1", "control character"),
    ])
    func `what is wrong is named, and the secret is not`(text: String, says: String) throws {
        let fault = #expect(throws: MailURLFault.self) { try MailURL(parsing: text) }
        let sentence = try #require(fault?.sentence)
        #expect(sentence.contains(says) && !sentence.contains("hunter2"), "\(sentence)")
        #expect(!MailURL.masked(text).contains("hunter2"), "\(MailURL.masked(text))")
    }

    @Test func `a scheme that no provider has is refused`() {
        #expect(throws: MailURLFault.self) { try MailURL(parsing: "pigeon:key@") }
    }

    @Test func `printing and showing a URL hides its secret`() throws {
        let text = "webhook+https://\(Self.secret)@hooks.example/mail"
        let url = try MailURL(parsing: text)
        #expect(url.secret == Self.secret)
        #expect(!"\(url)".contains("whsec") && !String(reflecting: url).contains("whsec"))
        #expect(!MailURL.masked(text).contains("whsec"))
    }

    @Test func `the secret stands in the URL, in a file or beside them, in one place`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID().uuidString)").path
        try Data("\(Self.secret)\n".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let bare = "webhook+https://hooks.example/mail"
        let inURL = try MailURL(parsing: "webhook+https://\(Self.secret)@hooks.example/mail")
        let inFile = try MailURL(parsing: "\(bare)?secret-file=\(path)")
        #expect(try inURL.complete(secret: nil).secret == Self.secret)
        #expect(try inFile.complete(secret: nil) == inURL.complete(secret: nil))
        #expect(try MailURL(parsing: bare).complete(secret: Self.secret) == inURL.complete(secret: nil))
        for url in [inURL, inFile] {
            let fault = #expect(throws: MailURLFault.self) { try url.complete(secret: Self.secret) }
            #expect(fault?.isElsewhere == false && fault?.sentence.contains("whsec") == false)
        }
        for text in [bare, "\(bare)?secret-file=\(path).none"] {
            let url = try MailURL(parsing: text)
            let fault = #expect(throws: MailURLFault.self) { try url.complete(secret: nil) }
            #expect(fault?.isElsewhere == true)
        }
    }
}

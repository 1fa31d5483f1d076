// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import CryptoExtras
import Foundation
import HomingMail
import Testing

@Suite("Signatures by a sender domain's keys")
struct DKIMTests {
    /// The mail of RFC 8463, appendix A.
    private static let mail = """
        From: Joe SixPack <joe@football.example.com>\r
        To: Suzie Q <suzie@shopping.example.net>\r
        Subject: Is dinner ready?\r
        Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\r
        Message-ID: <20030712040037.46341.5F8J@football.example.com>\r
        \r
        Hi.\r
        \r
        We lost the game.  Are you hungry yet?\r
        \r
        Joe.\r

        """

    /// The value of a tag in the first signature of a message.
    private func tag(_ name: String, of message: [UInt8], signature: Int = 0) throws -> String {
        let text = String(decoding: message, as: UTF8.self)
        let parts = text.components(separatedBy: "DKIM-Signature:")
        let field = try #require(parts.count > signature + 1 ? parts[signature + 1] : nil)
        let end = field.replacing("\r\n ", with: " ").components(separatedBy: "\r\n")[0]
        let pairs = end.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = try #require(pairs.first { $0.hasPrefix("\(name)=") })
        return String(pair.dropFirst(name.count + 1).replacing(" ", with: ""))
    }

    @Test func `the hash of a body is the one that the standard's example has`() throws {
        let key = try DKIMKey(new: .ed25519, domain: "football.example.com", selector: "brisbane")
        let signed = try DKIMSignature.sign(Array(Self.mail.utf8), with: [key], at: 1_528_637_909)
        let hash = try tag("bh", of: signed)
        #expect(hash == "2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=")
        #expect(String(decoding: signed, as: UTF8.self).hasSuffix(Self.mail))
    }

    @Test func `the canonical forms are those of the standard's example`() throws {
        // RFC 6376, section 3.4.5.
        #expect(DKIMSignature.relaxed(field: Array("A: X".utf8)[...]) == Array("a:X".utf8))
        #expect(DKIMSignature.relaxed(field: Array("B : Y\t\r\n\tZ  ".utf8)[...]) == Array("b:Y Z".utf8))
        let body = Array(" C \r\nD \t E\r\n\r\n\r\n".utf8)[...]
        #expect(DKIMSignature.relaxed(body: body) == Array(" C\r\nD E\r\n".utf8))
        #expect(DKIMSignature.relaxed(body: []) == [])
        #expect(DKIMSignature.relaxed(body: Array("\r\n\r\n".utf8)[...]) == [])
        #expect(DKIMSignature.relaxed(body: Array("without an end".utf8)[...]) == Array("without an end\r\n".utf8))
    }

    @Test func `each key's signature holds for the public half in its record`() throws {
        for algorithm in DKIMKey.Algorithm.allCases {
            let made = try DKIMKey(new: algorithm, domain: "shop.example", selector: "s1")
            let key = try DKIMKey(stored: made.stored, algorithm, domain: "shop.example", selector: "s1")
            #expect(key.publicKey == made.publicKey)
            let text = Array("from:a\r\n".utf8)
            let signature = try #require(Data(base64Encoded: try key.signature(of: text)))
            let publicKey = try #require(Data(base64Encoded: key.publicKey))
            let digest = SHA256.hash(data: text)
            switch algorithm {
            case .rsa:
                let reader = try _RSA.Signing.PublicKey(derRepresentation: publicKey)
                #expect(
                    reader.isValidSignature(
                        .init(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5))
                #expect(publicKey.base64EncodedString().count == 392)
            case .ed25519:
                #expect(publicKey.count == 32)
                let reader = try Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
                #expect(reader.isValidSignature(signature, for: Data(digest)))
            }
            #expect(DKIMKey.record(algorithm, publicKey: key.publicKey).hasSuffix("; p=\(key.publicKey)"))
        }
    }

    @Test func `a mail gets a signature by each key, and headers cannot be added to it`() throws {
        let keys = try DKIMKey.Algorithm.allCases.map { try DKIMKey(new: $0, domain: "a.example", selector: "x") }
        let signed = try DKIMSignature.sign(Array(Self.mail.utf8), with: keys, at: 1_528_637_909)
        for (place, key) in keys.enumerated() {
            #expect(try tag("a", of: signed, signature: place) == key.algorithm.rawValue)
            let names = try tag("h", of: signed, signature: place).split(separator: ":")
            for name in ["from", "to", "subject", "date", "message-id"] {
                #expect(names.filter { $0 == name }.count == 2, "\(name) is named once more than it occurs")
            }
            #expect(names.filter { $0 == "reply-to" }.count == 1, "nobody can add an address for answers")
        }
        let lines = String(decoding: signed, as: UTF8.self).components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
    }

    @Test func `a key that was kept as another kind of key is not taken`() throws {
        let made = try DKIMKey(new: .rsa, domain: "shop.example", selector: "s1")
        #expect(throws: DKIMKey.Unreadable.self) {
            try DKIMKey(stored: made.stored, .ed25519, domain: "shop.example", selector: "s1")
        }
    }
}

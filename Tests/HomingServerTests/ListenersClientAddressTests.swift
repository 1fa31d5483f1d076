// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingServer
import HomingStore
import Testing

@Suite struct `Who a request comes from` {
    private static let proxies = ["10.0.0.0/8", "2001:db8:ff::/48", "127.0.0.1"].compactMap {
        AddressRange(parsing: $0)
    }

    private static let forwardedFor = "X-Forwarded-For"
    private static let forwarded = "Forwarded"

    /// ListenerPeer, fields, and the address that counts.
    private static let rows: [(String, [(String, String)], String)] = [
        // From an untrusted peer the fields mean nothing.
        ("192.0.2.9", [(forwardedFor, "198.51.100.1")], "192.0.2.9"),
        ("192.0.2.9", [(forwarded, "for=198.51.100.1")], "192.0.2.9"),
        ("11.0.0.1", [(forwardedFor, "10.0.0.1")], "11.0.0.1"),
        // From a proxy the rightmost untrusted hop counts; the client wrote everything left of it.
        ("10.0.0.1", [(forwardedFor, "198.51.100.1")], "198.51.100.1"),
        ("10.0.0.1", [(forwardedFor, "1.2.3.4, 198.51.100.1")], "198.51.100.1"),
        ("10.0.0.1", [(forwardedFor, "1.2.3.4, 198.51.100.1, 10.9.9.9")], "198.51.100.1"),
        ("10.0.0.1", [(forwardedFor, "1.2.3.4,198.51.100.1,127.0.0.1,2001:db8:ff::1")], "198.51.100.1"),
        ("10.0.0.1", [(forwardedFor, "1.2.3.4"), (forwardedFor, "198.51.100.1")], "198.51.100.1"),
        ("::ffff:10.0.0.1", [(forwardedFor, "198.51.100.1")], "198.51.100.1"),
        ("10.0.0.1", [(forwardedFor, "::ffff:198.51.100.1")], "198.51.100.1"),
        ("10.0.0.1", [(forwardedFor, "198.51.100.1:4711")], "198.51.100.1"),
        ("10.0.0.1", [(forwardedFor, "[2001:db8::7]:4711")], "2001:db8::7"),
        ("10.0.0.1", [(forwardedFor, "2001:DB8:0::7")], "2001:db8::7"),
        ("2001:db8:ff::1", [(forwardedFor, "2001:db8::7")], "2001:db8::7"),
        // Hops all trusted: the farthest.
        ("10.0.0.1", [(forwardedFor, "10.0.0.3, 10.0.0.2")], "10.0.0.3"),
        // No hop, or one that is no address: the proxy that reported it.
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "unknown")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "198.51.100.1, ")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "198.51.100.1, _hidden, 10.0.0.2")], "10.0.0.2"),
        ("10.0.0.1", [(forwardedFor, "0x7f.1")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "010.0.0.1")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "198.51.100.1\u{85}")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "[198.51.100.1")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "fe80::1%eth0")], "10.0.0.1"),
        // Forwarded (RFC 7239).
        ("10.0.0.1", [(forwarded, "for=198.51.100.1;proto=https;host=evil.example")], "198.51.100.1"),
        ("10.0.0.1", [(forwarded, "proto=http;For=\"[2001:db8::7]:4711\"")], "2001:db8::7"),
        ("10.0.0.1", [(forwarded, "for=1.2.3.4, for=198.51.100.1, for=10.0.0.2")], "198.51.100.1"),
        ("10.0.0.1", [(forwarded, "for=1.2.3.4;for=198.51.100.1")], "10.0.0.1"),
        ("10.0.0.1", [(forwarded, "for=unknown")], "10.0.0.1"),
        ("10.0.0.1", [(forwarded, "by=198.51.100.1")], "10.0.0.1"),
        // A proxy keeps one of the two and passes the other on as the client wrote it.
        ("10.0.0.1", [(forwardedFor, "198.51.100.1"), (forwarded, "for=1.2.3.4")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "1.2.3.4"), (forwarded, "for=198.51.100.1")], "10.0.0.1"),
        ("10.0.0.1", [(forwardedFor, "198.51.100.1"), (forwarded, "for=198.51.100.1")], "198.51.100.1"),
        // Other fields never count.
        (
            "10.0.0.1", [("X-Real-IP", "1.2.3.4"), ("True-Client-IP", "1.2.3.4"), ("CF-Connecting-IP", "1.2.3.4")],
            "10.0.0.1"
        ),
    ]

    @Test(arguments: rows.indices)
    func `the rightmost hop that is no trusted proxy`(row: Int) throws {
        let (peer, fields, expected) = Self.rows[row]
        var headers = HTTPFields()
        for (name, value) in fields {
            headers.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let address = ClientAddress.of(
            peer: try #require(IPAddress(parsing: peer)), fields: headers, trustedProxies: Self.proxies
        )
        #expect(address.description == expected, "\(peer) \(fields)")
    }

    @Test func `without trusted proxies only the peer counts`() throws {
        var headers = HTTPFields()
        headers.append(HTTPField(name: try #require(HTTPField.Name(Self.forwardedFor)), value: "1.2.3.4"))
        let peer = try #require(IPAddress(parsing: "127.0.0.1"))
        #expect(ClientAddress.of(peer: peer, fields: headers, trustedProxies: []) == peer)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"), ("::1", "::/64"),
    ])
    func `limits count an IPv6 network of 64 bits as one`(text: String, key: String) throws {
        #expect(try #require(IPAddress(parsing: text)).networkKey == key)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "0x1.2.3.4", "1.2.3.4\u{0}",
        "::1%lo",
        "[::1]", "1::2::3", "12345::", ":", "1.2.3.4:80", "١.2.3.4", "localhost",
    ])
    func `a text that is no address is refused`(text: String) {
        #expect(IPAddress(parsing: text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("192.0.2.7", "192.0.2.7", true),
        ("192.0.2.7", "192.0.2.6", false), ("192.0.2.7/32", "192.0.2.7", true), ("192.0.2.6/31", "192.0.2.7", true),
        ("128.0.0.0/1", "200.0.0.1", true), ("2001:db8::/32", "2001:db8:ffff::1", true),
        ("2001:db8::/32", "2001:db9::", false), ("2001:db8::/127", "2001:db8::1", true), ("8000::/1", "ffff::", true),
        ("::1", "::1", true), ("10.0.0.0/8", "::ffff:10.1.1.1", true), ("::ffff:10.0.0.0/104", "10.1.1.1", true),
        ("10.0.0.0/8", "::10.1.1.1", false), ("2002::/16", "32.2.0.0", false),
    ])
    func `a range holds what it says`(range: String, address: String, isIn: Bool) throws {
        let range = try #require(AddressRange(parsing: range))
        #expect(range.contains(try #require(IPAddress(parsing: address))) == isIn)
    }

    @Test(arguments: [
        "::ffff:0.0.0.0/96", "::ffff:10.0.0.0/95", "10.0.0.0/", "/8", "10.0.0.0/+8", "10.0.0.0/ 8", "::/0",
    ])
    func `a range that trusts everybody, or is none, is refused`(text: String) {
        #expect(AddressRange(parsing: text) == nil)
    }
}

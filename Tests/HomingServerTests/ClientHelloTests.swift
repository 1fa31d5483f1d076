// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingListener
import HomingServer
import Testing

@Suite struct `The first message of a TLS client` {
    private func counted(_ bytes: [UInt8], by size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) } + bytes
    }

    private func hello(_ protocols: [String]?) -> [UInt8] {
        var extensions: [UInt8] = [0, 10] + counted([0, 2, 0, 29], by: 2)
        if let protocols {
            let names = protocols.flatMap { counted(Array($0.utf8), by: 1) }
            extensions += [0, 16] + counted(counted(names, by: 2), by: 2)
        }
        extensions += [0, 43] + counted([2, 3, 4], by: 2)
        var body: [UInt8] = [3, 3] + [UInt8](repeating: 7, count: 32)
        body += counted([UInt8](repeating: 9, count: 32), by: 1)
        body += counted([0x13, 1, 0x13, 2], by: 2) + counted([0], by: 1) + counted(extensions, by: 2)
        return [1] + counted(body, by: 3)
    }

    private func records(_ message: [UInt8], of size: Int) -> [UInt8] {
        stride(from: 0, to: message.count, by: size).flatMap { start -> [UInt8] in
            let part = Array(message[start..<min(start + size, message.count)])
            return [22, 3, 1] + counted(part, by: 2)
        }
    }

    private func offers(_ names: String...) -> ClientHello { .offers(names.map { Array($0.utf8) }) }

    @Test func `tells which protocols are offered, in one record or in many`() {
        for size in [40, 100, 16_384] {
            #expect(ClientHello(records(hello(["acme-tls/1"]), of: size)) == offers("acme-tls/1"))
            #expect(ClientHello(records(hello(["h2", "http/1.1"]), of: size)) == offers("h2", "http/1.1"))
            #expect(ClientHello(records(hello(nil), of: size)) == .offers([]))
        }
    }

    @Test func `is read alike however it arrives`() {
        for message in [hello(["acme-tls/1"]), hello(["h2", "http/1.1"]), hello(nil)] {
            let bytes = records(message, of: 40)
            for size in [1, 3, 64] {
                var reading = ClientHello.Reading()
                var last = ClientHello.unfinished
                for start in stride(from: 0, to: bytes.count, by: size) {
                    #expect(last == .unfinished)
                    last = reading.take(bytes[start..<min(start + size, bytes.count)])
                }
                #expect(last == ClientHello(bytes))
            }
        }
    }

    @Test func `is not read on where no authority's would be so long, or in so many pieces`() {
        let bytes = records(hello(["acme-tls/1"]), of: 10)
        #expect(ClientHello(Array(bytes.prefix(4 * 15))) == .unfinished)
        #expect(ClientHello(bytes) == .unreadable)
        #expect(ClientHello([22, 3, 1, 0, 4, 1, 0, 0x40, 1]) == .unreadable)
    }

    @Test func `is waited for until it is whole`() {
        let bytes = records(hello(["acme-tls/1"]), of: 50)
        for length in 0..<bytes.count {
            #expect(ClientHello(Array(bytes.prefix(length))) == .unfinished)
        }
        #expect(ClientHello(bytes + [23, 3, 3, 0, 1, 0]) == offers("acme-tls/1"))
    }

    @Test func `is not waited for where it is none`() {
        for text in ["GET / HTTP/1.1\r\n\r\n", "\u{16}\u{2}x", "\u{17}\u{3}\u{3}\0\u{1}x"] {
            #expect(ClientHello(Array(text.utf8)) == .unreadable)
        }
        // Another message; an empty record; a record, or a message, that is longer than any.
        #expect(ClientHello([22, 3, 1, 0, 4, 2, 0, 0, 0]) == .unreadable)
        #expect(ClientHello([22, 3, 1, 0, 0]) == .unreadable)
        #expect(ClientHello([22, 3, 1, 0x40, 1, 1]) == .unreadable)
        #expect(ClientHello([22, 3, 1, 0, 4, 1, 1, 0, 1]) == .unreadable)
    }

    @Test func `never leads astray, whatever is in it`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var state = seed
        func draw(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let good = hello(["acme-tls/1"])
        for _ in 0..<20_000 {
            var message = good
            for _ in 0...draw(4) { message[draw(message.count)] = UInt8(draw(256)) }
            let bytes = records(message, of: 1 + draw(300))
            let result = ClientHello(bytes)
            #expect(result == ClientHello(bytes), "seed \(seed)")
        }
    }
}

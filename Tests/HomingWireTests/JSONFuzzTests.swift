// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct JSONFuzzTests {
    @Test func `every value comes back from its text`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("JSON values, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_000 {
            let value = Self.value(depth: 0, using: &random)
            #expect(
                try JSON.parse(value.write(pretty: round.isMultiple(of: 2))) == value, "seed \(seed), round \(round)")
        }
    }

    @Test func `damaged texts are refused or mean what they say`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("damaged JSON, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for round in 0..<4_000 {
            let bytes = Self.damaged(Self.value(depth: 0, using: &random).write(pretty: false), using: &random)
            do throws(JSONFault) {
                let value = try JSON.parse(bytes)
                #expect(try JSON.parse(value.write()) == value, "seed \(seed), round \(round)")
            } catch {
                refused += 1
                #expect(error.offset.map { (0...bytes.count).contains($0) } == true, "seed \(seed), round \(round)")
            }
        }
        #expect(refused > 0)
    }

    private static func damaged(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes[index] = .random(in: .min ... .max, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(Array("{}[]\",:\\u0e-.".utf8).randomElement(using: &random) ?? 0, at: index)
            default: bytes.removeSubrange(index...)
            }
        }
        return bytes
    }

    private static func value(depth: Int, using random: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0...(depth < 6 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .int(Int64(truncatingIfNeeded: random.next() >> UInt64.random(in: 0...63, using: &random)))
        case 3:
            let number = Double(bitPattern: random.next())
            return .double(number.isFinite ? number : 0.5)
        case 4, 5: return .string(text(using: &random))
        case 6:
            return .array(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in value(depth: depth + 1, using: &random) })
        default:
            let count = Int.random(in: 0...20, using: &random)
            return .object(
                JSON.Object((0..<count).map { _ in (text(using: &random), value(depth: 6, using: &random)) }))
        }
    }

    private static func text(using random: inout SeededGenerator) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let range: ClosedRange<UInt32> =
                [0x01...0x7F, 0x80...0x7FF, 0x2020...0x2030, 0x300...0x310, 0x10000...0x10FFFF]
                .randomElement(using: &random) ?? 0x20...0x7E
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}

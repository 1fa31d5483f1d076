// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Reads JSON from bytes by recursive descent (RFC 8259); the depth is bounded, so the stack is too.
///
/// The bytes are handed down from call to call, because a span may not be stored. Strings are in `JSONParser+Text`.
struct JSONParser {
    /// The greatest depth of containers. The wire needs fewer than ten.
    static let maximumDepth = 64

    /// The greatest number of members of one object. The largest object on the wire has some thirty.
    static let mostMembers = 1_000

    /// The greatest length of a number. A longer one is nobody's honest number, and converting it costs time.
    private static let maximumNumberLength = 256

    /// The number of members from which on hashing finds equal keys: comparing all pairs would let one body of a
    /// mebibyte hold a core for minutes.
    static let hashingThreshold = 16

    var position = 0
    private var depth = 0
    private var values = 0
    private let mostValues: Int

    init(mostValues: Int) { self.mostValues = mostValues }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw fault(.byteOrderMark)
        }
        skipWhiteSpace(bytes)
        let value = try value(bytes)
        skipWhiteSpace(bytes)
        guard position == bytes.count else { throw fault(.contentAfterValue) }
        return value
    }

    func fault(_ reason: JSONFault.Reason) -> JSONFault {
        JSONFault(reason: reason, offset: position)
    }

    private mutating func value(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
        values += 1
        guard values <= mostValues else { throw fault(.tooManyValues(limit: mostValues)) }
        switch try current(bytes) {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return try object(bytes)
        case UInt8(ascii: "["): return try array(bytes)
        case UInt8(ascii: "t"): return try word("true", as: .bool(true), bytes)
        case UInt8(ascii: "f"): return try word("false", as: .bool(false), bytes)
        case UInt8(ascii: "n"): return try word("null", as: .null, bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
        default: throw fault(.unexpectedByte)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
        try descend()
        var members: [JSON.Object.Member] = []
        var hashed: Set<[UInt8]> = []
        skipWhiteSpace(bytes)
        if try current(bytes) == UInt8(ascii: "}") {
            ascend()
            return .object(JSON.Object())
        }
        while true {
            let keyPosition = position
            guard members.count < Self.mostMembers else { throw fault(.tooManyMembers) }
            guard try current(bytes) == UInt8(ascii: "\"") else { throw fault(.unexpectedByte) }
            let key = try string(bytes)
            guard Self.isNew(key, among: members, hashed: &hashed) else {
                throw JSONFault(reason: .duplicateKey, offset: keyPosition)
            }
            skipWhiteSpace(bytes)
            guard try current(bytes) == UInt8(ascii: ":") else { throw fault(.unexpectedByte) }
            position += 1
            skipWhiteSpace(bytes)
            members.append(JSON.Object.Member(key: key, value: try value(bytes)))
            guard try continues(until: UInt8(ascii: "}"), bytes) else { break }
        }
        return .object(JSON.Object(distinct: members))
    }

    private mutating func array(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
        try descend()
        var elements: [JSON] = []
        skipWhiteSpace(bytes)
        if try current(bytes) == UInt8(ascii: "]") {
            ascend()
            return .array([])
        }
        repeat {
            elements.append(try value(bytes))
        } while try continues(until: UInt8(ascii: "]"), bytes)
        return .array(elements)
    }

    /// Reads on after an element: true behind a comma, false behind the closing bracket.
    private mutating func continues(until end: UInt8, _ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        skipWhiteSpace(bytes)
        let byte = try current(bytes)
        if byte == end {
            ascend()
            return false
        }
        guard byte == UInt8(ascii: ",") else { throw fault(.unexpectedByte) }
        position += 1
        skipWhiteSpace(bytes)
        return true
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        var whole: Int64? = 0
        let leadsWithZero = try current(bytes) == UInt8(ascii: "0")
        let digits = try skipDigits(bytes) { digit in
            // Counted downwards, since the smallest number has no positive counterpart.
            guard let product = whole?.multipliedReportingOverflow(by: 10), !product.overflow else {
                whole = nil
                return
            }
            let next = product.partialValue.subtractingReportingOverflow(Int64(digit))
            whole = next.overflow ? nil : next.partialValue
        }
        guard digits == 1 || !leadsWithZero else { throw JSONFault(reason: .invalidNumber, offset: start) }
        var isWhole = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            _ = try skipDigits(bytes)
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if try [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(current(bytes)) { position += 1 }
            _ = try skipDigits(bytes)
        }
        if isWhole, let whole {
            if isNegative { return .int(whole) }
            if whole != .min { return .int(-whole) }
        }
        guard position - start <= Self.maximumNumberLength, let number = Double(copy(bytes, start..<position)),
            number.isFinite
        else { throw JSONFault(reason: .numberOutOfRange, offset: start) }
        return .double(number)
    }

    /// Skips one digit at least; returns the number of digits.
    private mutating func skipDigits(
        _ bytes: Span<UInt8>, each visit: (UInt8) -> Void = { _ in }
    ) throws(JSONFault) -> Int {
        let start = position
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            visit(digit)
            position += 1
        }
        guard position > start else { throw fault(position == bytes.count ? .unexpectedEnd : .invalidNumber) }
        return position - start
    }

    private mutating func word(_ word: StaticString, as value: JSON, _ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
        for index in 0..<word.utf8CodeUnitCount {
            guard try current(bytes) == word.utf8Start[index] else { throw fault(.unexpectedByte) }
            position += 1
        }
        return value
    }

    func current(_ bytes: Span<UInt8>) throws(JSONFault) -> UInt8 {
        guard position < bytes.count else { throw fault(.unexpectedEnd) }
        return bytes[position]
    }

    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func descend() throws(JSONFault) {
        guard depth < Self.maximumDepth else { throw fault(.tooDeep) }
        depth += 1
        position += 1
    }

    private mutating func ascend() {
        depth -= 1
        position += 1
    }

    private static func isNew(
        _ key: String, among members: [JSON.Object.Member], hashed: inout Set<[UInt8]>
    ) -> Bool {
        guard members.count >= hashingThreshold else {
            return !members.contains { $0.key.hasSameBytes(as: key) }
        }
        if hashed.isEmpty { hashed = Set(members.map { Array($0.key.utf8) }) }
        return hashed.insert(Array(key.utf8)).inserted
    }
}

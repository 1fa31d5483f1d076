// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The two spellings of Proofpoint's URL Defense that are not plain percent-encoding.
enum Proofpoint {
    /// Version 2: `-` stands for `%` and `_` for `/`; both characters themselves are encoded.
    static func second(_ value: Substring) -> String? {
        // A percent in the value would have to be decoded first or last; nothing tells which.
        guard !value.utf8.contains(UInt8(ascii: "%")) else { return nil }
        let bytes = value.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "%")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return percentDecoded(String(decoding: bytes, as: UTF8.self))
    }

    /// Version 3: `/v3/__{link}__;{bytes}!…`. Every character of the link that its rules forbid is a `*`, a run of them
    /// is `**` and its length, and the original characters follow the link in base64url.
    static func third(_ url: String) -> String? {
        let text = Array(url.utf8)
        guard let start = index(of: "/v3/__", in: text, from: 0).map({ $0 + 6 }),
            let end = index(of: "__;", in: text, from: start), index(of: "__;", in: text, from: end + 1) == nil,
            let mark = text[end...].firstIndex(of: UInt8(ascii: "!")),
            let replaced = base64URLDecoded(text[(end + 3)..<mark])
        else { return nil }
        // Some readers decode percents of the link and some do not; their own rules leave none.
        guard replaced.allSatisfy({ ASCII.isVisible($0) }), !text[start..<end].contains(UInt8(ascii: "%"))
        else { return nil }
        return filled(text[start..<end], with: replaced)
    }

    private static func filled(_ link: ArraySlice<UInt8>, with replaced: [UInt8]) -> String? {
        var filled: [UInt8] = []
        var rest = link
        var used = 0
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "*") else {
                filled.append(byte)
                continue
            }
            var length = 1
            if rest.first == UInt8(ascii: "*") {
                guard let value = rest.dropFirst().first.flatMap(Base64URL.value) else { return nil }
                rest = rest.dropFirst(2)
                length = Int(value) + 2
            }
            guard replaced.count - used >= length else { return nil }
            filled += replaced[used..<(used + length)]
            used += length
        }
        return used == replaced.count ? String(decoding: filled, as: UTF8.self) : nil
    }

    private static func index(of pattern: String, in text: [UInt8], from start: Int) -> Int? {
        let pattern = Array(pattern.utf8)
        guard text.count - start >= pattern.count else { return nil }
        return (start...(text.count - pattern.count)).first { text[$0...].starts(with: pattern) }
    }
}

/// The bytes of base64url without padding (RFC 4648 section 5); nil for any other character and for a length that no
/// bytes have.
private func base64URLDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var text = text
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    guard text.count % 4 != 1 else { return nil }
    var decoded: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
        guard let value = Base64URL.value(of: byte) else { return nil }
        bits = bits << 6 | UInt32(value)
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return decoded
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Percent-encodes every byte but the unreserved ones of RFC 3986 section 2.3 (letters, digits, `-` `.` `_` `~`).
///
/// Encodes more than JavaScript's `encodeURIComponent` (`!'()*` too), so that the result may stand in HTML attributes
/// and in the query of a link inside a link.
package func percentEncoded(_ text: String) -> String {
    let count = text.utf8.count { !isUnreserved($0) }
    guard count > 0 else { return text }
    return String(unsafeUninitializedCapacity: text.utf8.count + 2 * count) { encoded in
        var end = 0
        func append(_ byte: UInt8) {
            encoded[end] = byte
            end += 1
        }
        for byte in text.utf8 {
            if isUnreserved(byte) {
                append(byte)
            } else {
                append(UInt8(ascii: "%"))
                append(Hexadecimal.upperDigit(byte >> 4))
                append(Hexadecimal.upperDigit(byte & 0xF))
            }
        }
        return end
    }
}

/// The text behind percent-encoding, decoded once; `+` stays a plus.
///
/// - Returns: nil when a `%` is not followed by two hexadecimal digits or the result is not UTF-8, where decoders
///   disagree about the meaning.
package func percentDecoded(_ text: some StringProtocol) -> String? {
    guard text.index(ofByte: UInt8(ascii: "%")) != nil else { return String(text) }
    let decoded =
        text.utf8.withContiguousStorageIfAvailable { percentDecodedBytes($0) } ?? percentDecodedBytes(text.utf8)
    guard let decoded, UTF8Sequence.isValid(decoded.span) else { return nil }
    return String(decoding: decoded, as: UTF8.self)
}

/// Not an Array, whose span needs iOS 26.
private func percentDecodedBytes(_ text: some Collection<UInt8>) -> ContiguousArray<UInt8>? {
    var decoded: ContiguousArray<UInt8> = []
    decoded.reserveCapacity(text.count)
    var bytes = text.makeIterator()
    while let byte = bytes.next() {
        guard byte == UInt8(ascii: "%") else {
            decoded.append(byte)
            continue
        }
        guard let high = bytes.next().flatMap(Hexadecimal.value), let low = bytes.next().flatMap(Hexadecimal.value)
        else { return nil }
        decoded.append(high << 4 | low)
    }
    return decoded
}

private func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isLetterOrDigit(byte) || "-._~".utf8.contains(byte)
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// The address to which mail servers report what they could not deliver. Each mail has an envelope sender of its own
/// there (VERP): `bounces+TOKEN@example.com`. The token names the mail and proves that the mail was ours.
///
/// A token is key version (1 byte), the mail's id (17) and MAC (8), as 52 hexadecimal digits: servers on the way may
/// fold the case of a local part, and ids have letters of both cases.
package struct BounceAddress: Sendable, Equatable, CustomStringConvertible {
    private static let idLength = 17
    private static let macLength = 8
    private static let tokenLength = 2 * (1 + idLength + macLength)
    /// RFC 5321, section 4.5.3.1.1, allows a local part 64 bytes; a token and its `+` take the others.
    package static let longestLocalPart = 64 - 1 - tokenLength

    private let address: EmailAddress

    /// Nil for an address that is none, or whose local part leaves no room for a token.
    package init?(parsing text: String) {
        guard let address = try? EmailAddress(parsing: text), address.local.utf8.count <= Self.longestLocalPart,
            address.text.utf8.count <= 254 - 1 - Self.tokenLength
        else { return nil }
        self.address = address
    }

    package var description: String { address.text }

    /// The envelope sender of a mail.
    package func sender(of mail: String, ring: KeyRing) -> String {
        guard let token = Self.token(of: mail, ring: ring) else { return address.text }
        return "\(address.local)+\(token)@\(address.domain)"
    }

    private static func token(of mail: String, ring: KeyRing) -> String? {
        let version = ring.newestHere
        guard let id = bytes(ofID: mail), let mac = try? mac(version, id, ring) else { return nil }
        return Hexadecimal.encode([version] + id + mac)
    }

    /// The id of the mail that the first genuine token in a text names; nil where there is none. The text is an
    /// envelope sender, a header's value, or a token alone.
    ///
    /// - Throws: ``Refusal/keyMissing`` where this node cannot judge the token.
    package static func mail(in text: String, ring: KeyRing) throws(Refusal) -> String? {
        for word in text.utf8.split(whereSeparator: { !ASCII.isLetterOrDigit($0) }) where word.count == tokenLength {
            let digits = word.compactMap(Hexadecimal.value)
            guard digits.count == tokenLength else { continue }
            let bytes = stride(from: 0, to: tokenLength, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            let id = Array(bytes[1...idLength])
            guard let mac = try mac(bytes[0], id, ring), areEqualInConstantTime(mac, bytes[(1 + idLength)...]) else {
                continue
            }
            return String(decoding: Base64URL.encode(id + [0]).utf8.prefix(idLetters), as: UTF8.self)
        }
        return nil
    }

    private static func mac(_ version: UInt8, _ id: [UInt8], _ ring: KeyRing) throws(Refusal) -> ArraySlice<UInt8>? {
        try ring.mac([version] + id, for: .bounceToken, version: version)?.prefix(macLength)
    }

    private static let idLetters = 22

    /// The letters and digits of an id are letters of base64url, six bits each.
    private static func bytes(ofID mail: String) -> [UInt8]? {
        guard mail.utf8.count == idLetters else { return nil }
        return Base64URL.decode(mail + "AA").map { Array($0.prefix(idLength)) }
    }
}

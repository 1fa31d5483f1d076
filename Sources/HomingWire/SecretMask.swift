// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Masks secrets in text that is shown to somebody: action codes and tokens anywhere, passwords in URLs of settings.
package enum SecretMask {
    /// The text that replaces a secret.
    package static let mask = "***"

    private static let name = Array("oobcode".utf8)
    /// The characters of an action code. Refresh tokens and the parts of a JWT are as long or longer.
    private static let shortestSecret = 54
    /// The characters of a JOSE header with an algorithm, at least.
    private static let shortestHeader = 10

    /// Masks action codes and tokens: the last net under code that should not have shown them at all.
    ///
    /// There are three rules. The value of a parameter `oobCode`, however often its equals sign was percent-encoded, up
    /// to the end of the parameter. Every unbroken run of base64url characters (RFC 4648 section 5) that is as long as
    /// a code, whatever the run is called. A JWT (RFC 7519) with all its parts, including short ones.
    package static func masked(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let end = endOfName(at: index, bytes) {
                result += bytes[index..<end]
                let next = endOfValue(from: end, bytes)
                if next > end { result += mask.utf8 }
                index = next
            } else if let end = endOfRun(at: index, bytes) {
                result += isSecret(bytes[index..<end]) ? ArraySlice(mask.utf8) : bytes[index..<end]
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A line from a stranger's server, for terminals and the database: printable ASCII, secrets masked, since a server
    /// may quote the message that it refuses.
    package static func line(_ bytes: [UInt8], atMost limit: Int) -> String {
        let kept = String(decoding: bytes.prefix(4_096).filter(ASCII.isPrintable), as: UTF8.self)
        return String(decoding: masked(kept).utf8.prefix(limit), as: UTF8.self)
    }

    /// The index behind `oobCode=`, where the equals sign may be encoded.
    private static func endOfName(at index: Int, _ bytes: [UInt8]) -> Int? {
        guard bytes.count - index > name.count, ASCII.folded(bytes[index]) == name[0],
            zip(bytes[index...], name).allSatisfy({ ASCII.folded($0) == $1 })
        else { return nil }
        return endOfSign(UInt8(ascii: "="), at: index + name.count, bytes)
    }

    /// The end of a value, which is that of its parameter: `&`, `#` or `;`, plain or encoded, or where no URL goes on.
    private static func endOfValue(from start: Int, _ bytes: [UInt8]) -> Int {
        var index = start
        while index < bytes.count {
            if bytes[index] <= 0x20 || bytes[index] == UInt8(ascii: "\"") { return index }
            if "&#;".utf8.contains(where: { endOfSign($0, at: index, bytes) != nil }) { return index }
            index += 1
        }
        return index
    }

    /// The index behind a sign that is plain (`&`), encoded (`%26`) or encoded several times (`%2526`).
    private static func endOfSign(_ sign: UInt8, at index: Int, _ bytes: [UInt8]) -> Int? {
        guard index < bytes.count else { return nil }
        if bytes[index] == sign { return index + 1 }
        guard bytes[index] == UInt8(ascii: "%") else { return nil }
        var position = index + 1
        while bytes[position...].starts(with: "25".utf8) { position += 2 }
        let digits = bytes[position...].prefix(2)
        let values = digits.compactMap(Hexadecimal.value)
        guard values.count == 2, values[0] << 4 | values[1] == sign else { return nil }
        return position + 2
    }

    /// The end of a run of base64url characters that begins here. Dots belong to it, because they hold a JWT together.
    private static func endOfRun(at index: Int, _ bytes: [UInt8]) -> Int? {
        func isOfRun(_ byte: UInt8) -> Bool { ASCII.isBase64URL(byte) || byte == UInt8(ascii: ".") }
        var end = index
        while end < bytes.count, isOfRun(bytes[end]), end == index || endOfName(at: end, bytes) == nil { end += 1 }
        return end > index ? end : nil
    }

    private static func isSecret(_ run: ArraySlice<UInt8>) -> Bool {
        // As short as a word: no part of it is long enough.
        guard run.count >= shortestHeader else { return false }
        let parts = run.split(separator: UInt8(ascii: "."))
        // Every JOSE header begins with `{"`, which is `eyJ`.
        let isJWT = parts.count >= 2 && parts.contains { $0.starts(with: "eyJ".utf8) && $0.count >= shortestHeader }
        return isJWT || parts.contains { $0.count >= shortestSecret }
    }

    // MARK: Settings

    /// Masks the password before the last `@`, and a `password=` parameter; works on malformed URLs too, since refused
    /// values are shown as well. A user name stays, unless it is the password again, as with tokens, or has no password
    /// beside it, as tokens also do.
    package static func password(inURL text: String) -> String {
        parameter(credentials(text))
    }

    private static func credentials(_ text: String) -> String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
        var start = text.startIndex
        for index in text.utf8.indices where text[index...].utf8.starts(with: "://".utf8) {
            start = text.utf8.index(index, offsetBy: 3)
            break
        }
        guard start < at else { return text }
        let userInformation = text[start..<at]
        let parts = userInformation.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map(Substring.init)
        let isUserShown = parts.count == 2 && !parts[0].utf8.elementsEqual(parts[1].utf8)
        let shown = isUserShown ? "\(parts[0]):\(mask)" : parts.count == 2 ? "\(mask):\(mask)" : mask
        return "\(text[..<start])\(shown)\(text[at...])"
    }

    private static func parameter(_ text: String) -> String {
        let key = Array("password=".utf8)
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index...].prefix(key.count).map(ASCII.folded) == key else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result += bytes[index..<index + key.count] + Array(mask.utf8)
            index += key.count
            while index < bytes.count, bytes[index] != UInt8(ascii: "&"), bytes[index] != 0x20 { index += 1 }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

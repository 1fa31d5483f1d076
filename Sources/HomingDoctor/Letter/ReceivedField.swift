// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCurl
internal import HomingWire

/// One step of a letter's way, as the server wrote it down that took the letter (RFC 5321, section 4.4).
struct ReceivedField: Sendable {
    let from: String?
    let by: String?
    /// `ESMTPS`, in capitals (RFC 3848).
    let with: String?
    /// Seconds since 1970.
    let date: Int64?
    /// The address of the other server, where it is written in square brackets.
    let address: String?
    private let tellsOfTLS: Bool

    init(_ value: String) {
        let commented = CommentedValue(value)
        let halves = commented.text.split(separator: ";", omittingEmptySubsequences: false)
        let seconds = halves.count > 1 ? halves.last.flatMap { CurlTransfer.date(String(ASCII.trimmed($0))) } : nil
        date = seconds.flatMap(LetterCheck.date(ofSeconds:))
        let words = halves.dropLast(halves.count > 1 ? 1 : 0).joined(separator: " ").split(
            whereSeparator: \.isWhitespace)
        func word(behind name: String) -> String? {
            guard let index = words.firstIndex(where: { ASCII.areEqual($0, name) }), index + 1 < words.count else {
                return nil
            }
            return String(words[index + 1])
        }
        from = word(behind: "from")
        by = word(behind: "by").map { ASCII.lowercased($0) }
        with = word(behind: "with")?.uppercased()
        // A server that writes no comments has the address between its words.
        let start = value.utf8.firstIndex(of: UInt8(ascii: "["))
        let isBeforeBy = from != nil
        address =
            isBeforeBy
            ? start.flatMap { start in
                let inner = value[start...].dropFirst().prefix { $0 != "]" }
                return inner.utf8.count <= 64 ? String(inner) : nil
            } : nil
        let remarks = ASCII.lowercased(commented.comments.joined(separator: " ") + " " + commented.text)
        tellsOfTLS = ["version=tls", "using tls", "cipher=", "cipher "].contains { ASCII.contains(remarks, $0) }
    }

    private static let plain: Set<String> = ["SMTP", "ESMTP", "ESMTPA", "UTF8SMTP", "UTF8SMTPA"]

    /// Whether the letter went between two organisations, over a network that others can read.
    var isBetweenStrangers: Bool {
        guard from != nil, let by, with.map({ !$0.hasPrefix("LMTP") && !$0.hasPrefix("HTTP") }) ?? false else {
            return false
        }
        if let address, Self.isInside(address) { return false }
        if let from, MailDomain.isName(from), MailDomain.areAligned(from, by) { return false }
        return MailDomain.isName(by)
    }

    var isEncrypted: Bool { tellsOfTLS || !(with.map(Self.plain.contains) ?? false) }

    /// Whether an address belongs to the machine or to a private network.
    private static func isInside(_ text: String) -> Bool {
        let address = ASCII.lowercased(text.hasPrefixFoldingASCII("ipv6:") ? text.dropFirst(5) : text[...])
        if address.contains(":") {
            return address == "::1" || address.hasPrefix("fe80:") || address.hasPrefix("fc") || address.hasPrefix("fd")
        }
        let parts = address.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 4 else { return false }
        return switch (parts[0], parts[1]) {
        case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31), (100, 64...127): true
        default: false
        }
    }
}

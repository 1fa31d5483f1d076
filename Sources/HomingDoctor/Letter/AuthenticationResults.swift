// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// What a receiver has found about a letter's sender, as it wrote that down (RFC 8601).
struct AuthenticationResults: Sendable {
    struct Result: Sendable {
        /// `dkim`, `spf`, `dmarc`, in lower case.
        let method: String
        /// `pass`, `fail`, in lower case.
        let verdict: String
        /// `header.d` and its like.
        let properties: [(name: String, value: String)]

        subscript(_ name: String) -> String? { properties.first { $0.name == name }?.value }
    }

    /// Who says so; nil where the field does not tell, as Microsoft's.
    let server: String?
    let results: [Result]

    init(_ value: String) {
        var pieces = CommentedValue(value).text.split(separator: ";")[...]
        if let first = pieces.first, !first.contains("=") {
            server = first.split(whereSeparator: \.isWhitespace).first.map { ASCII.lowercased($0) }
            pieces = pieces.dropFirst()
        } else {
            server = nil
        }
        results = pieces.compactMap(Self.result)
    }

    private static func result(_ piece: Substring) -> Result? {
        let pairs = piece.split(whereSeparator: \.isWhitespace).compactMap { word -> (String, String)? in
            let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { return nil }
            return (ASCII.lowercased(pair[0]), pair[1].filter { $0 != "\"" })
        }
        guard let first = pairs.first, let method = first.0.split(separator: "/").first else { return nil }
        return Result(
            method: String(method), verdict: ASCII.lowercased(first.1),
            properties: pairs.dropFirst().map { (name: $0.0, value: $0.1) })
    }

    /// What the mailbox's own server wrote; nil where it wrote nothing. Fields of other servers prove nothing: a relay,
    /// or whoever forges a mail, writes what it likes. The fields of the server that wrote the topmost one count, if it
    /// is the receiver's, and only as far down as the next server's `Received`.
    static func ofReceiver(of letter: MIMEPart, recipient: String?) -> [AuthenticationResults.Result]? {
        guard let top = letter.fields.firstIndex(where: { $0.name == "authentication-results" }) else { return nil }
        // The receiver's own servers are those down to the one that took the letter from a stranger.
        let hops = letter.values("received").map(ReceivedField.init)
        let border = hops.firstIndex(where: \.isBetweenStrangers) ?? 0
        var own = Set(hops.prefix(border + 1).compactMap(\.by).map { family(of: $0) })
        let mailbox = recipient ?? letter.value("delivered-to") ?? letter.value("to")
        if let domain = mailbox.flatMap(MailDomain.domain(ofAddress:)) { own.insert(family(of: domain)) }
        let first = AuthenticationResults(letter.fields[top].value)
        let isOwn: (AuthenticationResults) -> Bool = { found in
            if let server = found.server { return own.contains(family(of: server)) }
            return own.contains("outlook.com") || letter.value("x-forefront-antispam-report") != nil
        }
        guard isOwn(first) else { return nil }
        var results: [Result] = []
        for field in letter.fields[top...] {
            if field.name == "received" { break }
            guard field.name == "authentication-results" else { continue }
            let found = AuthenticationResults(field.value)
            let isSame = found.server.map(family) == first.server.map(family)
            if isSame, isOwn(found) { results += found.results }
        }
        return results
    }

    /// The organisation of a host; those of one provider that has several count as one.
    private static func family(of host: String) -> String {
        let organisation = MailDomain.organisation(of: host)
        return switch organisation {
        case "me.com", "mac.com", "apple.com": "icloud.com"
        case "gmail.com", "googlemail.com": "google.com"
        case "ymail.com", "aol.com", "yahoodns.net": "yahoo.com"
        case "fastmail.com", "fastmail.fm": "messagingengine.com"
        case "hotmail.com", "live.com", "office365.com": "outlook.com"
        default: organisation
        }
    }
}

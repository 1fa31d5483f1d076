// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The query of a URL as ordered pairs. The first `=` of a piece splits it, `+` is a plus, empty pieces do not count.
package struct QueryString: Sendable {
    /// One decoded parameter; without a `=` its value is empty.
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let parameters: [Parameter]

    package init(_ parameters: [Parameter]) {
        self.parameters = parameters
    }

    /// Parses the text between `?` and `#`.
    ///
    /// - Returns: nil when a name or value is not strict percent-encoding of UTF-8 (``percentDecoded(_:)``).
    package init?(parsing query: some StringProtocol) {
        var parameters: [Parameter] = []
        for piece in Substring(query).pieces(separatedBy: UInt8(ascii: "&")) {
            guard let parameter = Self.parameter(piece) else { return nil }
            parameters.append(parameter)
        }
        self.parameters = parameters
    }

    /// Parses what a browser makes of a form, in a body or behind a `?`: there a plus is a space, and a plus itself is
    /// always percent-encoded.
    package init?(parsingForm text: some StringProtocol) {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        self.init(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses what can be read of a query that may have been cut: a piece that is no strict percent-encoding hides no
    /// other piece.
    package init(readableIn query: some StringProtocol) {
        parameters = Substring(query).pieces(separatedBy: UInt8(ascii: "&")).compactMap(Self.parameter)
    }

    /// The value of the first parameter of this name; nil when there is none.
    ///
    /// The first counts, because a continue URL that was decoded too early follows the action link's own parameters.
    package subscript(_ name: String) -> String? {
        parameters.first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Whether a parameter occurs more than once in the query.
    package func repeats(_ name: String) -> Bool {
        parameters.count { $0.name.hasSameBytes(as: name) } > 1
    }

    /// One piece between two `&`, decoded; nil when it is not strict percent-encoding.
    static func parameter(_ piece: Substring) -> Parameter? {
        let end = piece.index(ofByte: UInt8(ascii: "=")) ?? piece.endIndex
        let valueStart = end == piece.endIndex ? end : piece.utf8.index(after: end)
        guard let name = percentDecoded(piece[..<end]), let value = percentDecoded(piece[valueStart...])
        else { return nil }
        return Parameter(name: name, value: value)
    }
}

extension QueryString {
    /// A URL with parameters added at the end of its query and before its fragment; every other byte is unchanged.
    ///
    /// A parameter that the URL already has under the same name is replaced: of two, some readers take the first and
    /// some the last.
    package static func merging(parameters: [(name: String, value: String)], into url: String) -> String {
        let parts = URLParts(url)
        let kept = (parts.query ?? "").utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            .map(Substring.init).filter { piece in
                let end = piece.utf8.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
                guard let name = percentDecoded(piece[..<end]) else { return true }
                return !parameters.contains { $0.name.hasSameBytes(as: name) }
            }
        let pieces = parameters.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
        return adding(pieces: pieces, to: "\(parts.base)?\(kept.joined(separator: "&"))\(parts.fragment)")
    }

    /// A URL with pieces, which are encoded already, at the end of its query and before its fragment.
    package static func adding(pieces: [String], to url: String) -> String {
        let parts = URLParts(url)
        var query = String(parts.query ?? "")
        for piece in pieces {
            if let last = query.utf8.last, last != UInt8(ascii: "&") { query += "&" }
            query += piece
        }
        return "\(parts.base)?\(query)\(parts.fragment)"
    }
}

extension QueryString {
    /// A query with the separators that were written for HTML once too often on the way (`&amp;`, `&#38;`, `&#038;`,
    /// `&#x26;`, also percent-encoded or several times over) as they were: `&`.
    ///
    /// No name of a parameter begins so, therefore nothing else can be meant. Every other byte is unchanged, and what
    /// comes of it is judged as if it had come undamaged.
    ///
    /// - Returns: nil for a query without such a separator.
    package static func mended(_ query: Substring) -> String? {
        var rest = query
        // Nearly every query is whole, and links are opened by the thousand.
        while withoutEscape(rest) == nil {
            guard let next = rest.index(ofByte: UInt8(ascii: "&")) else { return nil }
            rest = rest[rest.utf8.index(after: next)...]
        }
        return query.pieces(separatedBy: UInt8(ascii: "&")).map { piece in
            var piece = piece
            while let rest = withoutEscape(piece) { piece = rest }
            return piece
        }.joined(separator: "&")
    }

    /// The target of a request with its query mended; nil where there is nothing to mend.
    package static func mended(target: String) -> String? {
        guard let mark = target.index(ofByte: UInt8(ascii: "?")) else { return nil }
        let start = target.utf8.index(after: mark)
        return mended(target[start...]).map { "\(target[..<start])\($0)" }
    }

    /// What follows the rest of an escaped `&` at the beginning of a text; nil where there is none.
    private static func withoutEscape(_ piece: Substring) -> Substring? {
        guard let first = piece.utf8.first, "aA#%".utf8.contains(first) else { return nil }
        for escape in escapes where piece.hasPrefixFoldingASCII(escape) {
            let rest = Substring(piece.utf8.dropFirst(escape.utf8.count))
            for end in [";", "%3B"] where rest.hasPrefixFoldingASCII(end) {
                return Substring(rest.utf8.dropFirst(end.utf8.count))
            }
        }
        return nil
    }

    private static let escapes = ["amp", "#38", "#038", "#x26", "%2338", "%23038", "%23x26"]
}

/// A URL cut at its first `#` and, before that, at its first `?`, as RFC 3986 section 3 does; nothing is decoded.
struct URLParts {
    /// Everything before the query.
    let base: Substring
    /// The query behind the `?`; nil without one.
    let query: Substring?
    /// The fragment with its `#`; empty without one.
    let fragment: Substring

    init(_ url: String) {
        let end = url.index(ofByte: UInt8(ascii: "#")) ?? url.endIndex
        fragment = url[end...]
        let rest = url[..<end]
        if let mark = rest.index(ofByte: UInt8(ascii: "?")) {
            base = rest[..<mark]
            query = rest[rest.utf8.index(after: mark)...]
        } else {
            base = rest
            query = nil
        }
    }
}

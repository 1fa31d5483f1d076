// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The query of an incoming URL, of which only our links' parameters are decoded; each may occur once.
struct IncomingQuery {
    private let base: Substring
    private var values = [String?](repeating: nil, count: names.count)
    /// The value of `continueUrl` as the URL has it, not decoded.
    private var rawContinueURL: Substring?
    /// Whether nothing follows `continueUrl`.
    private var endsInContinueURL = false
    private var others: [Substring] = []

    private static let names = [
        "mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId", "link", "deep_link_id", "match_type",
    ]
    private static let continueURLIndex = 3
    /// The first index of the wrappers' names, which a page may use for something else.
    private static let firstWrapperIndex = 6

    /// - Returns: nil when one of our parameters cannot be decoded or occurs twice.
    init?(_ url: String) {
        let parts = URLParts(url)
        base = parts.base
        let query = parts.query ?? ""
        for piece in (QueryString.mended(query)?[...] ?? query).pieces(separatedBy: UInt8(ascii: "&")) {
            let end = piece.index(ofByte: UInt8(ascii: "=")) ?? piece.endIndex
            guard let index = Self.index(of: piece[..<end]) else {
                others.append(piece)
                endsInContinueURL = false
                continue
            }
            let raw = end == piece.endIndex ? "" : piece[piece.utf8.index(after: end)...]
            guard values[index] == nil, let value = percentDecoded(raw) else { return nil }
            values[index] = value
            if index >= Self.firstWrapperIndex { others.append(piece) }
            endsInContinueURL = index == Self.continueURLIndex
            if endsInContinueURL { rawContinueURL = raw }
        }
    }

    private static func index(of name: Substring) -> Int? {
        guard name.utf8.contains(UInt8(ascii: "%")) else {
            let count = name.utf8.count
            return names.firstIndex { $0.utf8.count == count && $0.utf8.elementsEqual(name.utf8) }
        }
        guard let name = percentDecoded(name) else { return nil }
        return names.firstIndex { $0.hasSameBytes(as: name) }
    }

    /// The value of one of our parameters; an empty one counts as absent.
    private subscript(_ name: String) -> String? {
        guard let index = Self.names.firstIndex(of: name), let value = values[index], !value.utf8.isEmpty
        else { return nil }
        return value
    }

    /// Whether the query has any parameter of an action link.
    var isTelling: Bool { contains("oobCode") || contains("mode") || contains("apiKey") || wrapped != nil }

    func contains(_ name: String) -> Bool { self[name] != nil }

    /// The URL in `deep_link_id` or `link`. A text that is no URL under these names belongs to somebody's own page.
    var wrapped: String? {
        [self["deep_link_id"], self["link"]].lazy.compactMap(\.self)
            .first { WebLocation($0) != nil || CustomSchemeLink.matches($0) }
    }

    /// Whether no callback warns that the link may be somebody else's.
    var isExactMatch: Bool { self["match_type"].map { $0.isSameFoldingASCII("unique") } ?? true }

    var action: IncomingAction {
        guard let code = self["oobCode"], let apiKey = self["apiKey"],
            let mode = self["mode"].flatMap(ActionMode.init(rawValue:)),
            [code, apiKey, self["lang"], self["tenantId"], self["continueUrl"]].allSatisfy({
                $0.map(IncomingAction.isVisible) ?? true
            }), !isContinueURLTorn, !isContinueURLCut
        else { return isDamaged ? .damaged : .none }
        return .action(
            ActionLink(
                handler: others.isEmpty ? String(base) : "\(base)?\(others.joined(separator: "&"))", mode: mode,
                code: code, apiKey: apiKey, continueURL: self["continueUrl"], language: self["lang"],
                tenantID: self["tenantId"]))
    }

    /// Whether a continue URL with a query was decoded too early: the rest of that query is among the other parameters.
    private var isContinueURLTorn: Bool { rawContinueURL?.utf8.contains(UInt8(ascii: "=")) ?? false }

    /// Whether a part of the continue URL may be lost: it was decoded too early, and a fragment or what followed is
    /// gone. Nobody can tell whether a link that names no language was cut inside its continue URL, which is encoded:
    /// its code works, and the server keeps the whole URL.
    private var isContinueURLCut: Bool {
        endsInContinueURL && !contains("lang") && rawContinueURL?.utf8.contains(UInt8(ascii: "/")) ?? false
    }

    /// A page may have a mode or a code of its own; two of the three, or our page itself, are no coincidence.
    private var isDamaged: Bool {
        let hasMode = self["mode"].flatMap(ActionMode.init(rawValue:)) != nil
        return [hasMode, contains("oobCode"), contains("apiKey")].count { $0 } > 1
            || base.utf8.reversed().starts(with: "/__/auth/action".utf8.reversed())
    }
}

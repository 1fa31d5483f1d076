// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingWire

/// The columns of a Takeout file, found by the names in its first row.
///
/// Google's own names, in its order: Short link, Deep link (link), apn, afl, amv, ibi, ifl, ius, ipfl, ipbi, isi, imv,
/// efr, ofl, st, sd, si, utm_source, utm_medium, utm_campaign, utm_term, utm_content, iTunes at, ct, mt, pt, Archived?,
/// Link name, Creation timestamp. Google never promised the wording: a column is known by the parameter of long links
/// that it names, in parentheses or alone, or by that parameter's name in Firebase's API, whatever the case and spaces.
struct TakeoutColumns {
    /// The number of fields in every row.
    let count: Int
    private let indices: [Column: Int]
    /// The parameters in the file, except `efr`, which is a flag.
    let parameters: [(parameter: DynamicLinkParameter, index: Int)]
    /// The names of columns that mean nothing here, or the first of very many.
    let unread: [String]

    enum Column: Hashable {
        case shortLink
        case parameter(DynamicLinkParameter)
        case isArchived, name, createdAt
    }

    init(_ header: CSVReader.Record) throws(TakeoutFault) {
        count = header.fields.count
        var indices: [Column: Int] = [:]
        var unread: [String] = []
        for (index, name) in header.fields.enumerated() {
            guard let column = Self.column(named: name) else {
                if !name.utf8.isEmpty, unread.count < Self.mostUnread { unread.append(Self.shown(name)) }
                continue
            }
            guard indices.updateValue(index, forKey: column) == nil else {
                throw TakeoutFault(.columnTwice(Self.shown(name)), line: header.line)
            }
        }
        let missing = [(Column.shortLink, "Short link"), (.parameter(.link), "Deep link")].filter {
            indices[$0.0] == nil
        }
        guard missing.isEmpty else {
            throw TakeoutFault(
                .missingColumns(missing.map(\.1), found: header.fields.map { Self.shown($0) }), line: header.line)
        }
        parameters = DynamicLinkParameter.allCases.compactMap { parameter in
            guard parameter != .forcesRedirect, let index = indices[.parameter(parameter)] else { return nil }
            return (parameter, index)
        }
        self.indices = indices
        self.unread = unread
    }

    /// The text of a row in a column; empty where the file has no such column.
    func text(_ column: Column, of fields: [String]) -> String {
        indices[column].map { fields[$0] } ?? ""
    }

    private static func column(named name: String) -> Column? {
        let bytes = Array(name.utf8)
        if let open = bytes.lastIndex(of: UInt8(ascii: "(")),
            let close = bytes[open...].firstIndex(of: UInt8(ascii: ")")),
            let column = columns[key(bytes[open..<close])]
        {
            return column
        }
        return columns[key(bytes)]
    }

    private static func key(_ name: some Sequence<UInt8>) -> [UInt8] {
        name.filter(ASCII.isLetterOrDigit).map { ASCII.folded($0) }
    }

    private static let columns: [[UInt8]: Column] = {
        var names: [(String, Column)] = [
            ("Short link", .shortLink), ("Archived", .isArchived), ("Link name", .name),
            ("Creation timestamp", .createdAt), ("Deep link", .parameter(.link)),
            ("iTunes at", .parameter(.affiliateToken)),
            ("iTunes ct", .parameter(.campaignToken)), ("iTunes mt", .parameter(.mediaType)),
            ("iTunes pt", .parameter(.providerToken)),
        ]
        let apiNames: [(String, DynamicLinkParameter)] = [
            ("androidPackageName", .androidPackageName), ("androidFallbackLink", .androidFallbackLink),
            ("androidMinPackageVersionCode", .androidMinimumVersion), ("iosBundleId", .iosBundleID),
            ("iosFallbackLink", .iosFallbackLink), ("iosCustomScheme", .iosCustomScheme),
            ("iosIpadFallbackLink", .ipadFallbackLink), ("iosIpadBundleId", .ipadBundleID),
            ("iosAppStoreId", .appStoreID), ("iosMinimumVersion", .iosMinimumVersion),
            ("enableForcedRedirect", .forcesRedirect), ("otherFallbackUrl", .desktopFallbackLink),
            ("socialTitle", .socialTitle), ("socialDescription", .socialDescription),
            ("socialImageLink", .socialImageLink),
        ]
        names += apiNames.map { ($0.0, .parameter($0.1)) }
        names += DynamicLinkParameter.allCases.filter { !$0.isDeprecated }.map { ($0.rawValue, .parameter($0)) }
        return Dictionary(uniqueKeysWithValues: names.map { (key($0.0.utf8), $0.1) })
    }()

    // MARK: For the operator

    private static let mostShown = 12
    private static let mostUnread = 100

    static func list(_ names: [String]) -> String {
        let more = names.count - mostShown
        return names.prefix(mostShown).map { "\"\($0)\"" }.joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : "")
    }

    /// A column's name for a message. The first row of a file without a header is a link, which may carry a code.
    private static func shown(_ name: String) -> String {
        if name.utf8.contains(UInt8(ascii: "/")) { return "a URL" }
        return String(
            decoding: SecretMask.masked(name).utf8.prefix(40).filter { ASCII.isPrintable($0) }, as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The query of a long link, read: its parameters, and the names that cannot be used.
///
/// Parameters that Google's own pages added on the way (`cid` and every name that begins with `_`) are skipped unread,
/// however often they occur.
public struct DynamicLinkQuery: Sendable, Equatable {
    /// The parameters of the link.
    public let parameters: DynamicLinkParameters
    /// `d=1`: show what would happen and do nothing.
    public let isDebug: Bool
    /// Names that mean nothing in a dynamic link, decoded, each once, in order.
    public let unknown: [String]
    /// Names that are kept for old links only (`al`, `gclid`, `ad`), each once, in order.
    public let deprecated: [String]
    /// The flags among `d` and `ad` that are neither 0 nor 1.
    public let malformedFlags: [String]

    /// Whether the link uses a parameter that is kept for old links only.
    public var hasDeprecated: Bool { !deprecated.isEmpty }

    /// Reads the text between `?` and `#`. The first `=` of a piece splits it and `+` is a plus.
    ///
    /// - Throws: ``DynamicLinkFault`` without a `link`, where a value is not strict percent-encoding of UTF-8, and
    ///   where one parameter has two values, as when the inner URL was not encoded.
    public init(parsing query: some StringProtocol) throws(DynamicLinkFault) {
        var reading = Reading()
        for piece in Substring(query).pieces(separatedBy: UInt8(ascii: "&")) {
            try reading.take(piece)
        }
        guard let parameters = reading.parameters else { throw .missingLink }
        self.parameters = parameters
        isDebug = reading.flags["d"].map { $0.hasSameBytes(as: "1") } ?? false
        unknown = reading.unknown
        deprecated = reading.deprecated
        malformedFlags = Reading.flagNames.filter { name in
            reading.flags[name].map { !$0.hasSameBytes(as: "0") && !$0.hasSameBytes(as: "1") } ?? false
        }
    }
}

extension DynamicLinkParameters {
    /// Reads the query of a long link (``DynamicLinkQuery``).
    public init(query: some StringProtocol) throws(DynamicLinkFault) {
        self = try DynamicLinkQuery(parsing: query).parameters
    }

    /// The one query of these parameters: in a fixed order, every value percent-encoded exactly once.
    public var query: String {
        var query = "link=\(percentEncoded(link))"
        for parameter in DynamicLinkParameter.allCases.dropFirst() {
            guard let value = self[parameter] else { continue }
            query += "&\(parameter.rawValue)=\(percentEncoded(value))"
        }
        return query
    }
}

/// The pieces of a query as they are read.
private struct Reading {
    static let flagNames = ["d", "ad"]

    private(set) var unknown: [String] = []
    private(set) var deprecated: [String] = []
    private(set) var flags: [String: String] = [:]
    private var values: [DynamicLinkParameter: String] = [:]

    /// Nil while there is no link.
    var parameters: DynamicLinkParameters? {
        guard let link = values[.link], !link.utf8.isEmpty else { return nil }
        var parameters = DynamicLinkParameters(link: link)
        for (parameter, value) in values where parameter != .link { parameters[parameter] = value }
        return parameters
    }

    mutating func take(_ piece: Substring) throws(DynamicLinkFault) {
        guard let pair = QueryString.parameter(piece), !pair.name.utf8.contains(0), !pair.value.utf8.contains(0) else {
            let name = Substring(piece.utf8.prefix { $0 != UInt8(ascii: "=") })
            guard !Self.isAddedOnTheWay(percentDecoded(name) ?? String(name)) else { return }
            throw .malformedEncoding(parameter: Self.spoken(name))
        }
        guard !Self.isAddedOnTheWay(pair.name) else { return }
        if let parameter = DynamicLinkParameter(named: pair.name) {
            try take(parameter, pair.value)
        } else if let flag = Self.flagNames.first(where: { $0.hasSameBytes(as: pair.name) }) {
            try take(flag: flag, pair.value)
        } else if !pair.name.utf8.isEmpty {
            Self.add(pair.name, to: &unknown)
        }
    }

    private mutating func take(_ parameter: DynamicLinkParameter, _ value: String) throws(DynamicLinkFault) {
        if let earlier = values[parameter], !earlier.hasSameBytes(as: value) {
            throw .contradiction(parameter: parameter.rawValue)
        }
        values[parameter] = value
        if parameter.isDeprecated, !value.utf8.isEmpty { Self.add(parameter.rawValue, to: &deprecated) }
    }

    private mutating func take(flag: String, _ value: String) throws(DynamicLinkFault) {
        if let earlier = flags[flag], !earlier.hasSameBytes(as: value) { throw .contradiction(parameter: flag) }
        flags[flag] = value
        if flag.hasSameBytes(as: "ad") { Self.add(flag, to: &deprecated) }
    }

    /// Whether a server or its page has added this parameter, not an author.
    private static func isAddedOnTheWay(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "_") || name.hasSameBytes(as: "cid")
    }

    /// A name for a sentence: one of ours. Any other name may be half of an inner URL, code included.
    private static func spoken(_ name: Substring) -> String {
        let known = DynamicLinkParameter.allCases.map(\.rawValue) + flagNames
        return known.first { $0.utf8.elementsEqual(name.utf8) } ?? "of an unknown name"
    }

    /// Adds a name, up to the number that anybody reads.
    private static func add(_ name: String, to names: inout [String]) {
        guard names.count < 20 else { return }
        if !names.contains(where: { $0.hasSameBytes(as: name) }) { names.append(name) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A long dynamic link: `{base}/?link=…&apn=…`.
///
/// Writing and reading are each other's inverse for parameters with a link and without NUL or empty texts. This type
/// does not check whether a project allows the link's target.
public struct DynamicLinkURL: Sendable, Equatable {
    /// Scheme, host, port and prefix of the link domain, without a slash at the end.
    public var base: String
    /// The parameters of the link.
    public var parameters: DynamicLinkParameters

    /// A link on a domain.
    ///
    /// - Parameters:
    ///   - base: scheme, host, port and prefix of the link domain; slashes at its end do not count.
    ///   - parameters: the parameters of the link, as decoded text.
    public init(base: String, parameters: DynamicLinkParameters) {
        self.base = Self.withoutSlash(base)
        self.parameters = parameters
    }

    /// A link whose domain is known already, as on a server.
    ///
    /// - Parameters:
    ///   - base: as in ``init(base:parameters:)``.
    ///   - query: the text between `?` and `#` in the URL.
    /// - Throws: ``DynamicLinkFault`` where the query cannot be read (``DynamicLinkQuery/init(parsing:)``).
    public init(base: String, query: some StringProtocol) throws(DynamicLinkFault) {
        self.init(base: base, parameters: try DynamicLinkParameters(query: query))
    }

    /// A link read from its text, with or without the slash before the `?`; a fragment is ignored.
    ///
    /// - Throws: ``DynamicLinkFault`` where the query cannot be read. Whether the base is a link domain is not checked.
    public init(parsing url: String) throws(DynamicLinkFault) {
        let parts = URLParts(url)
        try self.init(base: String(parts.base), query: parts.query ?? "")
    }

    /// The link as text.
    public var url: String { "\(base)/?\(query)" }

    /// The link without its domain, in its one spelling: equal links have equal queries.
    public var query: String { parameters.query }

    private static func withoutSlash(_ base: String) -> String {
        guard let end = base.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return "" }
        return String(base[...end])
    }
}

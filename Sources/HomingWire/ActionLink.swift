// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The link in a mail that carries an action code.
///
/// The continue URL travels percent-encoded once and comes back byte for byte.
public struct ActionLink: Sendable, Equatable {
    /// The URL of the page that acts; it may have a query of its own.
    public var handler: String
    /// The purpose of the link.
    public var mode: ActionMode
    /// The one-time code, `oobCode` in the link.
    public var code: String
    /// The project's key. Firebase's clients for JavaScript and Android take no link without it.
    public var apiKey: String
    /// The URL to which the person goes when the action is done.
    public var continueURL: String?
    /// A BCP 47 tag.
    public var language: String?
    /// Only for the codes of a tenant.
    public var tenantID: String?

    /// The order of the parameters.
    public enum Order: Sendable, Hashable {
        /// mode, oobCode, apiKey, continueUrl, lang: the link that a browser opens.
        case web
        /// apiKey, mode, oobCode, continueUrl, lang: the link that an app opens. Firebase's iOS client loses the first
        /// parameter of a link inside a link, so the dispensable one leads.
        case inApp
    }

    /// A link from its parts, none of them percent-encoded; the handler is a URL as it is.
    public init(
        handler: String, mode: ActionMode, code: String, apiKey: String, continueURL: String? = nil,
        language: String? = nil, tenantID: String? = nil
    ) {
        self.handler = handler
        self.mode = mode
        self.code = code
        self.apiKey = apiKey
        self.continueURL = continueURL
        self.language = language
        self.tenantID = tenantID
    }

    /// The link as text.
    public func url(order: Order) -> String {
        let key = (name: "apiKey", value: apiKey)
        let action = [(name: "mode", value: mode.rawValue), (name: "oobCode", value: code)]
        var parameters = order == .web ? action + [key] : [key] + action
        if let continueURL { parameters.append((name: "continueUrl", value: continueURL)) }
        if let language { parameters.append((name: "lang", value: language)) }
        if let tenantID { parameters.append((name: "tenantId", value: tenantID)) }
        return QueryString.merging(parameters: parameters, into: handler)
    }
}

extension ActionLink {
    /// Reads a link in any form in which it reaches an app: plain, wrapped by a link domain (`link`), or brought by a
    /// custom scheme (`deep_link_id`).
    ///
    /// The action link is the one that Firebase's client for JavaScript takes: `link` inside `deep_link_id`, then
    /// `deep_link_id`, then `deep_link_id` inside `link`, then `link`, then the URL itself; one level of each.
    ///
    /// - Returns: nil without a key, a code and a known mode.
    public init?(parsing url: String) {
        self.init(unwrapped: Self.unwrapping(url))
    }

    private static func unwrapping(_ url: String) -> String {
        let deepLink = parameter("deep_link_id", of: url)
        let link = parameter("link", of: url)
        return deepLink.flatMap { parameter("link", of: $0) } ?? deepLink
            ?? link.flatMap { parameter("deep_link_id", of: $0) } ?? link ?? url
    }

    /// The first parameter of a name that is not empty. A piece that cannot be decoded hides no other piece.
    private static func parameter(_ name: String, of url: String) -> String? {
        pieces(of: url).lazy.compactMap(QueryString.parameter)
            .first { $0.name.hasSameBytes(as: name) && !$0.value.isEmpty }?.value
    }

    private static func pieces(of url: String) -> [Substring] {
        (URLParts(url).query ?? "").utf8.split(separator: UInt8(ascii: "&")).map(Substring.init)
    }

    private init?(unwrapped url: String) {
        var values: [String: String] = [:]
        var others: [Substring] = []
        for piece in Self.pieces(of: url) {
            guard let parameter = QueryString.parameter(piece),
                Self.parameterNames.contains(where: { $0.hasSameBytes(as: parameter.name) })
            else {
                others.append(piece)
                continue
            }
            // The first value counts: values of a continue URL that was decoded too early come later.
            if values[parameter.name] == nil { values[parameter.name] = parameter.value }
        }
        guard let mode = values["mode"].flatMap(ActionMode.init(rawValue:)),
            let code = values["oobCode"], !code.isEmpty, let apiKey = values["apiKey"], !apiKey.isEmpty
        else { return nil }
        let base = URLParts(url).base
        self.init(
            handler: others.isEmpty ? String(base) : "\(base)?\(others.joined(separator: "&"))", mode: mode, code: code,
            apiKey: apiKey, continueURL: values["continueUrl"], language: values["lang"], tenantID: values["tenantId"])
    }

    private static let parameterNames = ["mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId"]
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// An absolute web URL that every browser reads the way we do, kept byte for byte.
///
/// The parser is stricter than RFC 3986 and than the WHATWG standard: where Foundation and browsers disagree about the
/// host, the text is refused. Nothing is normalised, so `http://localhost?a=1` stays without a slash.
package struct WebURL: Sendable, Hashable {
    package enum Scheme: String, Sendable, Hashable {
        case https, http
    }

    /// The greatest length; longer URLs do not survive mail clients and browsers' address bars everywhere.
    package static let maximumLength = 2_048

    /// The text that was parsed, byte for byte.
    package let text: String
    package let scheme: Scheme
    package let host: WebHost
    /// The port as written; nil without one.
    package let port: Int?

    /// Parses an absolute `https` URL, or an `http` one on a loopback host.
    ///
    /// - Parameter takesHTTP: whether `http` is taken on every host.
    /// - Throws: ``WebURLFault``, one case per rule.
    package init(parsing text: String, takesHTTP: Bool = false) throws(WebURLFault) {
        guard !text.isEmpty else { throw .missingHost }
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        guard Self.holdsOnlyAllowedBytes(text) else { throw .forbiddenCharacter }
        let (scheme, rest) = try Self.scheme(of: text)
        let end = rest.utf8.firstIndex { Self.authorityEnds.contains($0) } ?? rest.endIndex
        (host, port) = try Self.authority(rest[..<end])
        guard scheme == .https || takesHTTP || host.isLoopback else { throw .insecureScheme }
        self.scheme = scheme
        self.text = text
    }

    /// The port that a browser connects to.
    package var effectivePort: Int {
        port ?? scheme.defaultPort
    }

    /// Whether the URL ends in a `#` part.
    package var hasFragment: Bool {
        text.utf8.contains(UInt8(ascii: "#"))
    }

    /// The bytes that end the authority (RFC 3986 section 3.2). In browsers a backslash would too; it is refused.
    private static let authorityEnds = Array("/?#".utf8)

    /// Whether every byte is visible ASCII and none that no URL may hold (RFC 3986 section 2) and that browsers repair.
    ///
    /// Five that no URL may hold browsers leave as they are in query and fragment (WHATWG URL, "percent-encoded
    /// bytes"), so that `location.href` has them: there they are taken. Neither can tell a host any more.
    package static func holdsOnlyAllowedBytes(_ text: String) -> Bool {
        var isBehindPath = false
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"):
                isBehindPath = true
                return true
            case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
                return false
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"):
                return isBehindPath
            default:
                return ASCII.isVisible(byte)
            }
        }
    }

    private static func scheme(of text: String) throws(WebURLFault) -> (Scheme, Substring) {
        for scheme in [Scheme.https, .http] {
            let head = "\(scheme.rawValue)://"
            if text.hasPrefixFoldingASCII(head) {
                return (scheme, text[text.utf8.index(text.startIndex, offsetBy: head.utf8.count)...])
            }
        }
        throw .unknownScheme
    }

    private static func authority(_ authority: Substring) throws(WebURLFault) -> (WebHost, Int?) {
        guard !authority.isEmpty else { throw .missingHost }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw .userInformation }
        guard let (host, port) = HostAndPort.split(authority) else { throw .malformedHost }
        guard let host = WebHost(parsing: host) else { throw .malformedHost }
        guard let port else { return (host, nil) }
        guard let number = HostAndPort.port(port) else { throw .malformedPort }
        return (host, number)
    }
}

extension WebURL.Scheme {
    package var defaultPort: Int {
        switch self {
        case .https: 443
        case .http: 80
        }
    }
}

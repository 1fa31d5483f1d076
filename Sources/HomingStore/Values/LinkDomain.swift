// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A host or part of a host whose URLs Homing resolves: `HOST[:PORT][/PREFIX]`. A prefix claims only the URLs under it.
/// An international name is kept in its `xn--` form.
package struct LinkDomain: Sendable, Hashable {
    package let host: WebHost
    /// Nil for the scheme's default port, also when the text names that port.
    package let port: Int?
    /// Empty, or segments that each begin with a slash: `/app`, `/a/b`. The case counts.
    package let prefix: String
    /// The domain in its one spelling.
    package let text: String
    /// Scheme, host, port and prefix, without a slash at the end: `https` but on loopback names.
    package let baseURL: String

    /// - Throws: ``Refusal/invalidLinkDomain(_:)`` with a sentence that says what is accepted.
    package init(parsing text: String) throws(Refusal) {
        let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
        guard text.utf8.count <= 253, text.firstRange(of: "://") == nil,
            let (hostText, portText) = HostAndPort.split(text[..<slash]),
            let host = WebHost(typed: hostText), !host.isAddress || host.isLoopback
        else {
            throw .invalidLinkDomain("write HOST, HOST:PORT or HOST/PREFIX, as in links.shop.example, without https://")
        }
        let scheme: WebURL.Scheme = host.isLoopback ? .http : .https
        if let portText {
            guard let port = HostAndPort.port(portText) else {
                throw .invalidLinkDomain("the port must be a number from 1 to 65535")
            }
            // In a Host header, too, both default ports count as none.
            self.port = [80, 443].contains(port) ? nil : port
        } else {
            port = nil
        }
        self.host = host
        prefix = try Self.prefix(text[slash...])
        self.text = host.text + (self.port.map { ":\($0)" } ?? "") + prefix
        baseURL = "\(scheme.rawValue)://\(self.text)"
    }

    /// A domain as somebody types or pastes it: `https://` before it and a slash behind it are left out.
    package init(typed text: String) throws(Refusal) {
        let typed = String(ASCII.trimmed(text))
        let scheme = ["https://", "http://"].first { typed.hasPrefixFoldingASCII($0) }
        var rest = typed.utf8.dropFirst(scheme?.utf8.count ?? 0)
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        try self.init(parsing: String(Substring(rest)))
    }

    /// Host and port in the form of a URL and of a Host header.
    package var authority: String {
        host.text + (port.map { ":\($0)" } ?? "")
    }

    /// Whether the host is one that Google gave out for Dynamic Links. Such hosts lead nowhere since the service was
    /// switched off on 25 August 2025, so that no link on them ever arrives here.
    package var isGoogles: Bool {
        Self.googlesHosts.contains { host.isUnder($0) }
    }

    private static let googlesHosts = ["page.link", "app.goo.gl"].compactMap { WebHost(parsing: $0) }

    private static func prefix(_ text: Substring) throws(Refusal) -> String {
        guard !text.isEmpty else { return "" }
        let segments = ASCII.split(text, at: UInt8(ascii: "/")).dropFirst()
        guard segments.allSatisfy(isSegment) else {
            throw .invalidLinkDomain(
                "a prefix is made of letters, digits, - . _ ~ between single slashes and has no slash at its end")
        }
        guard let first = segments.first, !OwnPath.reserves(first) else {
            throw .invalidLinkDomain("this prefix is one of the server's own paths; choose another")
        }
        return String(text)
    }

    /// Unreserved characters (RFC 3986 section 2.3); dot segments would be resolved away by the browser.
    private static func isSegment(_ segment: Substring) -> Bool {
        !segment.isEmpty && !ASCII.areEqual(segment, ".") && !ASCII.areEqual(segment, "..")
            && segment.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || "-._~".utf8.contains($0) }
    }
}

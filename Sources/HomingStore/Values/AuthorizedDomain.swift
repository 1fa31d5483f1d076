// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// An entry of a project's list of domains to which a continue URL may lead: `host`, `*.host` or `host:port`. An
/// international name is kept in its `xn--` form.
///
/// `*.host` means every host under the host and not the host itself.
package struct AuthorizedDomain: Sendable, Hashable {
    package let host: WebHost
    /// Whether the entry begins with `*.`.
    package let coversSubdomains: Bool
    /// Nil: the default port, and any port on loopback names.
    package let port: Int?

    /// - Throws: ``Refusal/invalidAuthorizedDomain(_:advice:)``, which names the text and says what is accepted.
    package init(parsing text: String) throws(Refusal) {
        guard !text.isEmpty else {
            throw .invalidAuthorizedDomain("An authorized domain is empty", advice: "write host, *.host or host:port")
        }
        let quoted = Printable.given(text)
        guard !text.utf8.contains(UInt8(ascii: "/")) else {
            let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
            let isOfApp =
                text.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
                && CustomSchemeLink.isScheme(String(Substring(scheme)))
            throw .invalidAuthorizedDomain(
                "\(quoted) should only contain the valid domain",
                advice: isOfApp
                    ? "it is the address of pages inside an app, to which no email can lead; links open a registered app"
                    : "write the host alone, as in shop.example, without https:// and path")
        }
        coversSubdomains = text.utf8.starts(with: "*.".utf8)
        let name = coversSubdomains ? text[text.utf8.index(text.startIndex, offsetBy: 2)...] : text[...]
        guard let (hostText, portText) = HostAndPort.split(name), let host = WebHost(typed: hostText) else {
            throw .invalidAuthorizedDomain(
                "\(quoted) should only contain the valid domain",
                advice: "write host, *.host or host:port; a host is letters, digits, hyphens and dots, or an "
                    + "international name of one script")
        }
        if coversSubdomains, host.isAddress || (host.labelCount < 2 && !host.isLoopback) {
            throw .invalidAuthorizedDomain(
                "\(quoted) is no domain", advice: "a wildcard needs two labels or more behind it, as in *.shop.example")
        }
        if let portText {
            guard let port = HostAndPort.port(portText) else {
                throw .invalidAuthorizedDomain(
                    "\(quoted) is no domain", advice: "the port must be a number from 1 to 65535")
            }
            self.port = port
        } else {
            port = nil
        }
        self.host = host
    }

    /// The entry in its one spelling.
    package var text: String {
        (coversSubdomains ? "*." : "") + host.text + (port.map { ":\($0)" } ?? "")
    }

    /// Whether a URL leads to this domain.
    package func allows(_ url: WebURL) -> Bool {
        guard coversSubdomains ? url.host.isUnder(host) : url.host == host else { return false }
        if let port { return url.effectivePort == port }
        return url.host.isLoopback || url.effectivePort == url.scheme.defaultPort
    }
}

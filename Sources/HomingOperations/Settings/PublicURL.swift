// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
import HomingStore
internal import HomingWire

/// The base of every link that Homing writes: scheme, host and perhaps a port, and nothing more.
package struct PublicURL: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case, an IPv6 address in brackets.
    package let host: String
    /// Nil for the scheme's default port.
    package let port: Int?
    /// Whether the host is a name with a dot, from which mail can come.
    package let isMailDomain: Bool

    /// Parses `http://host`, `https://host:port`; a slash at the end is already a path.
    package init?(parsing text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map(Substring.init)
        guard parts.count == 2, parts[1].utf8.starts(with: "//".utf8) else { return nil }
        self.init(scheme: parts[0].lowercased(), authority: parts[1].dropFirst(2))
    }

    package init(scheme: String, address: ListenAddress, port: Int) {
        self.scheme = scheme
        host = address.urlHost
        self.port = port == Self.defaultPort(of: scheme) ? nil : port
        isMailDomain = address.isName && host.utf8.contains(UInt8(ascii: "."))
    }

    private init?(scheme: String, authority: Substring) {
        guard let defaultPort = Self.defaultPort(of: scheme) else { return nil }
        var written = authority
        var port: Int?
        let lastColon = authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        if let lastColon, authority.utf8.last != UInt8(ascii: "]") {
            port = ASCII.number(authority[authority.utf8.index(after: lastColon)...], atMost: 65_535)
            guard let port, port > 0 else { return nil }
            written = authority[..<lastColon]
        }
        if written.utf8.first == UInt8(ascii: "["), written.utf8.last == UInt8(ascii: "]") {
            guard let address = IPAddress(parsing: written.dropFirst().dropLast()), address.isVersion6 else {
                return nil
            }
            host = "[\(address)]"
            isMailDomain = false
        } else {
            guard let name = WebHost(parsing: written) else { return nil }
            host = name.text
            isMailDomain = !name.isAddress && name.text.utf8.contains(UInt8(ascii: "."))
        }
        self.scheme = scheme
        self.port = port == defaultPort ? nil : port
    }

    package var description: String {
        "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")"
    }

    private static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }
}

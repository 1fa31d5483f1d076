// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A web address to which paths are added: scheme, host, port and a prefix.
package struct WebBase: Sendable, Equatable {
    /// One spelling: the scheme and the host in small letters, no default port, no slash at the end.
    package let text: String
    /// Whether passwords may be sent to the base: https; http only to names of this machine, `.local` names and numeric
    /// addresses, where there are no certificates.
    package let isSafe: Bool

    /// - Returns: nil for anything but http and https with a host, and with a user, a query or a fragment.
    package init?(_ url: String) {
        guard url.utf8.count <= 2048, !url.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }),
            let location = WebLocation(url), location.isPlain
        else { return nil }
        let isSecure = url.hasPrefixFoldingASCII("https:")
        var host = String(decoding: location.host.utf8.map(ASCII.folded), as: UTF8.self)
        for port in [isSecure ? ":443" : ":80", ":"] where host.utf8.reversed().starts(with: port.utf8.reversed()) {
            host = String(decoding: host.utf8.dropLast(port.utf8.count), as: UTF8.self)
        }
        guard !host.utf8.isEmpty else { return nil }
        var path = location.path.utf8
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        text = "\(isSecure ? "https" : "http")://\(host)\(Substring(path))"
        isSafe = isSecure || Self.isNear(host)
    }

    private static func isNear(_ host: String) -> Bool {
        let isLiteral = host.utf8.first == UInt8(ascii: "[")
        let name = isLiteral ? Substring(host) : Substring(host.utf8.prefix { $0 != UInt8(ascii: ":") })
        let isDigits = name.utf8.allSatisfy {
            $0 == UInt8(ascii: ".") || ASCII.isDigit($0)
        }
        func ends(with suffix: String) -> Bool { name.utf8.reversed().starts(with: suffix.utf8.reversed()) }
        return isLiteral || isDigits || name.utf8.elementsEqual("localhost".utf8) || ends(with: ".localhost")
            || ends(with: ".local")
    }
}

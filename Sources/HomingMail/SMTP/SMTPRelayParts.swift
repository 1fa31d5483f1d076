// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A relay's URL in parts, as a form asks for them one by one.
package struct SMTPRelayParts: Sendable {
    package enum Encryption: String, Sendable, CaseIterable {
        /// From the first byte.
        case tls
        /// After a greeting, or nothing is delivered.
        case startTLS = "starttls"
        /// After a greeting where the relay offers it. With a user it is the same as ``startTLS``.
        case offered
    }

    package var encryption = Encryption.startTLS
    package var host = ""
    /// Empty for the usual one.
    package var port = ""
    /// Empty for a relay that asks for none.
    package var user = ""

    package init() {}

    /// The URL that has these parts, without a password.
    package var url: String {
        let scheme = encryption == .tls ? "smtps" : "smtp"
        // That of submission (RFC 6409); the URL's own is that of relays.
        let port = port.isEmpty && encryption == .startTLS ? "587" : port
        return "\(scheme)://\(user.isEmpty ? "" : "\(percentEncoded(user))@")\(host)\(port.isEmpty ? "" : ":\(port)")"
            + (encryption == .startTLS && user.isEmpty ? "?tls=required" : "")
    }

    /// - Returns: nil for a URL that says something that no part has, such as a number of connections.
    package init?(of url: String) {
        guard let read = try? SMTPRelayURL(url), read.secret == nil else { return nil }
        host = read.host
        user = read.user ?? ""
        port = read.port.map { String($0) } ?? ""
        let parameters = read.parameters.map { "\($0.key)=\($0.value)" }
        switch (read.scheme, read.user != nil, parameters) {
        case ("smtps", _, []): encryption = .tls
        case ("smtp", true, []), ("smtp", false, ["tls=required"]): encryption = .startTLS
        case ("smtp", false, []): encryption = .offered
        default: return nil
        }
        if port.isEmpty, encryption == .startTLS { port = "25" }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// The requests that belong to a link domain.
extension LinkDomain {
    /// Host and port in the form of the directory and of a Host header.
    package var hostKey: String { Self.foldedHost(authority) }

    /// A Host header's value in the spelling of ``hostKey``: ASCII lower case, without a default port.
    package static func foldedHost(_ header: String) -> String {
        // Nearly every request's is in this spelling already.
        guard header.utf8.contains(where: { $0 == UInt8(ascii: ":") || ASCII.isUppercaseLetter($0) }) else {
            return header
        }
        var host = ASCII.lowercased(header)
        for port in [":443", ":80"] where host.hasSuffix(port) { host.removeLast(port.utf8.count) }
        return host
    }

    /// Whether a path belongs to the domain. With a prefix only paths under it do, on a boundary of segments.
    package func claims(path: String) -> Bool {
        guard !prefix.isEmpty else { return true }
        guard path.utf8.starts(with: prefix.utf8) else { return false }
        let next = path.utf8.dropFirst(prefix.utf8.count).first
        return next == nil || next == UInt8(ascii: "/")
    }
}

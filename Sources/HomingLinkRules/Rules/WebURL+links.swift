// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// The parts of a URL that tell whether it lies under a link domain.
extension WebURL {
    /// Host and port in the spelling of ``LinkDomain/hostKey``.
    package var hostKey: String {
        LinkDomain.foldedHost(host.text + (port.map { ":\($0)" } ?? ""))
    }

    /// The path as written: the text between the authority and the query or fragment; `/` where there is none.
    var path: Substring {
        let authority = text.utf8.dropFirst(scheme.rawValue.utf8.count + "://".utf8.count)
        let ends = Array("/?#".utf8)
        guard let start = authority.firstIndex(where: ends.contains), text.utf8[start] == UInt8(ascii: "/") else {
            return "/"
        }
        return text[start...].prefix { $0 != "?" && $0 != "#" }
    }

    /// The path decoded, with single slashes; nil when it holds dot segments or cannot be decoded once for all.
    package var plainPath: String? {
        guard let decoded = percentDecoded(path),
            !decoded.utf8.contains(where: { [UInt8(ascii: "%"), UInt8(ascii: "\\")].contains($0) })
        else { return nil }
        let segments = ASCII.split(decoded, at: UInt8(ascii: "/")).filter { !$0.isEmpty }
        guard !segments.contains(where: { ASCII.areEqual($0, ".") || ASCII.areEqual($0, "..") }) else { return nil }
        let isFolder = !segments.isEmpty && decoded.utf8.last == UInt8(ascii: "/")
        return "/" + segments.joined(separator: "/") + (isFolder ? "/" : "")
    }
}

extension LinkDomain {
    /// Whether a URL lies under the domain, as browsers and servers read its path.
    package func claims(_ url: WebURL) -> Bool {
        ASCII.areEqual(url.hostKey, hostKey) && (url.plainPath.map { claims(path: $0) } ?? false)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The parts of a URL that tell whether it lies under a link domain.
extension WebURL {
    /// Host and port in the spelling of ``LinkDomain/hostKey``.
    var hostKey: String {
        LinkDomain.foldedHost(host.text + (port.map { ":\($0)" } ?? ""))
    }

    /// What stands between the authority and the query or fragment, as written; `/` where there is nothing.
    var path: Substring {
        let authority = text.utf8.dropFirst(scheme.rawValue.utf8.count + "://".utf8.count)
        let ends = Array("/?#".utf8)
        guard let start = authority.firstIndex(where: ends.contains), text.utf8[start] == UInt8(ascii: "/") else {
            return "/"
        }
        return text[start...].prefix { $0 != "?" && $0 != "#" }
    }
}

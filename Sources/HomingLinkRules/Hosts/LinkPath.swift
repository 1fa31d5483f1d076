// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// The part of a path behind the prefix of a link domain.
package enum LinkPath: Equatable, Sendable {
    /// The path of long links: the prefix itself, with or without a slash.
    case root
    /// `/__/auth/links`.
    case authLinks
    /// A short link's ending, also where it was damaged on the way (``LinkSuffix/meant(by:)``).
    case suffix(LinkSuffix)
    case nowhere

    /// - Parameter path: the path of the request, prefix included.
    package init(_ path: String, on domain: LinkDomain) {
        let rest = path.utf8.dropFirst(domain.prefix.utf8.count)
        let name = Substring(rest.dropFirst())
        self =
            if rest.isEmpty || rest.elementsEqual("/".utf8) {
                .root
            } else if rest.first != UInt8(ascii: "/") {
                .nowhere
            } else if name.utf8.elementsEqual("__/auth/links".utf8) {
                .authLinks
            } else {
                LinkSuffix.meant(by: name).map { .suffix($0) } ?? .nowhere
            }
    }
}

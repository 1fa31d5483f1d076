// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// First segments of a path that the public listener answers itself: no link domain's prefix and no short link may
/// take one of them, in any case of ASCII letters.
package enum ReservedPath {
    package static let firstSegments = [
        "__", "_", ".well-known", "healthz", "readyz", "favicon.ico", "apple-app-site-association", "v1", "v2",
        "identitytoolkit.googleapis.com", "www.googleapis.com", "securetoken.googleapis.com",
        "firebasedynamiclinks.googleapis.com",
    ]

    /// Whether a segment, without slashes, is one of them.
    package static func contains(_ segment: some StringProtocol) -> Bool {
        firstSegments.contains { reserved in
            segment.utf8.elementsEqual(reserved.utf8) { byte, expected in
                byte == expected || ASCII.isLetter(expected) && byte | 0x20 == expected
            }
        }
    }
}

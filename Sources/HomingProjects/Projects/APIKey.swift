// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// A key that apps send along. It says which project a request is about, and is no secret: it stands in every link.
package struct APIKey: Sendable, Equatable {
    package let text: String
    /// What the operator calls it.
    package let name: String?
    package let createdAt: Moment
    /// When it was revoked: requests with it are refused since then, and links that carry it still open their page.
    package let revokedAt: Moment?
    /// When it was last chosen for links.
    let chosenAt: Moment?

    package init(
        _ text: String, name: String? = nil, createdAt: Moment, revokedAt: Moment? = nil, chosenAt: Moment? = nil
    ) {
        self.text = text
        self.name = name
        self.createdAt = createdAt
        self.revokedAt = revokedAt
        self.chosenAt = chosenAt
    }

    /// In bytes. A text that somebody sends instead of a key may be a thousand times as long, and is not looked up.
    static let lengths = 8...128

    package static func check(_ text: String) throws(Refusal) {
        // It stands in links and is copied into terminals.
        guard lengths.contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isBase64URL) else {
            throw .invalidSetting("an API key has 8 to 128 letters, digits, - and _")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingStore

/// What a short link was, from one change to the next.
package struct LinkVersion: Sendable, Equatable {
    /// From 1 on.
    package let version: Int64
    package let at: Moment
    /// Who made it (``Authority/text``); nil where an app did, or nobody knows.
    package let author: String?
    package let content: LinkContent

    package init(version: Int64, at: Moment, author: String?, content: LinkContent) {
        self.version = version
        self.at = at
        self.author = author
        self.content = content
    }
}

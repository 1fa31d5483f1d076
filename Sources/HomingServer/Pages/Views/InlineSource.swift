// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
package import HomingTexts

/// A style sheet or script that stands inside our pages, together with the hash that a Content-Security-Policy names it
/// by (CSP Level 3, section 2.3.1), so that nothing else on the page can run or style.
package struct InlineSource: Sendable, Equatable {
    /// What stands between the tags, byte for byte.
    package let markup: HTML

    /// `'sha256-…'`, as it stands in the policy.
    package let hash: String

    /// - Parameter source: our own text; it must not hold `</` nor a carriage return, which a browser would rewrite.
    package init(_ source: String) {
        markup = HTML(trusted: source)
        let digest = Data(SHA256.hash(data: Data(source.utf8))).base64EncodedString()
        hash = "'sha256-\(digest)'"
    }
}

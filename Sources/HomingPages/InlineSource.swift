// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import Foundation
package import HomingTexts

/// A style sheet or script inside our pages, with the hash by which a Content-Security-Policy names it (CSP Level 3,
/// section 2.3.1), so that nothing else on the page can run or style.
package struct InlineSource: Sendable, Equatable {
    /// The source between the tags, byte for byte.
    package let markup: HTML

    /// `'sha256-…'`, as the policy names it.
    package let hash: String

    /// - Parameter source: our own text; without `</` and carriage returns, which a browser would rewrite.
    package init(_ source: String) {
        markup = HTML(trusted: source)
        let digest = Data(SHA256.hash(data: Data(source.utf8))).base64EncodedString()
        hash = "'sha256-\(digest)'"
    }
}

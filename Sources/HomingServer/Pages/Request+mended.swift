// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingWire
import Hummingbird

extension Request {
    /// The request as the link was before it was damaged on the way, in so far as the damage has one meaning:
    /// separators of the query that were written for HTML (``QueryString/mended(_:)``), the path of one of our pages in
    /// upper case.
    ///
    /// Links are read only after that, so that a mended link leads where the same link would that came undamaged.
    var mended: Request {
        guard let target = head.path else { return self }
        let mended = QueryString.mended(target: target)
        guard let target = Self.inLowerCase(mended ?? target) ?? mended else { return self }
        var head = head
        head.path = target
        return Request(head: head, body: body)
    }

    /// The target of a request with the path of one of our pages in lower case; nil where that is nothing to mend.
    private static func inLowerCase(_ target: String) -> String? {
        guard target.utf8.starts(with: "/__/".utf8),
            let path = mailedPaths.first(where: { target.hasPrefixFoldingASCII($0) })
        else { return nil }
        let rest = Substring(target.utf8.dropFirst(path.utf8.count))
        guard rest.isEmpty || rest.utf8.first == UInt8(ascii: "?"), !target.utf8.starts(with: path.utf8)
        else { return nil }
        return path + rest
    }

    /// The paths of the pages to which mails lead.
    private static let mailedPaths = [ActionPage.path, MailedLink.resetRequestPath, AuthLinks.path]
}

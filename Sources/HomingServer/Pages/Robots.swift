// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import Hummingbird

/// What robots may fetch on a link domain (RFC 9309): everything. Previews need their links, and `X-Robots-Tag: noindex`,
/// which keeps links out of search engines, is read only by whoever may fetch what it stands on.
enum Robots {
    static let path = "/robots.txt"

    private static let text = """
        # Nothing here is to be indexed, as every answer says (X-Robots-Tag: noindex). Who may not fetch never reads that.
        User-agent: *
        Allow: /

        """

    /// - Returns: nil on a host without link domains.
    static func answer(_ request: Request, _ homing: Homing) -> Response? {
        let host = request.head.authority.map { LinkDomain.foldedHost($0) }
        guard let host, !homing.projects.linkDomains(hostKey: host).isEmpty else { return nil }
        return Answer.text(text)
    }
}

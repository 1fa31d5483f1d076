// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingPages
import HomingProjects
import HomingWire
import Hummingbird

/// The place on a link domain for which a GET or HEAD asks.
struct LinkPlace: Sendable {
    let site: LinkSite
    let part: LinkPath

    init?(_ request: Request, _ projects: Projects) {
        guard request.method == .get || request.method == .head, let host = request.head.authority else { return nil }
        let path = request.uri.path
        guard let site = projects.linkSite(host: host, path: path) else { return nil }
        self.site = site
        part = LinkPath(path, on: site.domain)
    }

    /// Whether somebody opens a link there.
    var isLink: Bool { part != .nowhere }
}

extension Request {
    /// Whether it belongs to a click: on a link, on the page that the link shows, or for that page's pictures.
    func belongsToClick(at place: LinkPlace?) -> Bool {
        if place?.isLink == true { return true }
        guard method == .get || method == .head else { return false }
        let path = uri.path
        return ASCII.areEqual(path, LinkResponder.pagePath) || ASCII.areEqual(path, Favicon.path)
            || path.utf8.starts(with: PageBrand.logoPath.utf8)
    }
}

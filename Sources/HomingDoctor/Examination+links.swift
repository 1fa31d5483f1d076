// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
package import HomingProjects
package import HomingShortLinks
package import HomingStore
internal import HomingWire

extension Examination.Link {
    /// The first short link of a domain, or else a long link that names the project's apps; nil where neither has an
    /// allowed target.
    package init?(on domain: LinkDomain, of project: Project, among links: Links, at projects: Projects) async throws {
        guard let site = projects.linkSite(host: domain.authority, path: domain.prefix + "/") else {
            return nil
        }
        if let suffix = try await links.first(on: domain, of: project)?.suffix,
            let link = try await links.open(.suffix(suffix), query: nil, at: site),
            (try? link.check()) != nil
        {
            self.init(link)
            return
        }
        let page = project.authorizedDomains.first { !$0.host.isLoopback && !$0.coversSubdomains }
        guard let page else { return nil }
        var parameters = DynamicLinkParameters(link: "https://\(page.text)/")
        let apple = project.apps.first { $0.platform == .apple }
        parameters.ios.bundleID = apple?.id
        parameters.ios.appStoreID = apple?.appStoreID
        parameters.android.packageName = project.apps.first { $0.platform == .android }?.id
        guard let link = try await links.open(.root, query: parameters.query, at: site),
            (try? link.check()) != nil
        else { return nil }
        self.init(link)
    }

    private init(_ link: IncomingLink) {
        let resolution = link.resolution()
        var leads: [DoctorDevice: String] = [:]
        for device in DoctorDevice.allCases {
            if case .redirect(let url, _) = resolution.plan(for: Visitor(userAgent: device.userAgent)) {
                leads[device] = url
            }
        }
        self.init(url: link.url, leads: leads)
    }
}

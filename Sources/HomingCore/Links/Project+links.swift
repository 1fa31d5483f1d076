// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension Project {
    /// A project as far as links are concerned: what a plan can be made for before, or without, keeping it anywhere.
    package init(
        linksOf id: String, apps: [RegisteredApp], authorizedDomains: [AuthorizedDomain], linkDomains: [LinkDomain],
        settings: ProjectSettings = ProjectSettings(), apiKeys: [String] = []
    ) {
        self.init(
            id: id, number: "", name: id, settings: settings, apiKeys: apiKeys, authorizedDomains: authorizedDomains,
            apps: apps, linkDomains: linkDomains)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingStore
package import HomingTexts
import HomingWire

/// One app family: its name, its API keys, its apps and the domains to which people may return. A tenant of it is one
/// more, with the same keys, apps and domains.
///
/// A class, because every request hands its project on several times: that counts one reference and not one for each
/// part, all of which the threads of all requests share.
package final class Project: Sendable, Equatable {
    /// What its rows are kept under; of a tenant ``Tenant/scope``.
    package let scope: Scope
    /// Twelve digits, as `project_id` of the token answer carries them.
    package let number: String
    package let name: String
    package let settings: ProjectSettings
    /// All that there ever were, the oldest first.
    package let allKeys: [APIKey]
    package let authorizedDomains: [AuthorizedDomain]
    package let apps: [RegisteredApp]
    /// In the order in which they were added.
    package let linkDomains: [LinkDomain]
    /// The texts of those on which the case of endings does not count.
    let caseIgnoringLinkDomains: Set<String>
    package let templates: TemplateShelf
    /// The sentences of pages and mails in its own words.
    package let texts: OwnTexts
    package let brand: Brand
    /// Of all its sender domains, by domain and age.
    package let senderDomainKeys: [SenderDomainKey]
    /// Its own provider and sender, of a tenant without one its project's; nil for the server's.
    package let ownTransport: OwnMailTransport?
    /// Who hears of clicks on its links; nil of a tenant, which has none.
    package let linkWebhook: LinkWebhook?
    /// The tenant that this is; nil for a project.
    package let tenant: Tenant?
    package let hasTenants: Bool

    package init(
        scope: Scope, number: String, name: String, settings: ProjectSettings = ProjectSettings(),
        allKeys: [APIKey] = [],
        authorizedDomains: [AuthorizedDomain] = [], apps: [RegisteredApp] = [], linkDomains: [LinkDomain] = [],
        caseIgnoringLinkDomains: Set<String> = [],
        templates: TemplateShelf = TemplateShelf(), texts: OwnTexts = OwnTexts(), brand: Brand = Brand(),
        senderDomainKeys: [SenderDomainKey] = [], ownTransport: OwnMailTransport? = nil,
        linkWebhook: LinkWebhook? = nil, tenant: Tenant? = nil, hasTenants: Bool = false
    ) {
        self.scope = scope
        self.number = number
        self.name = name
        self.settings = settings
        self.allKeys = allKeys
        self.authorizedDomains = authorizedDomains
        self.apps = apps
        self.linkDomains = linkDomains
        self.caseIgnoringLinkDomains = caseIgnoringLinkDomains
        self.templates = templates
        self.texts = texts
        self.brand = brand
        self.senderDomainKeys = senderDomainKeys
        self.ownTransport = ownTransport
        self.linkWebhook = linkWebhook
        self.tenant = tenant
        self.hasTenants = hasTenants
    }

    /// The same project with other settings.
    package func with(_ settings: ProjectSettings) -> Project {
        Project(
            scope: scope, number: number, name: name, settings: settings, allKeys: allKeys,
            authorizedDomains: authorizedDomains, apps: apps, linkDomains: linkDomains,
            caseIgnoringLinkDomains: caseIgnoringLinkDomains, templates: templates, texts: texts, brand: brand,
            senderDomainKeys: senderDomainKeys, ownTransport: ownTransport, linkWebhook: linkWebhook, tenant: tenant,
            hasTenants: hasTenants)
    }

    /// Compares every property: a change of one that were missing here would not be taken over by
    /// ``Projects/reload()``.
    package static func == (left: Project, right: Project) -> Bool {
        (left.scope, left.number, left.name, left.settings, left.tenant, left.hasTenants)
            == (right.scope, right.number, right.name, right.settings, right.tenant, right.hasTenants)
            && (left.allKeys, left.authorizedDomains, left.apps, left.linkDomains, left.templates, left.brand)
                == (right.allKeys, right.authorizedDomains, right.apps, right.linkDomains, right.templates, right.brand)
            && left.texts == right.texts && left.caseIgnoringLinkDomains == right.caseIgnoringLinkDomains
            && left.senderDomainKeys == right.senderDomainKeys && left.ownTransport == right.ownTransport
            && left.linkWebhook == right.linkWebhook
    }

    /// The id in paths and tokens: of a tenant that of its project.
    package var projectID: ProjectID { tenant?.project ?? ProjectID(scope.text) }

    /// Whether a tenant lets nobody in (`disableAuth`).
    package var isDisabled: Bool { tenant?.isDisabled ?? false }

    /// The link domain for links that name none: the first one on which a link can arrive.
    package var defaultLinkDomain: LinkDomain? {
        linkDomains.first { !$0.isGoogles } ?? linkDomains.first
    }

    /// Whether the case of endings does not count on a link domain.
    package func ignoresCase(on domain: String) -> Bool { caseIgnoringLinkDomains.contains(domain) }

    /// The keys in force, the oldest first.
    package var apiKeys: [APIKey] { allKeys.filter { $0.revokedAt == nil } }

    /// The API key in links: of the keys in force the one that was chosen last, else the oldest.
    package var linkKey: String {
        apiKeys.min { ($0.chosenAt?.milliseconds ?? 0) > ($1.chosenAt?.milliseconds ?? 0) }?.text ?? ""
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingLinkRules
package import HomingMail
import HomingProjects
package import HomingShortLinks
package import HomingStore

/// The doctor's view of the server's data; a running server sends it through its socket.
package struct Examination: Sendable, Equatable, Codable {
    /// A host with link domains on it, perhaps of several projects.
    package struct Host: Sendable, Equatable, Codable {
        /// Host and port in the form of a Host header.
        package var authority: String
        /// Scheme and authority.
        package var baseURL: String
        package var expected: ExpectedFiles
        /// One link of each link domain on the host.
        package var links: [Link]

        package init(authority: String, baseURL: String, expected: ExpectedFiles, links: [Link] = []) {
            self.authority = authority
            self.baseURL = baseURL
            self.expected = expected
            self.links = links
        }
    }

    /// A link to follow.
    package struct Link: Sendable, Equatable, Codable {
        package var url: String
        /// The target to which this server sends each device; none for a device that gets a page.
        package var leads: [DoctorDevice: String]

        package init(url: String, leads: [DoctorDevice: String]) {
            self.url = url
            self.leads = leads
        }
    }

    package struct Project: Sendable, Equatable, Codable {
        package var id: ProjectID
        package var apps: [RegisteredApp]
        package var linkDomains: [String]
        /// Bundle ids and package names that recent mails named and the project has not registered.
        package var unregisteredApps: [String]
        /// Those that have keys.
        package var senderDomains: [SenderDomainLook]
        /// The transports of the project and its tenants, where they have any of their own.
        package var ownMail: [OwnMail] = []
        /// Nil where nobody is told of clicks.
        package var linkWebhook: LinkWebhook?
        /// Its links that lead nowhere; nil where nobody has looked.
        package var deadLinks: LinkDeaths?

        package init(
            id: ProjectID, apps: [RegisteredApp], linkDomains: [String], unregisteredApps: [String] = [],
            senderDomains: [SenderDomainLook] = []
        ) {
            self.id = id
            self.apps = apps
            self.linkDomains = linkDomains
            self.unregisteredApps = unregisteredApps
            self.senderDomains = senderDomains
        }
    }

    /// A transport that is not the server's.
    package struct OwnMail: Sendable, Equatable, Codable {
        /// `shop`, or `shop/tenant`.
        package var owner: Scope
        /// A form of `mail.url`, without its secret.
        package var url: String
        /// Whom mails come from; nil for the server's sender.
        package var domain: String?

        package init(owner: Scope, url: String, domain: String?) {
            self.owner = owner
            self.url = url
            self.domain = domain
        }
    }

    /// Who is told of clicks on links.
    package struct LinkWebhook: Sendable, Equatable, Codable {
        package var url: String
        /// Since when it takes nothing; nil where all is well.
        package var failingSince: String?
        package var problem: String?
        package var waiting: Int64
        package var dropped: Int64

        package init(
            url: String, failingSince: String? = nil, problem: String? = nil, waiting: Int64 = 0, dropped: Int64 = 0
        ) {
            self.url = url
            self.failingSince = failingSince
            self.problem = problem
            self.waiting = waiting
            self.dropped = dropped
        }
    }

    /// A name for which a certificate is obtained by ACME.
    package struct Certificate: Sendable, Equatable, Codable {
        package var name: String
        /// Whether there is one.
        package var isThere: Bool
        /// Orders that have failed in a row.
        package var failures: Int
        /// What keeps a newer one back, with the remedy.
        package var problem: String?
        /// Seconds since 1970.
        package var endsAt: Int64?
        package var nextTry: String?

        package init(
            name: String, isThere: Bool, failures: Int = 0, problem: String? = nil, endsAt: Int64? = nil,
            nextTry: String? = nil
        ) {
            self.name = name
            self.isThere = isThere
            self.failures = failures
            self.problem = problem
            self.endsAt = endsAt
            self.nextTry = nextTry
        }
    }

    package var publicURL: String
    package var hosts: [Host]
    package var projects: [Project]
    package var certificates: [Certificate] = []
    /// Peers of the running server that send `X-Forwarded-For` and are no trusted proxies.
    package var untrustedForwarders: [String] = []

    package init(publicURL: String, hosts: [Host], projects: [Project]) {
        self.publicURL = publicURL
        self.hosts = hosts
        self.projects = projects
    }
}

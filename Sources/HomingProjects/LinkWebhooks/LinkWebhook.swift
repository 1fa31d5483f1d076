// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase
package import HomingLinkRules
package import HomingStore
internal import HomingWire

/// Where a project hears of clicks on its links, and of apps that they have opened.
package struct LinkWebhook: Sendable, Equatable {
    package let project: Scope
    package let url: String
    /// What requests are signed with, encrypted under ``label(_:_:)``.
    package let sealedSecret: [UInt8]
    /// Another one at each change.
    package let version: Int64
    package let changedAt: Moment

    /// What a secret is encrypted for: it opens for nobody else, and for no other place.
    package static func label(_ project: Scope, _ url: String) -> String { "link webhook \(project) \(url)" }

    /// ``url`` for logs, and for whoever may only look: its query may be a password.
    package var shownURL: String { Self.shown(url) }

    package static func shown(_ url: String) -> String {
        let place = url.utf8.prefix { $0 != UInt8(ascii: "?") }
        return String(Substring(place)) + (place.count < url.utf8.count ? "?…" : "")
    }

    package static let selection: SQL = "SELECT project, url, sealed, version, changed_at FROM link_webhooks"

    package init(_ row: inout Row) throws {
        project = try row.id()
        url = try row.text()
        sealedSecret = try row.bytes()
        version = try row.int()
        changedAt = try row.moment()
    }

    /// Refuses a URL to which nothing may be sent: it is https on an authorised domain of the project, or http on a
    /// loopback host where the server itself is on one, for development. An address in it is one of the internet's
    /// unless the server's operator allows others; what a name leads to shows when a connection is made.
    ///
    /// - Parameters:
    ///   - publicURL: the server's.
    ///   - reachesPrivateAddresses: the setting `mail.privateAddresses`.
    package static func check(
        _ text: String, for project: any LinkOwner, publicURL: String, reachesPrivateAddresses: Bool
    ) throws(Refusal) {
        let url: WebURL
        do throws(WebURLFault) {
            url = try WebURL(parsing: text)
        } catch {
            throw .invalidSetting("the webhook's URL is not taken: \(error.sentence)")
        }
        guard !url.hasFragment else { throw .invalidSetting("the webhook's URL is not taken: it has a # part") }
        guard project.authorizedDomains.contains(where: { $0.allows(url) }) else {
            throw .invalidSetting(
                "\(url.host.text) is no authorised domain of the project, and clicks are told to those alone",
                remedy: .addDomain)
        }
        if url.host.isLoopback {
            guard isForDevelopment(publicURL) || reachesPrivateAddresses else { throw isPrivate(url) }
            return
        }
        guard !reachesPrivateAddresses, let address = IPAddress(parsing: url.host.text[...]), !address.isPublic else {
            return
        }
        throw isPrivate(url)
    }

    /// Whether requests may reach no address but one of the internet.
    package static func isPublicOnly(_ text: String, publicURL: String, reachesPrivateAddresses: Bool) -> Bool {
        guard !reachesPrivateAddresses else { return false }
        let isLoopback = (try? WebURL(parsing: text))?.host.isLoopback ?? false
        return !(isLoopback && isForDevelopment(publicURL))
    }

    private static func isForDevelopment(_ publicURL: String) -> Bool {
        (try? WebURL(parsing: publicURL))?.host.isLoopback ?? false
    }

    private static func isPrivate(_ url: WebURL) -> Refusal {
        .invalidSetting(
            "\(url.host.text) is an address of this machine or of a private network; HOMING_MAIL_PRIVATE_ADDRESSES "
                + "(mail.privateAddresses) allows those")
    }
}

/// How a webhook fares.
package struct LinkWebhookState: Sendable, Equatable {
    /// Events that wait to be told.
    package let waiting: Int64
    /// When something was taken last.
    package let sentAt: Moment?
    /// Since when nothing is taken; nil where all is well.
    package let failingSince: Moment?
    /// Why, the last time.
    package let problem: String?
    package let nextAt: Moment
    /// Events that were dropped since the webhook was set: after a day, or because too many waited.
    package let dropped: Int64

    package init(
        waiting: Int64, sentAt: Moment? = nil, failingSince: Moment? = nil, problem: String? = nil, nextAt: Moment,
        dropped: Int64
    ) {
        self.waiting = waiting
        self.sentAt = sentAt
        self.failingSince = failingSince
        self.problem = problem
        self.nextAt = nextAt
        self.dropped = dropped
    }
}

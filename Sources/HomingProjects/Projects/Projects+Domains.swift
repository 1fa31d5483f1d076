// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingDatabase
package import HomingLinkRules
package import HomingStore
internal import HomingWire

/// Where a project's mails and links may lead: authorised domains, apps and link domains.
extension Projects {
    /// - Returns: the domain in its one spelling.
    @discardableResult
    package func addDomain(
        _ text: String, to id: ProjectID, by author: Authority
    ) async throws -> AuthorizedDomain {
        let domain = try AuthorizedDomain(parsing: text)
        _ = try existing(id)
        try await change(by: author) { tx in
            // Another node may have added or removed it a moment ago: the database knows.
            guard try Self.insert(domain, project: id, tx) else { return }
            tx.note("domain.add", of: domain.text, in: id)
        }
        return domain
    }

    package func removeDomain(_ text: String, from id: ProjectID, by author: Authority) async throws {
        let known = try existing(id).authorizedDomains.map(\.text)
        let domain = try AuthorizedDomain(parsing: text)
        try await change(by: author) { tx in
            let removed = try tx.run(
                "DELETE FROM authorized_domains WHERE project = \(id) AND domain = \(domain.text) RETURNING domain")
            guard !removed.isEmpty else {
                throw Refusal.notFound(
                    "\(Printable.given(text)) is not an authorised domain of \(id)",
                    remedy: .meant(by: text, among: known, else: .listDomains(project: id)))
            }
            tx.note("domain.remove", of: domain.text, in: id)
        }
    }

    /// Registers an app, or changes the registered one: properties that are not given stay.
    ///
    /// - Returns: the app as it is registered now.
    @discardableResult
    package func addApp(
        _ app: RegisteredApp, to id: ProjectID, by author: Authority
    ) async throws -> RegisteredApp {
        _ = try existing(id)
        return try await change(by: author) { tx in try Self.add(app, to: id, tx) }
    }

    package static func add(
        _ app: RegisteredApp, to id: ProjectID, _ tx: borrowing Transaction
    ) throws -> RegisteredApp {
        let stored = try self.app(app.platform, app.id, of: id, tx)
        let kept = try keep(
            app.merged(into: stored ?? RegisteredApp(platform: app.platform, id: app.id)), in: id, tx)
        tx.note(
            stored == nil ? "app.add" : "app.set", of: app.id, in: id, before: stored?.summary,
            after: kept.summary)
        return kept
    }

    /// Removes fingerprints of an Android app; the last SHA-256 one stays.
    ///
    /// - Returns: the app as it is registered now.
    package func removeFingerprints(
        sha256: [String], sha1: [String], of app: String, in id: ProjectID, by author: Authority
    ) async throws -> RegisteredApp {
        let known = try existing(id).apps.filter { $0.platform == .android }.map(\.id)
        let sha256 = try RegisteredApp.fingerprints(sha256, bytes: 32)
        let sha1 = try RegisteredApp.fingerprints(sha1, bytes: 20)
        return try await change(by: author) { tx in
            guard let before = try Self.app(.android, app, of: id, tx) else {
                throw Refusal.notFound(
                    "\(Printable.given(app)) is no Android app that is registered in \(id)",
                    remedy: .meant(by: app, among: known, else: .listApps(project: id)))
            }
            var stored = before
            for print in sha256 + sha1 where !(stored.sha256 + stored.sha1).contains(print) {
                throw Refusal.notFound(
                    "\(print) is no fingerprint of \(Printable.given(app))",
                    remedy: .listFingerprints(project: id))
            }
            stored.sha256.removeAll { sha256.contains($0) }
            stored.sha1.removeAll { sha1.contains($0) }
            let kept = try Self.keep(stored, in: id, tx)
            tx.note("app.set", of: app, in: id, before: before.summary, after: kept.summary)
            return kept
        }
    }

    package func removeApp(_ app: String, from id: ProjectID, by author: Authority) async throws {
        let known = try existing(id).apps.map(\.id)
        try await change(by: author) { tx in
            let removed = try tx.run(
                "DELETE FROM apps WHERE project = \(id) AND id = \(app) RETURNING details")
            guard let stored = try removed.firstText().map(Self.app(stored:)) else {
                throw Refusal.notFound(
                    "\(Printable.given(app)) is not registered in \(id)",
                    remedy: .meant(by: app, among: known, else: .listApps(project: id)))
            }
            tx.note("app.remove", of: app, in: id, before: stored.summary)
        }
    }

    /// - Parameter mayShareHost: whether the host may be this server's own or one on which another project has links:
    ///   an association file speaks for the whole host, so that its apps may open links of the others.
    /// - Parameter isWebsite: whether the host is listed as an authorised domain, too, so that what is no link there
    ///   stays a page (``LinkOwner/isWebsite(_:)``).
    /// - Returns: the domain in its one spelling.
    @discardableResult
    package func addLinkDomain(
        _ text: String, to id: ProjectID, mayShareHost: Bool = true, isWebsite: Bool = false, by author: Authority
    ) async throws -> LinkDomain {
        let domain = try LinkDomain(typed: text)
        _ = try existing(id)
        let website = isWebsite ? domain.asWebsite : nil
        let now = system.now().milliseconds
        let isOwnHost = (try? WebURL(parsing: publicURL, takesHTTP: true))?.host == domain.host
        try await change(by: author) { tx in
            guard try !Self.has(domain, project: id, tx) else { return }
            if !mayShareHost, try isOwnHost || Self.isOfOthers(domain, but: id, tx) {
                throw Refusal.invalidLinkDomain(
                    "this host serves more than this project: an owner adds it")
            }
            try Self.insert(domain, project: id, at: now, tx)
            tx.note("linkDomain.add", of: domain.text, in: id)
            guard let website, try Self.insert(website, project: id, tx) else { return }
            tx.note("domain.add", of: website.text, in: id)
        }
        return domain
    }

    package func removeLinkDomain(_ text: String, from id: ProjectID, by author: Authority) async throws {
        let project = try existing(id)
        let domain = try LinkDomain(typed: text)
        try await change(by: author) { tx in
            let removed = try tx.run(
                "DELETE FROM link_domains WHERE project = \(id) AND domain = \(domain.text) RETURNING domain")
            guard !removed.isEmpty else { throw Self.noLinkDomain(text, of: project) }
            tx.note("linkDomain.remove", of: domain.text, in: id)
        }
    }

    /// Chooses the link domain of links and mails that name none. One of Google's can be none, because no link on it
    /// arrives.
    @discardableResult
    package func setDefaultLinkDomain(
        _ text: String, of id: ProjectID, by author: Authority
    ) async throws -> LinkDomain {
        let project = try existing(id)
        let domain = try LinkDomain(typed: text)
        guard !domain.isGoogles else {
            throw Refusal.invalidLinkDomain(
                "\(domain.text) is Google's and was switched off: no link on it arrives here")
        }
        try await change(by: author) { tx in
            let chosen = try tx.run(
                """
                UPDATE link_domains SET is_default = 1 WHERE project = \(id) AND domain = \(domain.text)
                RETURNING domain
                """)
            guard !chosen.isEmpty else { throw Self.noLinkDomain(text, of: project) }
            try tx.run(
                """
                UPDATE link_domains SET is_default = 0
                WHERE project = \(id) AND domain <> \(domain.text) AND is_default <> 0
                """)
            guard project.defaultLinkDomain != domain else { return }
            tx.note(
                "linkDomain.default", of: domain.text, in: id, before: project.defaultLinkDomain?.text,
                after: domain.text)
        }
        return domain
    }

    /// Says whether the case of endings counts on a link domain. ``Homing/setCase(of:in:isIgnored:by:)`` sees to its
    /// links.
    package func setCase(of domain: LinkDomain, in id: ProjectID, isIgnored: Bool, by author: Authority) async throws {
        let project = try existing(id)
        try await change(by: author) { tx in
            guard try Self.has(domain, project: id, tx) else { throw Self.noLinkDomain(domain.text, of: project) }
            let changed = try tx.run(
                """
                UPDATE link_domains SET ignores_case = \(isIgnored)
                WHERE project = \(id) AND domain = \(domain.text) AND ignores_case <> \(isIgnored)
                RETURNING domain
                """)
            // A repetition is no entry of the audit log.
            guard !changed.isEmpty else { return }
            let (before, after) = isIgnored ? ("matches case", "ignores case") : ("ignores case", "matches case")
            tx.note("linkDomain.set", of: domain.text, in: id, before: before, after: after)
        }
    }

    package static func noLinkDomain(_ text: String, of project: Project) -> Refusal {
        .notFound(
            "\(Printable.given(text)) is not a link domain of \(project.projectID)",
            remedy: .meant(
                by: text, among: project.linkDomains.map(\.text), else: .listLinkDomains(project: project.projectID)))
    }
}

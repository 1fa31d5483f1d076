// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingDatabase
import HomingLinkRules
internal import HomingMail
import HomingPasswords
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTransfer
internal import HomingWire

/// What tests of query plans run: every statement of a day, on tables that are empty or full.
extension TestHoming {
    /// The link domain of a project that ``doDailyWork()`` is about.
    package static let linkDomain = "go.shop.example"

    /// A custom token of nobody.
    private static let customToken: String = {
        let parts: [JSON] = [
            ["alg": "RS256"],
            [
                "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
                "iss": "nobody@shop.example", "sub": "nobody@shop.example",
            ],
        ]
        return parts.map { Base64URL.encode($0.write(pretty: false)) }.joined(separator: ".") + ".AAAA"
    }()

    /// The work of people, delivery, links and the sweep. A change of address is among the steps that make a recovery
    /// code.
    package func doDailyWork() async throws {
        let tokens = try await signUp(Self.ann).tokens
        _ = try await signIn(Self.ann)
        _ = try await person(tokens)
        _ = try await core.sessions.refresh(tokens.refreshToken, in: try shop)
        try await core.blockLimits.take("mail from 192.0.2.1", project: "shop", limit: 100)
        for kind in ActionCodeKind.allCases where kind != .verifyAndChangeEmail {
            let code = try await liveCode(kind)
            _ = try await core.actionCodes.inspect(code, in: try shop)
            _ = try await core.actionCodes.remember(code, in: try shop)
            try await redeem(code, kind)
        }
        // The first of two has lost its link before it is claimed.
        for _ in 0..<2 { try await askForReset() }
        try await mail(.passwordReset, to: "nobody@home.example")
        transport.answer(.temporary(reply: "451 later"))
        try await deliver()
        _ = try await core.outbox.nextDue()
        _ = try await core.outbox.waitingScopes()
        let bounced = try await core.outbox.enqueueTest(to: try EmailAddress(parsing: Self.ann), in: shop, by: .command)
        let gone = Bounce(action: .failed, status: Bounce.Status(parsing: "5.1.1"), diagnostic: "")
        _ = try await core.suppressions.take([gone], about: bounced, by: .command)
        let told = [
            MailEvent(.delivered, mail: bounced, address: Self.ann),
            MailEvent(.delivered, mail: nil, providerID: "provider's", address: Self.ann),
        ]
        _ = try await core.suppressions.take(told, once: "proof") { _ in true }
        _ = try await core.suppressions.count()
        try await core.suppressions.lift(try EmailAddress(parsing: Self.ann), in: shop, by: .command)
        _ = try await core.outbox.list(project: "shop")
        _ = try await core.outbox.newest(in: try shop, before: "z", limit: 50)
        _ = try await core.outbox.list(to: try EmailAddress(parsing: Self.ann), in: shop)
        _ = try await core.outbox.newest(in: try shop, only: MailFilter(state: .failed, kind: .test), limit: 50)
        _ = try await core.outbox.queue(of: try shop)
        _ = try await core.accounts.count(in: shop, upTo: 1000)
        for place in [nil, "address:user1", "id:account1"] {
            _ = try await core.accounts.search("user1", in: shop, after: place, limit: 2000)
        }
        _ = try await core.accounts.search("", in: shop, limit: 10)
        try await lookForAccounts()
        _ = try await core.accounts.page(in: shop, after: "account1", limit: 1000)
        try await openMails()
        try await finishBound()
        try await waitAndContinue()
        if let found = try await found(Self.ann) {
            var change = AccountChange()
            change.phoneNumber = .set("+4930123456")
            change.newIdentity = try AccountIdentity(JSON.Object([("providerId", "google.com"), ("rawId", "7")]))
            _ = try await core.accounts.change(found.id, change, in: try shop)
            _ = try await core.accounts.find(
                ids: [found.id], addresses: [], phoneNumbers: ["+4930123456"], identities: [("google.com", "7")],
                in: try shop)
            _ = try? await core.accounts.signIn(customToken: Self.customToken, in: try shop)
            _ = try await core.accounts.openSessions(of: found.id, in: try shop)
            _ = try await core.accounts.endSessions(of: found.id, in: try shop, by: .command)
            try await core.accounts.delete(found.id, in: try shop)
        }
        let link = try await core.adminSessions.newMailboxLink()
        _ = try await core.adminSessions.page(ofLink: link)
        if let browser = try await core.adminSessions.redeem(link)?.secret,
            let session = try await core.adminSessions.find(browser)
        {
            try await core.adminSessions.end(session)
        }
        let person = try await core.operators.add("ann@example.com", role: .editor, projects: nil)
        _ = try await core.operators.mailLink(to: person.address, caller: "192.0.2.1")
        _ = try await core.operators.list()
        _ = try await core.audit.list(project: "shop")
        _ = try await core.audit.list(about: "account1", in: "shop", limit: 20)
        _ = try await core.audit.list(before: AuditLog.Position(parsing: "1.a"))
        try await core.operators.remove(person.address)
        try await openLinks()
        // A sign-in that fails asks for the schemes of imported hashes.
        _ = try? await signIn("user2@home.example", password: "a wrong one")
        try await moveIn()
        try await Sweep(core).run()
        // In a project that deletes anonymous accounts which nobody uses. Behind the sweep, for which all would have
        // ended: a table that becomes empty is analysed anew while its plans are looked at.
        try await core.projects.set("shop", "autodeleteAnonymousUsers", to: "true")
        _ = try await core.accounts.signUpAnonymously(in: try shop)
        clock.advance(seconds: 31 * 86_400)
        try await UnusedAccounts(core).delete { _, _ in }
        clock.advance(seconds: 86_400)
        try await UnusedAccounts(core).delete { _, _ in }
    }

    /// The console's list of accounts, as a project with few of them has it and one with many.
    private func lookForAccounts() async throws {
        for address in ["first@list.example", "second@list.example"] { try await account(address) }
        for order in AccountQuery.Order.allCases {
            var query = AccountQuery()
            (query.isDisabled, query.order) = (false, order)
            for most in [AccountQuery.mostRead, 1] {
                _ = try await core.accounts.find(query, in: shop, readingAtMost: most)
            }
        }
    }

    private func askForReset() async throws {
        try await mail(.passwordReset, to: Self.ann)
        clock.advance(seconds: 61)
    }

    /// An import from an old system, and the end of that.
    private func moveIn() async throws {
        let key = String(repeating: "k", count: OldSystem.leastKeyBytes)
        var reader = AccountExportReader(
            .csv, scheme: nil, oldSystem: try OldSystem(url: "https://old.example/", key: key))
        reader.take(Array("id,email\nold,old@home.example\n".utf8))
        reader.finish()
        while let row = try reader.next() {
            _ = try await core.accounts.take([try row.account.get()], in: try shop)
        }
        _ = try await core.accounts.countUnverified(in: try shop)
        _ = try await core.accounts.endOldSystem(of: try shop, by: .command)
    }

    private func openMails() async throws {
        try await account("bea@home.example")
        try await mail(.passwordReset, to: "bea@home.example")
        let text = try await mailedCode(to: "bea@home.example")
        let code = try await core.actionCodes.inspect(text, in: try shop)
        core.outbox.mailCounts.opened(code, in: try shop)
        core.outbox.mailCounts.returned(mail: code.mail ?? "", in: try shop)
        _ = try await core.outbox.mailCounts.rows(of: try shop, days: 7)
    }

    /// Bound requests: a wrong number and a wrong code, an approval that is collected, a code that is typed, a mail that
    /// is sent again, and a request that is declined.
    private func finishBound() async throws {
        let (codes, shop, cleo) = (core.actionCodes, try shop, "cleo@home.example")
        let approved = try await bound(.signIn, for: cleo)
        _ = try? await codes.approve(approved.code, number: approved.wrongNumber, in: shop)
        _ = try? await codes.finish(requestID: approved.requestID, typed: approved.wrongTyped, in: shop)
        try await codes.approve(approved.code, number: approved.number, in: shop)
        _ = try await codes.collect(approved.sealed, verifier: Self.verifier, in: shop)
        let typed = try await bound(.signIn, for: cleo)
        _ = try await codes.redeemTyped(typed.sealed, .signIn, typed: typed.typed, verifier: Self.verifier, in: shop)
        let declined = try await bound(.passwordReset, for: cleo)
        _ = try await codes.finish(requestID: declined.requestID, typed: declined.typed, in: shop)
        _ = try await codes.waiting(requestID: declined.requestID, in: shop)
        try await codes.decline(declined.code, in: shop)
        let mailed = try await ask(.passwordReset, for: cleo)
        clock.advance(seconds: 61)
        try await codes.resend(requestID: mailed.requestID, in: shop)
    }

    /// A client that waits, beside a look for what other servers have ended, and one that asks what was to be continued.
    private func waitAndContinue() async throws {
        let (codes, shop, cleo) = (core.actionCodes, try shop, "cleo@home.example")
        let typed = try await bound(.signIn, for: cleo)
        let awaited = try await codes.awaited(typed.requestID, verifier: Self.verifier, typed: typed.typed, in: shop)
        if case .approved(_, _, let tokens) = awaited {
            let rule = core.projects.linkRules(of: shop).continueRule
            _ = try await codes.pendingAction(of: try await person(tokens), by: rule, in: shop)
        }
        let waiting = try await bound(.passwordReset, for: cleo)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await codes.awaited(waiting.requestID, verifier: Self.verifier, in: shop) }
            for _ in 0..<2000 where codes.waitingRoom.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
            try await codes.lookForEnded()
            try await codes.decline(waiting.code, in: shop)
            try await group.waitForAll()
        }
    }

    private func openLinks() async throws {
        guard let domain = try shop.linkDomains.first else { return }
        let parameters = DynamicLinkParameters(link: "https://shop.example/a")
        let made = try await core.links.create(parameters, on: domain, of: shop, ending: .unguessable, by: .command)
        // The link that was just made is in memory; this one is not.
        _ = try await core.links.link("suffix7", on: domain, of: shop)
        _ = try await core.links.stored(made.suffix, on: domain, of: shop)
        try await change(made.suffix, on: domain)
        // Whoever switches this on fills a column of every link, which is not done daily.
        try await rows("UPDATE link_domains SET ignores_case = 1")
        try await core.projects.reload()
        _ = try await core.links.named("SUFFIX8", in: shop)
        core.links.counts.count(.click, on: .ios, of: made.suffix, at: domain.text, project: "shop")
        _ = try await core.links.counts.entries(of: made.suffix, on: domain.text, project: "shop", days: 7)
        _ = try await core.links.counts.daily(of: made.suffix, on: domain.text, project: "shop", days: 7)
        try await countLinks(made.suffix, domain)
        try await core.links.rename(made.suffix, on: domain, of: shop, to: "Spring", by: .command)
        try await findLinks(on: domain)
        let secret = try await core.adminKeys.create(name: "back end", projects: ["shop"]).secret
        _ = try await core.adminKeys.find(secret)
        try await core.adminKeys.flushUses()
    }

    /// A click from somewhere, each kind of statistics, and a webhook that is told.
    private func countLinks(_ suffix: LinkSuffix, _ domain: LinkDomain) async throws {
        let (counts, events) = (core.links.counts, core.links.events)
        let origin = LinkCounts.Origin(referrer: "https://news.example/", campaign: "spring", on: domain.host.text)
        counts.count(
            .click, by: VisitorClass(.ios, .safari), from: origin, of: suffix, at: domain.text, project: "shop")
        let subjects: [LinkStatistics.Subject] = [
            .project, .link(domain: domain.text, suffix: suffix), .tag("print"), .campaign("spring"),
        ]
        for subject in subjects { _ = try await counts.statistics(of: subject, in: try shop, days: 7) }
        _ = try await counts.totals(of: [(domain: domain.text, suffix: suffix)], project: "shop")
        _ = try await counts.clicksByDay(in: shop, days: 14)
        _ = try await core.links.countMade(from: clock.now, in: shop, upTo: 1000)
        try await core.projects.setLinkWebhook(
            "https://shop.example/hook", secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz", of: "shop",
            reachesPrivateAddresses: false, by: .command)
        for problem in ["it answered 500", nil] {
            events.clicked(suffix, on: domain, of: try shop, by: VisitorClass(.ios), from: origin)
            _ = try await events.flush()
            _ = try await events.due()
            if let batch = try await events.claim("shop") { try await events.settle(batch, problem: problem) }
            clock.advance(seconds: 60)
        }
        _ = try await events.state(of: "shop")
        _ = try await events.dropOld()
    }

    private func findLinks(on domain: LinkDomain) async throws {
        try await UnkeyedLinks(core).fill()
        func find(_ order: LinkQuery.Order? = nil, _ set: (inout LinkQuery) -> Void) async throws {
            var query = LinkQuery()
            query.order = order
            query.pageSize = 2
            set(&query)
            let (_, next) = try await core.links.find(query, in: shop)
            query.pageToken = next
            _ = try await core.links.find(query, in: shop)
        }
        try await find { $0.text = "suffix7" }
        try await find { $0.text = "Spring" }
        try await find { $0.target = "https://www.shop.example/7?utm_source=letter" }
        try await find { $0.tag = "letters" }
        try await find { $0.domain = domain }
        for isNamed in [true, false] {
            for order in LinkQuery.Order.allCases { try await find(order) { $0.includesUnnamed = !isNamed } }
        }
        // Which nobody has: those that were never clicked are looked at as well.
        try await find(.clicks) { query in
            query.includesUnnamed = true
            query.tag = "nobody's"
        }
        try await find(.newest) { query in
            query.includesUnnamed = true
            query.state = .ended
            query.tag = "letters"
            query.target = "shop.example"
        }
    }

    private func change(_ suffix: LinkSuffix, on domain: LinkDomain) async throws {
        guard let site = try core.projects.linkSite(on: domain, of: shop) else { return }
        try await core.links.edit(suffix, at: site, seen: 1, by: .command) { content in
            content.details.setTags(["letters"])
            content.details.maxClicks = 1
        }
        if let link = try await core.links.open(.suffix(suffix), query: nil, at: site) {
            _ = try await core.links.admission(of: link, for: .click)
        }
        try await core.links.restore(1, of: suffix, at: site, by: .command)
        _ = try await core.links.versions(of: suffix, on: domain, of: shop)
        try await core.links.lookForChanges()
    }

    /// So many accounts of one project with a code, mails, a session, a link each, and statistics about them.
    package func fill(_ count: Int) async throws {
        let now = clock.now
        let later = now.adding(seconds: 3600)
        let numbers: SQL = """
            WITH RECURSIVE numbers(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(count - 1))
            """
        let bytes: SQL = "CAST(CAST(i AS TEXT) AS \(type: .bytes))"
        try await core.database.write { connection in
            try connection.run([
                """
                \(sql: numbers)
                INSERT INTO accounts (project, id, email, email_verified, email_link, valid_since, created_at, disabled,
                    phone_number, password_hash)
                SELECT 'shop', 'account' || i, 'user' || i || '@home.example', 1, 0, 0, \(now), 0, '+49' || i,
                    CASE WHEN i % 2 = 0 THEN '$scheme$scheme' || (100000 + i) || '$$' END
                FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO accounts (project, id, email_verified, email_link, valid_since, created_at, disabled, last_refresh_at)
                SELECT 'shop', 'anonymous' || i, 0, 0, 0, \(now), 0, \(now.adding(seconds: 100 * 86_400)) FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO password_schemes (project, id, sealed, created_at)
                SELECT 'old' || i, 'scheme' || (100000 + i), \(sql: bytes), \(now.adding(seconds: -100_000)) FROM numbers WHERE i < 20
                """,
                """
                \(sql: numbers)
                INSERT INTO account_identities (project, provider, raw_id, account)
                SELECT 'shop', 'google.com', 'google' || i, 'account' || i FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO service_accounts (project, id, email, public_key, created_at)
                SELECT 'shop', 'key' || i, 'service-account@host' || i, '', \(now) FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO codes (project, id, kind, state, address, account, created_at, expires_at)
                SELECT 'shop', \(sql: bytes), i % 5 + 1, 0, 'user' || i || '@home.example', 'account' || i, \(now), \(later)
                FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO outbox (project, id, kind, state, recipient, code, key_version, facts, created_at, expires_at,
                    next_at, attempts, ended_at)
                SELECT 'shop', 'account' || i, 'VERIFY_EMAIL', 1, 'user' || i || '@home.example', \(sql: bytes), 1, '{}',
                    \(now) - i * 1000, \(now) - i * 1000, \(now) - i * 1000, 1, \(now) - i * 1000
                FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO mailbox (id, project, recipient, kind, language, subject, plain, html, created_at)
                SELECT 'mail' || i, 'shop', 'user', 'VERIFY_EMAIL', 'en', '', '', '', \(now) FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO sessions (project, id, account, provider, auth_time, created_at)
                SELECT 'shop', \(sql: bytes), 'account' || i, 'password', \(now), \(now) FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO limits (project, subject, started_at, n, expires_at)
                SELECT 'shop', 'user' || i || '@home.example', \(now), 1, \(later) FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO suppressions (project, address, reason, mail, bounces, created_at, expires_at)
                SELECT 'shop', 'user' || i || '@home.example', '5.1.1', 'account' || i, 1, \(now), \(later) FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO admin_sessions (digest, page, created_at, redeemed_at, expires_at)
                SELECT \(sql: bytes), 'mailbox', \(now), \(now), \(later) FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO links (project, domain, suffix, query, name, archived, created_at, target_key)
                SELECT 'shop', '\(sql: SQL(stringLiteral: Self.linkDomain))', 'suffix' || i, 'link=https://shop.example/' || i,
                    'Letter ' || i, 0, \(now) - i * 1000, 'shop.example/' || i
                FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO link_tags (project, tag, domain, suffix)
                SELECT 'shop', 'tag' || i % 2000, '\(sql: SQL(stringLiteral: Self.linkDomain))', 'suffix' || i FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens, reopens)
                SELECT 'shop', '\(sql: SQL(stringLiteral: Self.linkDomain))', 'suffix' || i, 20000, 2, 1, 1, 0, 0 FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens, reopens)
                SELECT 'shop', '\(sql: SQL(stringLiteral: Self.linkDomain))', 'suffix' || i, 0, 0, i, 0, 0, 0 FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO link_sources (project, domain, suffix, day, referrer, campaign, clicks)
                SELECT 'shop', '\(sql: SQL(stringLiteral: Self.linkDomain))', 'suffix' || i, 20000 + i % 7, 'host' || i, '', 1 FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO link_events (project, id, created_at, attempts, n, body)
                SELECT 'shop' || i % 100, 'evt_' || i, \(now) - i * 1000, 0, 1, '{}' FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO mail_counts (project, day, kind, language, accepted, sent, failed, expired, bounced, opened, applied,
                    returned)
                SELECT 'shop' || i % 100, i, 'TEST', 'en', 1, 1, 0, 0, 0, 0, 0, 0 FROM numbers
                """,
                """
                \(sql: numbers)
                INSERT INTO link_versions (project, domain, suffix, version, at, content)
                SELECT 'shop', '\(sql: SQL(stringLiteral: Self.linkDomain))', 'suffix' || i, 1, \(now), '{}' FROM numbers
                """,
                "ANALYZE",
            ])
        }
    }
}

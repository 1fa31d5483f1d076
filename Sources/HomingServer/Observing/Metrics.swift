// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingCertificates
import HomingCore
import HomingDatabase
import HomingLinkRules
import HomingPasswords
import HomingProjects
import HomingShortLinks
import HomingStore
import Synchronization

/// What a server counts, and the page `/metrics`. Labels hold names of ours, never a value of a request.
///
/// Requests are counted by atomics that lie in this object, without a lock and without memory.
package final class Metrics: Sendable {
    enum Listener: String {
        case open = "public"
        case admin
    }

    /// The requests of one operation on one listener.
    private struct Requests: ~Copyable, Sendable {
        /// By class of status, from 1xx at index 0 on.
        let classes: InlineArray<5, Atomic<Int>>
        let times = Histogram()

        init() {
            classes = InlineArray { _ in Atomic(0) }
        }

        func count(status: Int, took time: Duration) {
            classes[min(max(status / 100 - 1, 0), 4)].add(1, ordering: .relaxed)
            times.observe(time)
        }
    }

    /// No fewer than there are operations.
    private typealias Table = InlineArray<72, Requests>
    package static var mostOperations: Int { Table.count }

    private let open = Table { _ in Requests() }
    private let admin = Table { _ in Requests() }
    let version: String
    let certificates: Certificates
    private let startedAt = Date()
    private let states = Mutex<(counts: [Outbox.State: Int], readAt: ContinuousClock.Instant)?>(nil)

    /// How long the counts of mails that have ended are kept: to count them goes through all mails of thirty days.
    private static let statesAreKept = Duration.seconds(60)

    /// - Parameter version: the program's.
    package init(version: String = "", certificates: Certificates) {
        self.version = version
        self.certificates = certificates
    }

    // MARK: Counting

    func countRequest(_ operation: Operation, on listener: Listener, status: Int, took time: Duration) {
        switch listener {
        case .open: open[operation.number].count(status: status, took: time)
        case .admin: admin[operation.number].count(status: status, took: time)
        }
    }

    // MARK: The page

    func page(_ context: AdminContext) async throws -> String {
        let homing = context.homing
        let mails = try await mails(homing)
        let suppressed = try await homing.suppressions.count()
        let due = try await homing.outbox.nextDue()
        let probe = try await homing.outbox.lastProbe()
        let names = try await certificates.states()
        var page = Exposition()
        describeProcess(homing, &page)
        describeRequests(homing, &page)
        Self.describeDatabase(homing, &page)
        Self.describeMails(homing, mails, due: due, suppressed: suppressed, probe: probe, &page)
        Self.describeBoundRequests(homing, &page)
        Self.describeLinks(homing, &page)
        Self.describePasswords(homing, &page)
        describeCertificates(homing, names, &page)
        return page.text
    }

    /// The number of mails in each state: the waiting ones now, the others as of at most a minute ago.
    private func mails(_ homing: Homing) async throws -> [Outbox.State: Int] {
        if let (counts, readAt) = states.withLock({ $0 }), readAt + Self.statesAreKept > .now {
            var counts = counts
            counts[.queued] = try await homing.outbox.countQueued()
            return counts
        }
        let counts = try await homing.outbox.counts()
        states.withLock { $0 = (counts, .now) }
        return counts
    }

    private func describeProcess(_ homing: Homing, _ page: inout Exposition) {
        page.metric("homing_build_info", .gauge, "The program's version and the engine of its database; always 1.")
        page.sample(["version": version, "database": "\(homing.database.dialect)"], 1)
        page.metric(
            "process_start_time_seconds", .gauge, "When the server was started, in seconds since 1970.",
            startedAt.timeIntervalSince1970)
        let process = ProcessFigures()
        page.metric(
            "process_resident_memory_bytes", .gauge, "The memory that the server has in the machine.",
            process.residentBytes)
        page.metric(
            "process_cpu_seconds_total", .counter, "The processor time of the server.", process.processorSeconds)
        page.metric(
            "homing_edition_age_seconds", .gauge,
            "How long ago this server last knew that it has the newest settings and keys; 0 with SQLite.",
            homing.editionAge)
    }

    private func describeRequests(_ homing: Homing, _ page: inout Exposition) {
        page.metric(
            "homing_http_requests_total", .counter, "Requests that were answered, by operation and class of status.")
        forEach { listener, operation, requests in
            for index in requests.classes.indices {
                let count = requests.classes[index].load(ordering: .relaxed)
                guard count > 0 else { continue }
                page.sample(
                    ["listener": listener.rawValue, "operation": operation.name, "class": "\(index + 1)xx"], count)
            }
        }
        page.metric(
            "homing_http_request_duration_seconds", .histogram,
            "How long requests took, from their head to the answer, by operation.")
        forEach { listener, operation, requests in
            let times = requests.times.snapshot
            guard times.count > 0 else { return }
            page.histogram(["listener": listener.rawValue, "operation": operation.name], times)
        }
        page.metric("homing_refusals_total", .counter, "Requests that were refused, by the code of the refusal.")
        for (code, count) in homing.refusals.counts.sorted(by: { $0.key < $1.key }) {
            page.sample(["code": code], count)
        }
    }

    private func forEach(_ body: (Listener, Operation, borrowing Requests) -> Void) {
        for operation in Operation.all { body(.open, operation, open[operation.number]) }
        for operation in Operation.all { body(.admin, operation, admin[operation.number]) }
    }

    private static func describeDatabase(_ homing: Homing, _ page: inout Exposition) {
        let counts = homing.database.counts
        page.metric(
            "homing_database_statements_total", .counter, "Statements of verbs, without the engine's own.",
            counts.statements)
        page.metric("homing_database_writes_total", .counter, "Verbs that asked to write.", counts.writes)
        page.metric(
            "homing_database_commits_total", .counter, "Commits; with SQLite each carries one or more writes.",
            counts.commits)
        page.metric("homing_database_trips_total", .counter, "Round trips to PostgreSQL; 0 with SQLite.", counts.trips)
        page.metric(
            "homing_database_log_pages", .gauge, "Pages in SQLite's write-ahead log; 0 with PostgreSQL.",
            counts.logPages)
        let times = homing.database.times
        page.metric(
            "homing_database_duration_seconds", .histogram,
            "How long verbs took, from the call to the answer, waiting included.")
        page.histogram(["access": "read"], times.reads.snapshot)
        page.histogram(["access": "write"], times.writes.snapshot)
        page.metric(
            "homing_database_pool_wait_seconds", .histogram,
            "How long verbs waited for a connection to PostgreSQL; none with SQLite.")
        page.histogram(times.waits.snapshot)
    }

    private static func describeMails(
        _ homing: Homing, _ mails: [Outbox.State: Int], due: Moment?, suppressed: Int, probe: LetterProbeResult?,
        _ page: inout Exposition
    ) {
        page.metric(
            "homing_mails", .gauge, "Emails in the database by state; those that have ended are counted once a minute.")
        for state in [Outbox.State.queued, .sent, .failed, .expired] {
            page.sample(["state": state.name], mails[state] ?? 0)
        }
        page.metric(
            "homing_mails_in_hand", .gauge, "Emails that this server has claimed and not settled.",
            homing.outbox.inHand)
        let late = due.map { max(0, homing.outbox.now().milliseconds - $0.milliseconds) } ?? 0
        page.metric(
            "homing_outbox_oldest_due_seconds", .gauge, "For how long the oldest due mail has waited for its turn.",
            Double(late) / 1000)
        page.metric(
            "homing_mail_outcomes_total", .counter,
            "What became of emails that this server took up; void is one that goes to nobody.")
        for (outcome, count) in homing.outbox.outcomes {
            page.sample(["kind": outcome.kind.rawValue, "outcome": outcome.name], count)
        }
        page.metric(
            "homing_mail_relay_duration_seconds", .histogram,
            "How long emails took at the relay, from the handing over to its last reply.")
        page.histogram(homing.outbox.relayTimes.snapshot)
        page.metric(
            "homing_mail_handover_seconds", .histogram,
            "How long emails took from the request to the acceptance by the relay or provider, at the first try.")
        page.histogram(homing.outbox.handoverTimes.snapshot)
        let states = homing.outbox.mailStates
        if !states.isEmpty {
            page.metric(
                "homing_mail_transport_up", .gauge,
                "Whether the relay or provider takes emails, as far as this server knows: 0 while it is away.")
            for state in states {
                page.sample(state.owner.map { ["owner": $0.text] } ?? [:], state.away == nil ? 1 : 0)
            }
        }
        page.metric(
            "homing_mail_events_total", .counter,
            "What providers have told this server of emails, by what became of it.")
        for (provider, outcome, count) in homing.mailEvents.counts {
            page.sample(["provider": provider, "outcome": outcome.rawValue], count)
        }
        // Without a sample until there was a night.
        page.metric(
            "homing_mail_probe_ok", .gauge,
            "Whether all letters of the last nightly probe arrived, and none of them with a problem.")
        if let probe { page.sample([:], probe.isFine ? 1 : 0) }
        page.metric(
            "homing_mail_probe_arrival_seconds", .gauge,
            "How long the slowest letter of the last nightly probe took, from the request to the arrival.")
        if let seconds = probe?.seconds { page.sample([:], Int(clamping: seconds)) }
        page.metric(
            "homing_suppressed_addresses", .gauge, "Addresses that get no email for a time, because emails came back.",
            suppressed)
    }

    private static func describeBoundRequests(_ homing: Homing, _ page: inout Exposition) {
        page.metric(
            "homing_waiting_clients", .gauge, "Clients that wait at this server for what becomes of an email.",
            homing.actionCodes.waitingRoom.count)
        page.metric(
            "homing_bound_requests_total", .counter,
            "Mailed links that were asked for bound to the asking client, and how they ended but by time.")
        for (kind, outcome, count) in homing.store.boundRequests.counts {
            page.sample(["kind": kind.name, "outcome": outcome], count)
        }
    }

    private static func describeLinks(_ homing: Homing, _ page: inout Exposition) {
        page.metric(
            "homing_link_misses_total", .counter,
            "Requests to link domains for what is no link: the domain itself (root), or another path (ending).")
        for kind in LinkMisses.Kind.allCases { page.sample(["kind": kind.rawValue], homing.links.misses[kind]) }
        page.metric(
            "homing_link_events_total", .counter,
            "Clicks and openings for link webhooks, by what became of them; each try that failed counts.")
        let counts = homing.links.events.counts
        for outcome in LinkEvents.Outcome.allCases {
            page.sample(["outcome": outcome.rawValue], Int(clamping: counts[outcome] ?? 0))
        }
    }

    /// The names that are shown at most: those whose certificates end first.
    private static let mostNames = 100

    private func describeCertificates(
        _ homing: Homing, _ names: [CertificateState], _ page: inout Exposition
    ) {
        let now = homing.system.now()
        page.metric(
            "homing_certificate_expiry_timestamp_seconds", .gauge,
            "When a certificate by ACME ends, in seconds since 1970; the hundred that end first.")
        let ends = names.compactMap { state in state.endsAt.map { (state.name, $0) } }
        for (name, end) in ends.sorted(by: { $0.1 < $1.1 }).prefix(Self.mostNames) {
            page.sample(["name": name], end.seconds)
        }
        page.metric(
            "homing_certificate_overdue_seconds", .gauge,
            "For how long the certificate is missing, or its renewal due, that has waited longest.",
            names.map { $0.overdue(at: now) }.max() ?? 0)
        page.metric(
            "homing_certificate_tries_total", .counter, "How this server's orders of certificates have ended.")
        for outcome in CertificateTries.Outcome.allCases {
            page.sample(["outcome": outcome.rawValue], certificates.tries[outcome])
        }
    }

    private static func describePasswords(_ homing: Homing, _ page: inout Exposition) {
        page.metric(
            "homing_password_pool_depth", .gauge, "Passwords and signatures that wait or are being computed.",
            homing.pool.depth)
        page.metric(
            "homing_password_wait_seconds", .histogram, "How long passwords waited until they were computed.")
        page.histogram(homing.pool.waits.snapshot)
        page.metric(
            "homing_old_system_questions_total", .counter,
            "Questions to systems that accounts came from, whether a password is right, by what became of them.")
        let counts = homing.accounts.oldSystems.counts
        for outcome in OldSystems.Outcome.allCases {
            page.sample(["outcome": outcome.rawValue], counts[outcome] ?? 0)
        }
        page.metric(
            "homing_old_system_duration_seconds", .histogram,
            "How long questions to systems that accounts came from took, their wait included.")
        page.histogram(homing.accounts.oldSystems.times.snapshot)
    }
}

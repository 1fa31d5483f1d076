// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
package import HomingListener
package import HomingProjects
package import HomingStore
import HomingWire
package import Logging

/// Gets certificates for the names that need one, and renews them: what ``CertificatePlan`` decides, done.
package struct CertificateKeeper: Sendable {
    let keys: Keys
    let nodes: Nodes
    let projects: Projects
    package let certificates: Certificates
    package let client: ACMEClient
    let email: String?
    package let hasPlainListener: Bool
    /// The host of the public URL.
    let ownName: String?
    /// The names of the certificate in the operator's own files.
    let covered: @Sendable () -> [String]
    package let look: CertificateLookout
    /// One line about a fault, with the remedy.
    let line: @Sendable (any Error) -> String
    let logger: Logger

    package init(
        keys: Keys, nodes: Nodes, projects: Projects, certificates: Certificates, client: ACMEClient, email: String?,
        hasPlainListener: Bool, ownName: String?, covered: @escaping @Sendable () -> [String],
        line: @escaping @Sendable (any Error) -> String,
        logger: Logger
    ) {
        self.keys = keys
        self.nodes = nodes
        self.projects = projects
        self.certificates = certificates
        self.client = client
        self.email = email
        self.hasPlainListener = hasPlainListener
        self.ownName = ownName
        self.covered = covered
        look = CertificateLookout(certificates: certificates)
        self.line = line
        self.logger = logger
    }

    /// What the public listener shows.
    package func obtained(beside files: TLSCertificate?) -> ObtainedCertificates {
        ObtainedCertificates(certificates, ownName: ownName ?? "", beside: files)
    }

    /// Before the first round: what there is to show, and what an earlier process has left.
    func begin() async throws {
        let faults = try await certificates.reload()
        for (name, fault) in faults {
            logger.error(
                "the key of a certificate cannot be opened; a new certificate is ordered",
                metadata: ["name": "\(name)", "error": "\(fault)"])
        }
        // A full disk keeps no certificate from being shown; claims end by themselves.
        try? await certificates.releaseAll()
        if !faults.isEmpty { try await certificates.makeDue(Array(faults.keys)) }
    }

    /// After so long no first certificate is begun in a round, so that renewals are looked at again.
    private static let longestRound = Duration.seconds(60)

    /// One look at all names; orders what is due, one after the other.
    func round() async throws {
        // Without the master key in use nothing could be kept, and what others have kept is not lost.
        guard keys.ring.gap == nil, try await nodes.isTurn(for: "certificates", everySeconds: 8) else {
            return
        }
        let names = names
        try await certificates.want(names, from: client.directoryURL)
        let wanted = Set(names)
        let states = try await certificates.states().filter { wanted.contains($0.name) }
        let owners = owners
        let end = ContinuousClock.now + Self.longestRound
        for state in CertificatePlan.queue(states, ownName: ownName, projects: owners) {
            try Task.checkCancellation()
            guard CertificatePlan.step(for: state, at: certificates.store.system.now()) != .rest else { continue }
            if !state.isThere && state.name != ownName {
                guard ContinuousClock.now < end else { break }
                guard try await !isPaused() else { continue }
            }
            _ = try await attend(state.name, of: owners[state.name], by: .server) { state in
                // Another node may have been quicker.
                CertificatePlan.step(for: state, at: certificates.store.system.now())
            }
        }
    }

    /// The names that need a certificate now.
    package var names: [String] {
        CertificatePlan.names(
            publicHost: ownName, linkDomains: projects.all().flatMap(\.linkDomains), covered: covered())
    }

    /// The first project that has a host; the server's own host is nobody's.
    private var owners: [String: ProjectID] {
        var owners: [String: ProjectID] = [:]
        for project in projects.all() {
            for domain in project.linkDomains where domain.host.text != ownName {
                owners[domain.host.text] = owners[domain.host.text] ?? project.projectID
            }
        }
        return owners
    }

    package enum Outcome: Sendable {
        case obtained(until: Moment)
        case waits(String)
        case failed(String, next: Moment)
        /// Another node, or the server, works on it.
        case taken
        case rests
    }

    /// Works on one name.
    ///
    /// - Parameters:
    ///   - project: the one whose share of first orders is counted; nil is nobody's.
    ///   - authority: who wants the certificate.
    ///   - choice: what is to be done, by the row as it is now.
    package func attend(
        _ name: String, of project: ProjectID? = nil, by authority: Authority,
        _ choice: @Sendable (CertificateState) -> CertificatePlan.Step
    ) async throws -> Outcome {
        let end = ContinuousClock.now + CertificateOrder.deadline
        guard let (state, order, claim) = try await certificates.claim(name, by: authority) else { return .taken }
        do {
            switch choice(state) {
            case .rest:
                try await certificates.release(claim)
                return .rests
            case .order: return try await obtain(state, order, claim, ledHere: true, until: end)
            case .look:
                let sight = try await look.at(name, hasPlainListener: hasPlainListener)
                let isWorthIt = CertificatePlan.isWorthAnOrder(
                    state, hasAddress: !sight.addresses.isEmpty, leadsHere: sight.leadsHere,
                    at: certificates.store.system.now())
                guard isWorthIt else { return try await wait(state, claim, because: sight.sentence) }
                if let project, order == nil,
                    try await !certificates.mayOrder(in: project, leadsHere: sight.leadsHere)
                {
                    return try await wait(
                        state, claim, because: sight.leadsHere ? Self.enoughForToday(project) : sight.sentence)
                }
                return try await obtain(state, order, claim, ledHere: sight.leadsHere, until: end)
            }
        } catch {
            // Also when the server is being stopped: whoever comes next goes on with the order.
            try? await certificates.release(claim)
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    private func wait(
        _ state: CertificateState, _ claim: Certificates.Claim, because reason: String
    ) async throws -> Outcome {
        if state.problem != reason {
            logger.notice(
                "a name waits for its certificate", metadata: ["name": "\(state.name)", "reason": "\(reason)"])
        }
        try await certificates.wait(for: claim, because: reason)
        return .waits(reason)
    }

    private static func enoughForToday(_ project: ProjectID) -> String {
        "\(CertificatePlan.firstOrdersPerDay) first certificates were ordered for project \(project) within a day: the others "
            + "follow, or at once by homing certificate renew NAME"
    }

    private func obtain(
        _ state: CertificateState, _ running: Certificates.RunningOrder?, _ claim: Certificates.Claim, ledHere: Bool,
        until end: ContinuousClock.Instant
    ) async throws -> Outcome {
        let name = state.name
        do {
            let order = CertificateOrder(
                claim: claim, client: client, certificates: certificates, email: email,
                hasPlainListener: hasPlainListener, failures: state.failures, end: end, logger: logger)
            let issued = try await ACMEClient.$deadline.withValue(end) { try await order.run(goingOnWith: running) }
            try await certificates.keep(issued, for: claim)
            certificates.tries.count(.obtained)
            logger.notice(
                "a certificate was obtained",
                metadata: [
                    "name": "\(name)", "issuer": "\(Printable.ascii(issued.issuer))",
                    "until": "\(issued.endsAt.timestamp)",
                ])
            return .obtained(until: issued.endsAt)
        } catch let error where !(error is CancellationError) && !Task.isCancelled {
            let fault = error as? ACMEFault
            let isRefusal = fault?.isRefusal ?? (error is CertificateForm.Unusable)
            certificates.tries.count(isRefusal ? .refused : fault == nil ? .failed : .unreachable)
            let reason = line(error)
            let wanted: Int64? = if case .refused(let problem) = fault { problem.retryAfter } else { nil }
            if case .refused(let problem) = fault, problem.type == "rateLimited" {
                // It may be the account that has ordered too much: no first certificate is ordered for a while.
                try await certificates.pause(client.directoryURL, seconds: min(max(wanted ?? 0, 600), 3600))
            }
            let next = try await certificates.fail(
                state, under: claim, because: reason, isRefusal: isRefusal, wanted: wanted, ledHere: ledHere)
            logger.error(
                "no certificate was obtained; it is tried again by itself",
                metadata: ["name": "\(name)", "reason": "\(reason)", "next": "\(next.timestamp)"])
            return .failed(reason, next: next)
        }
    }

    private func isPaused() async throws -> Bool {
        try await certificates.pausedUntil(client.directoryURL).map { certificates.store.system.now() < $0 } ?? false
    }
}

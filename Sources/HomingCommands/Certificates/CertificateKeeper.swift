// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingWire
import Logging

/// Gets certificates for the names that need one, and renews them: what ``CertificatePlan`` decides, done.
struct CertificateKeeper: Sendable {
    let homing: Homing
    let client: ACMEClient
    let email: String?
    let hasPlainListener: Bool
    /// The names of the certificate in the operator's own files.
    let covered: @Sendable () -> [String]
    let look: CertificateLookout
    let logger: Logger

    /// Nil unless the operator has agreed to the authority's terms.
    ///
    /// - Parameter files: the operator's own certificate, which goes before.
    init?(_ homing: Homing, _ settings: Settings, files: TLSCertificate?, logger: Logger) {
        guard let acme = settings.acme else { return nil }
        self.homing = homing
        client = ACMEClient(directory: acme.directory, authorityFile: acme.authorityFile)
        email = acme.email
        hasPlainListener = settings.redirectListen != nil
        if let files {
            covered = { files.names }
        } else {
            // A command beside several nodes.
            let names = settings.tls.map { CertificateForm.names(inFile: $0.certificate) } ?? []
            covered = { names }
        }
        look = CertificateLookout(certificates: homing.certificates)
        self.logger = logger
    }

    private var certificates: Certificates { homing.certificates }

    /// What the public listener shows.
    var obtained: ObtainedCertificates {
        ObtainedCertificates(certificates, ownName: PublicURL(parsing: homing.publicURL)?.host ?? "")
    }

    /// Before the first round: what an earlier process has left, and what there is to show.
    func begin() async throws {
        try await certificates.releaseAll()
        for (name, fault) in try await certificates.reload() {
            logger.error(
                "the key of a certificate cannot be opened; a new one is made: homing certificate renew \(name) --force",
                metadata: ["name": "\(name)", "error": "\(fault)"])
        }
    }

    /// One look at all names; orders what is due, one after the other.
    func round() async throws {
        guard try await homing.nodes.isTurn(for: "certificates", everySeconds: 8) else { return }
        try await certificates.want(names, from: client.directoryURL)
        let wanted = names
        for state in try await certificates.states() where wanted.contains(state.name) {
            try Task.checkCancellation()
            let step = CertificatePlan.step(for: state, at: homing.system.now())
            guard step != .rest, try await !isPaused() else { continue }
            _ = try await attend(state.name) { state in
                // Another node may have been quicker.
                CertificatePlan.step(for: state, at: homing.system.now())
            }
        }
    }

    /// The names that need a certificate now.
    var names: [String] {
        CertificatePlan.names(
            publicHost: PublicURL(parsing: homing.publicURL)?.host,
            linkDomains: homing.projects.all().flatMap(\.linkDomains), covered: covered())
    }

    enum Outcome: Sendable {
        case obtained(until: Moment)
        case waits(String)
        case failed(String, next: Moment)
        /// Another node, or the server, works on it.
        case taken
        case rests
    }

    /// Works on one name.
    ///
    /// - Parameter choice: what is to be done, by the row as it is now.
    func attend(
        _ name: String, _ choice: @Sendable (CertificateState) -> CertificatePlan.Step
    ) async throws -> Outcome {
        guard let (state, order) = try await certificates.claim(name) else { return .taken }
        do {
            switch choice(state) {
            case .rest:
                try await certificates.release(name)
                return .rests
            case .order: return try await obtain(state, order, ledHere: true)
            case .look:
                let sight = try await look.at(name, hasPlainListener: hasPlainListener)
                guard CertificatePlan.isWorthAnOrder(state, leadsHere: sight.leadsHere, at: homing.system.now()) else {
                    if state.problem != sight.sentence {
                        logger.notice(
                            "a name waits for its certificate until it leads here",
                            metadata: ["name": "\(name)", "reason": "\(sight.sentence)"])
                    }
                    try await certificates.wait(for: name, because: sight.sentence)
                    return .waits(sight.sentence)
                }
                return try await obtain(state, order, ledHere: sight.leadsHere)
            }
        } catch {
            // Also when the server is being stopped: whoever comes next goes on with the order.
            try? await certificates.release(name)
            throw error
        }
    }

    private func obtain(
        _ state: CertificateState, _ running: Certificates.RunningOrder?, ledHere: Bool
    ) async throws -> Outcome {
        let name = state.name
        do {
            let order = CertificateOrder(
                name: name, client: client, certificates: certificates, email: email,
                hasPlainListener: hasPlainListener, failures: state.failures)
            let issued = try await order.run(goingOnWith: running)
            try await certificates.store(issued, for: name)
            certificates.tries.count(.obtained)
            logger.notice(
                "a certificate was obtained",
                metadata: [
                    "name": "\(name)", "issuer": "\(Printable.ascii(issued.issuer))",
                    "until": "\(issued.endsAt.timestamp)",
                ])
            return .obtained(until: issued.endsAt)
        } catch let error where !(error is CancellationError) {
            let fault = error as? ACMEFault
            let isRefusal = fault?.isRefusal ?? (error is CertificateForm.Unusable)
            certificates.tries.count(isRefusal ? .refused : fault == nil ? .failed : .unreachable)
            let reason = Program.line(for: error)
            let wanted: Int64? = if case .refused(let problem) = fault { problem.retryAfter } else { nil }
            if case .refused(let problem) = fault, problem.type == "rateLimited" {
                // It may be the account that has ordered too much: the other names are left alone for a while, too.
                try await certificates.pause(client.directoryURL, seconds: min(max(wanted ?? 0, 600), 3600))
            }
            let next = try await certificates.fail(
                state, because: reason, isRefusal: isRefusal, wanted: wanted, ledHere: ledHere)
            logger.error(
                "no certificate was obtained; it is tried again by itself",
                metadata: ["name": "\(name)", "reason": "\(reason)", "next": "\(next.timestamp)"])
            return .failed(reason, next: next)
        }
    }

    private func isPaused() async throws -> Bool {
        try await certificates.pausedUntil(client.directoryURL).map { homing.system.now() < $0 } ?? false
    }
}

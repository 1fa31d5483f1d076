// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Logging

/// One order of a certificate, from the account to the chain (RFC 8555 section 7.1). What has been reached is read from
/// the order's own status, so that an order which another process began is gone on with.
struct CertificateOrder {
    let claim: Certificates.Claim
    let client: ACMEClient
    let certificates: Certificates
    let email: String?
    let hasPlainListener: Bool
    let failures: Int
    let end: ContinuousClock.Instant
    let logger: Logger

    /// From the claim on; less than it holds.
    static let deadline = Duration.seconds(Certificates.claimSeconds - 60)

    private var name: String { claim.name }

    func run(goingOnWith running: Certificates.RunningOrder?) async throws -> IssuedCertificate {
        do {
            return try await steps(goingOnWith: running)
        } catch ACMEFault.refused(let problem) where problem.type == "accountDoesNotExist" {
            try await certificates.setAccount(url: nil, email: nil, at: client.directoryURL)
            throw ACMEFault.refused(problem)
        }
    }

    private func steps(goingOnWith running: Certificates.RunningOrder?) async throws -> IssuedCertificate {
        let (key, account) = try await account()
        var (order, certificateKey) = try await begin(running, key, account)
        var looks = 0
        while true {
            switch order.status {
            case .pending:
                for url in order.authorizations { try await prove(url, by: key, account) }
                order = try await client.order(at: order.url, by: key, account: account)
                guard order.status == .pending else { continue }
            case .ready:
                let request = try CertificateForm.request(for: name, key: certificateKey)
                order = try await client.finalize(order, request: request, by: key, account: account)
                guard order.status == .ready || order.status == .processing else { continue }
            case .processing: break
            case .valid:
                guard let url = order.certificate else {
                    throw ACMEFault.unexpected("a valid order without a certificate")
                }
                let chain = try await client.certificate(at: url, by: key, account: account)
                return try await checked(chain, certificateKey)
            case .invalid, .deactivated, .expired, .revoked:
                try await certificates.forgetOrder(of: claim)
                throw order.problem.map(ACMEFault.refused)
                    ?? ACMEFault.refused(.init(type: "orderNotReady", detail: "the order is \(order.status.rawValue)"))
            }
            looks += 1
            try await pause(order.retryAfter, looks)
            order = try await client.order(at: order.url, by: key, account: account)
        }
    }

    /// A chain that cannot be used does not become better by asking for it again.
    private func checked(_ chain: String, _ key: String) async throws -> IssuedCertificate {
        do {
            return try CertificateForm.issued(chain, for: name, key: key)
        } catch {
            try await certificates.forgetOrder(of: claim)
            throw error
        }
    }

    private func account() async throws -> (ACMEKey, url: String) {
        let kept = try await certificates.account(at: client.directoryURL, newKey: ACMEKey.newPEM)
        let key = try ACMEKey(pem: kept.key)
        guard let url = kept.url else {
            let url = try await client.account(of: key, email: email)
            try await certificates.setAccount(url: url, email: email, at: client.directoryURL)
            return (key, url)
        }
        if kept.email != email {
            do {
                try await client.setContact(email, of: url, by: key)
                try await certificates.setAccount(url: url, email: email, at: client.directoryURL)
            } catch ACMEFault.refused(let problem) where problem.type != "accountDoesNotExist" {
                // The address is for messages only: certificates come without it.
                logger.warning(
                    "the certificate authority does not take the new contact; the one before stays",
                    metadata: ["reason": "\(ACMEFault.refused(problem))"])
            }
        }
        return (key, url)
    }

    private func begin(
        _ running: Certificates.RunningOrder?, _ key: ACMEKey, _ account: String
    ) async throws -> (ACMEClient.Order, key: String) {
        if let running {
            do {
                let order = try await client.order(at: running.url, by: key, account: account)
                if order.status != .invalid { return (order, running.key) }
            } catch ACMEFault.refused(let problem)
                where !["rateLimited", "accountDoesNotExist"].contains(problem.type)
            {
                // The authority has forgotten it; a new one follows.
            }
            try await certificates.forgetOrder(of: claim)
        }
        let order = try await client.newOrder(for: name, by: key, account: account)
        let certificateKey = ACMEKey.newPEM()
        try await certificates.begin(.init(url: order.url, key: certificateKey), for: claim)
        return (order, certificateKey)
    }

    /// Proves that the name leads here.
    private func prove(_ url: String, by key: ACMEKey, _ account: String) async throws {
        let authorization = try await client.authorization(at: url, by: key, account: account)
        guard authorization.status == .pending else { return }
        let offered = authorization.challenges.map(\.type)
        let way = CertificatePlan.challenge(among: offered, hasPlainListener: hasPlainListener, failures: failures)
        guard let way, let challenge = authorization.challenges.first(where: { $0.type == way.type }) else {
            throw ACMEFault.noChallenge(offered: offered.map { Printable.ascii($0, atMost: 40) })
        }
        let token = way.publishesToken ? challenge.token : nil
        if let token {
            try await certificates.publish(token: token, answer: key.authorization(of: token), for: name)
        }
        do {
            try await client.announce(challenge, by: key, account: account)
            try await waitForProof(url, by: key, account)
        } catch {
            if let token { try? await certificates.withdraw(token) }
            throw error
        }
        if let token { try await certificates.withdraw(token) }
    }

    private func waitForProof(_ url: String, by key: ACMEKey, _ account: String) async throws {
        for look in 1... {
            let authorization = try await client.authorization(at: url, by: key, account: account)
            switch authorization.status {
            case .valid: return
            case .pending, .processing, .ready: try await pause(authorization.retryAfter, look)
            case .invalid, .deactivated, .expired, .revoked:
                try await certificates.forgetOrder(of: claim)
                throw ACMEFault.refused(
                    authorization.challenges.compactMap(\.problem).first
                        ?? .init(type: "unauthorized", detail: "the authorization is \(authorization.status.rawValue)"))
            }
        }
    }

    /// As long as the authority asks for, else a second and then longer (RFC 8555 section 7.5.1).
    private func pause(_ wanted: Int64?, _ looks: Int) async throws {
        let seconds = min(max(wanted ?? Int64(min(looks, 10)), 1), 30)
        guard ContinuousClock.now + .seconds(seconds) < end else {
            throw ACMEFault.unreachable("the order took more than \(Self.deadline.components.seconds) seconds")
        }
        try await Task.sleep(for: .seconds(seconds))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire
import Synchronization

/// Speaks ACME (RFC 8555) to one certificate authority: the directory, nonces, signed requests.
package final class ACMEClient: Sendable {
    package struct Request: Sendable {
        package enum Method: Sendable, Equatable {
            case get, head
            case post([UInt8])
        }

        package let method: Method
        package let url: String
    }

    package struct Answer: Sendable {
        package var status: Int
        package var body: [UInt8] = []
        package var location: String?
        package var nonce: String?
        /// Seconds.
        package var retryAfter: Int64?

        package init(
            status: Int, body: [UInt8] = [], location: String? = nil, nonce: String? = nil, retryAfter: Int64? = nil
        ) {
            self.status = status
            self.body = body
            self.location = location
            self.nonce = nonce
            self.retryAfter = retryAfter
        }

        var json: JSON? { try? JSON.parse(body) }
    }

    package typealias Send = @Sendable (Request) async throws(ACMEFault) -> Answer

    /// Where the authority takes what (RFC 8555 section 7.1.1).
    package struct Directory: Sendable {
        let newNonce: String
        let newAccount: String
        let newOrder: String
        package let wantsOwnAccounts: Bool
    }

    /// No request begins later.
    @TaskLocal package static var deadline: ContinuousClock.Instant?

    package let directoryURL: String
    private let send: Send
    private let nonces = Mutex<[String]>([])
    private let known = Mutex<Directory?>(nil)

    /// An authority that refuses each fifth nonce fails one request in ten million so.
    private static let triesPerRequest = 10

    package init(directory: String, send: @escaping Send) {
        directoryURL = directory
        self.send = send
    }

    // MARK: Plain requests

    private func ask(_ method: Request.Method, _ url: String) async throws(ACMEFault) -> Answer {
        guard !Task.isCancelled else { throw .unreachable("the server is being stopped") }
        if let deadline = Self.deadline, ContinuousClock.now >= deadline {
            throw .unreachable("the order took too long")
        }
        return try await send(Request(method: method, url: url))
    }

    package func directory() async throws(ACMEFault) -> Directory {
        if let directory = known.withLock({ $0 }) { return directory }
        let answer = try await ask(.get, directoryURL)
        guard answer.status == 200, let members = answer.json?.objectValue,
            let newNonce = members["newNonce"]?.stringValue, let newAccount = members["newAccount"]?.stringValue,
            let newOrder = members["newOrder"]?.stringValue
        else {
            throw .unexpected("\(Printable.ascii(directoryURL)) is no directory (status \(answer.status))")
        }
        let meta = members["meta"]?.objectValue
        let directory = Directory(
            newNonce: newNonce, newAccount: newAccount, newOrder: newOrder,
            wantsOwnAccounts: meta?["externalAccountRequired"]?.boolValue ?? false)
        known.withLock { $0 = directory }
        return directory
    }

    private func nonce() async throws(ACMEFault) -> String {
        if let kept = nonces.withLock({ $0.popLast() }) { return kept }
        let answer = try await ask(.head, try await directory().newNonce)
        guard let nonce = answer.nonce else { throw .unexpected("no nonce (status \(answer.status))") }
        return nonce
    }

    // MARK: Signed requests

    /// Posts a signed request. A nonce that the authority does not take is replaced (RFC 8555 section 6.5).
    ///
    /// - Parameters:
    ///   - payload: nil to read what is at the URL.
    ///   - account: nil to make or find the account.
    package func post(
        _ payload: JSON?, to url: String, by key: ACMEKey, account: String?
    ) async throws(ACMEFault) -> Answer {
        for attempt in 1... {
            let nonce = try await nonce()
            let body: [UInt8]
            do {
                body = try key.signed(payload, url: url, nonce: nonce, account: account)
            } catch {
                throw .unexpected("the account's key signs nothing")
            }
            let answer = try await ask(.post(body), url)
            if let fresh = answer.nonce { nonces.withLock { $0 = Array(($0 + [fresh]).suffix(8)) } }
            guard answer.status >= 400 else { return answer }
            guard let problem = ACMEFault.Problem(answer.json, retryAfter: answer.retryAfter) else {
                guard answer.status >= 500 else { throw .unexpected("status \(answer.status) and no reason") }
                throw .unreachable("it answers with status \(answer.status)")
            }
            guard problem.type == "badNonce", attempt < Self.triesPerRequest else { throw .refused(problem) }
        }
        throw .unexpected("no nonce was good")
    }

    // MARK: What an order is made of

    /// Makes the account of a key, or finds it.
    ///
    /// - Returns: the account's URL.
    package func account(of key: ACMEKey, email: String?) async throws(ACMEFault) -> String {
        let directory = try await directory()
        guard !directory.wantsOwnAccounts else {
            throw .refused(.init(type: "externalAccountRequired", detail: ""))
        }
        let payload: JSON = .object([
            ("termsOfServiceAgreed", true), ("contact", email.map { .array([.string("mailto:\($0)")]) }),
        ])
        let answer = try await post(payload, to: directory.newAccount, by: key, account: nil)
        guard let url = answer.location else { throw .unexpected("an account without a URL") }
        return url
    }

    func setContact(_ email: String?, of account: String, by key: ACMEKey) async throws(ACMEFault) {
        let contact: [JSON] = email.map { [.string("mailto:\($0)")] } ?? []
        _ = try await post(["contact": .array(contact)], to: account, by: key, account: account)
    }

    enum Status: String, Sendable {
        case pending, ready, processing, valid, invalid, deactivated, expired, revoked
    }

    struct Order: Sendable {
        var url: String
        var status: Status
        var authorizations: [String]
        var finalize: String?
        var certificate: String?
        var problem: ACMEFault.Problem?
        var retryAfter: Int64?
    }

    func newOrder(for name: String, by key: ACMEKey, account: String) async throws(ACMEFault) -> Order {
        let payload: JSON = ["identifiers": .array([["type": "dns", "value": .string(name)]])]
        let answer = try await post(payload, to: try await directory().newOrder, by: key, account: account)
        guard let url = answer.location else { throw .unexpected("an order without a URL") }
        return try order(answer, at: url)
    }

    func order(at url: String, by key: ACMEKey, account: String) async throws(ACMEFault) -> Order {
        try order(try await post(nil, to: url, by: key, account: account), at: url)
    }

    func finalize(
        _ order: Order, request: [UInt8], by key: ACMEKey, account: String
    ) async throws(ACMEFault) -> Order {
        guard let url = order.finalize else { throw .unexpected("an order that cannot be finalized") }
        let payload: JSON = ["csr": .string(Base64URL.encode(request))]
        return try self.order(try await post(payload, to: url, by: key, account: account), at: order.url)
    }

    private func order(_ answer: Answer, at url: String) throws(ACMEFault) -> Order {
        guard let members = answer.json?.objectValue,
            let status = members["status"]?.stringValue.flatMap(Status.init)
        else { throw .unexpected("an order without a status") }
        return Order(
            url: url, status: status,
            authorizations: members["authorizations"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            finalize: members["finalize"]?.stringValue, certificate: members["certificate"]?.stringValue,
            problem: ACMEFault.Problem(members["error"]), retryAfter: answer.retryAfter)
    }

    package struct Challenge: Sendable {
        package var type: String
        var url: String
        /// Nil for a kind that has none.
        package var token: String?
        var problem: ACMEFault.Problem?
    }

    package struct Authorization: Sendable {
        var name: String
        var status: Status
        package var challenges: [Challenge]
        var retryAfter: Int64?
    }

    package func authorization(
        at url: String, by key: ACMEKey, account: String
    ) async throws(ACMEFault) -> Authorization {
        let answer = try await post(nil, to: url, by: key, account: account)
        guard let members = answer.json?.objectValue,
            let status = members["status"]?.stringValue.flatMap(Status.init),
            let name = members["identifier"]?.objectValue?["value"]?.stringValue
        else { throw .unexpected("an authorization without a status or a name") }
        let challenges = members["challenges"]?.arrayValue?.compactMap { challenge -> Challenge? in
            guard let members = challenge.objectValue, let type = members["type"]?.stringValue,
                let url = members["url"]?.stringValue
            else { return nil }
            let token = members["token"]?.stringValue
            guard token != nil || !ChallengeKind.needsToken(type) else { return nil }
            return Challenge(type: type, url: url, token: token, problem: ACMEFault.Problem(members["error"]))
        }
        return Authorization(name: name, status: status, challenges: challenges ?? [], retryAfter: answer.retryAfter)
    }

    /// Tells the authority that a challenge is answered now.
    func announce(_ challenge: Challenge, by key: ACMEKey, account: String) async throws(ACMEFault) {
        _ = try await post(.object(JSON.Object()), to: challenge.url, by: key, account: account)
    }

    /// The certificate with its chain, PEM.
    func certificate(at url: String, by key: ACMEKey, account: String) async throws(ACMEFault) -> String {
        String(decoding: try await post(nil, to: url, by: key, account: account).body, as: UTF8.self)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
import HomingCore
internal import HomingCurl
import HomingStore
import HomingWire

/// A provider, as a `mail.url` with its secret names it.
struct ProviderDoor: MailDoor {
    let url: MailURL
    let provider: MailProvider
    let now: @Sendable () -> Moment
    let grant: OAuthGrant?
    let connections: Int

    /// - Parameters:
    ///   - connections: unless the URL says how many.
    ///   - most: whatever the URL says.
    init(
        url: MailURL, provider: MailProvider, connections: Int = SMTPRelay.defaultConnections, most: Int = .max,
        now: @escaping @Sendable () -> Moment
    ) {
        self.connections = min(url.connections ?? connections, most)
        self.url = url
        self.provider = provider
        self.now = now
        // Reading a key takes its time.
        var grant = provider.tokens(url)
        grant?.isPublicOnly = url.isPublicOnly
        self.grant = grant
    }

    func connect() -> (any MailConnection)? { ProviderConnection(to: self) }

    /// The base of requests' URLs, without a slash at the end. A ``MailURL`` is none without one.
    var endpoint: String { url.endpoint ?? provider.endpoint(url) ?? "" }

    static func == (one: ProviderDoor, other: ProviderDoor) -> Bool { one.url == other.url }
}

/// One kept connection to a provider. Certificates are verified always, redirects are not followed, and no proxy is
/// asked: a request carries a secret.
final class ProviderConnection: MailConnection {
    private let door: ProviderDoor
    private let transfer: CurlTransfer

    /// More of an answer is not read.
    static let answerLimit = 64 * 1_024
    private static let longestRequest = Duration.seconds(30)

    /// Nil when libcurl has no memory or no TLS library that it can start.
    init?(to door: ProviderDoor) {
        guard let transfer = CurlTransfer(url: door.endpoint, seconds: 1) else { return nil }
        self.door = door
        self.transfer = transfer
        transfer.bodyLimit = Self.answerLimit
    }

    /// libcurl closes the connection with its handle, without waiting for the other side.
    func close() {}

    func deliver(
        _ envelope: MailEnvelope, token: String?, by deadline: ContinuousClock.Instant,
        isStopped: @escaping () -> Bool
    ) -> DeliveryResult {
        guard let facts = envelope.facts, var letter = envelope.letter, let secret = token ?? door.url.secret else {
            return DeliveryResult(outcome: .permanent(reply: "not sent: the letter or the secret is not known"))
        }
        letter.mailID = facts.id
        let request = door.provider.request(
            ProviderMail(
                id: facts.id, kind: facts.kind, expiresAt: facts.expiresAt, sender: envelope.sender, letter: letter,
                url: door.url, secret: secret, now: door.now()))
        guard prepare(request, secret, by: deadline, isStopped) else {
            let reason = "the \(door.provider.secretName) has characters that no request can carry"
            return DeliveryResult(outcome: .relayRefusesUs(reason))
        }
        let code = transfer.perform()
        // Without a status, or with less of an answer than was on its way, nobody knows whether the mail was taken: it
        // is tried again, ever more rarely where it had gone out.
        guard code == CURLE_OK || transfer.isCut else {
            let reason = ProviderVerdict.line("\(door.provider.name): \(transfer.reason(for: code))", hiding: secret)
            return DeliveryResult(
                outcome: .relayUnavailable(reason, mayHaveIt: transfer.number(CURLINFO_REQUEST_SIZE) > 0))
        }
        let answer = answer
        let verdict = ProviderVerdict(
            provider: door.provider, answer: answer, isCut: transfer.isCut, secret: secret, now: door.now())
        return DeliveryResult(outcome: verdict.outcome, refusedToken: answer.status == 401 ? token : nil)
    }

    struct Reply {
        let answer: ProviderAnswer
        /// Whether there was more of it than is read.
        let isCut: Bool
    }

    struct Silence: Error {
        let reason: String
    }

    /// Makes a request that moves no mail.
    func ask(_ request: ProviderRequest, _ secret: String, by deadline: ContinuousClock.Instant) -> Result<
        Reply, Silence
    > {
        guard prepare(request, secret, by: deadline, { false }) else {
            let reason = "the \(door.provider.secretName) has characters that no request can carry"
            return .failure(Silence(reason: reason))
        }
        let code = transfer.perform()
        guard code == CURLE_OK || transfer.isCut else {
            return .failure(Silence(reason: ProviderVerdict.line(transfer.reason(for: code), hiding: secret)))
        }
        return .success(Reply(answer: answer, isCut: transfer.isCut))
    }

    private var answer: ProviderAnswer {
        let body = transfer.body
        return ProviderAnswer(
            status: transfer.status, headers: headers, body: body, json: transfer.isCut ? nil : try? JSON.parse(body))
    }

    /// Whether the request can be made: a line break in a secret would begin another field of its head.
    private func prepare(
        _ request: ProviderRequest, _ secret: String, by deadline: ContinuousClock.Instant,
        _ isStopped: @escaping () -> Bool
    ) -> Bool {
        let left = min(Self.longestRequest, ContinuousClock.now.duration(to: deadline))
        let type = request.isQuestion ? [] : [("Content-Type", request.contentType), ("Expect", "")]
        let fields = request.headers + type
        let credentials = request.basic.map { [$0.user, $0.password] } ?? []
        let texts = fields.flatMap { [$0.name, $0.value] } + credentials + [request.path]
        guard !texts.contains(where: { $0.utf8.contains(where: ASCII.isControl) }) else { return false }
        transfer.begin(door.endpoint + request.path, seconds: max(1, Int(left / .seconds(1))))
        if door.url.isPublicOnly { transfer.staysOutside() }
        transfer.set(CURLOPT_USERAGENT, "homing")
        transfer.set(CURLOPT_MAXCONNECTS, 1)
        transfer.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        transfer.trust(door.url.authorityFile, orFolder: SystemAuthorities.folder, isVerifying: true)
        // A field without a value is left out of the head.
        transfer.set(CURLOPT_HTTPHEADER, fields.map { "\($0.name):\($0.value.isEmpty ? "" : " ")\($0.value)" })
        if let basic = request.basic {
            transfer.set(CURLOPT_USERNAME, basic.user)
            transfer.set(CURLOPT_PASSWORD, basic.password)
        }
        if let signature = request.awsSignature {
            transfer.set(CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):\(signature.service)")
            transfer.set(CURLOPT_USERNAME, door.url.user ?? "")
            transfer.set(CURLOPT_PASSWORD, secret)
        }
        if !request.isQuestion { transfer.post(request.body) }
        transfer.stop(when: isStopped)
        return true
    }

    /// The fields of the last head: an answer may come behind a `100 Continue`.
    private var headers: [String: String] {
        var fields: [String: String] = [:]
        for line in transfer.replies {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                if line.starts(with: "HTTP/".utf8) { fields = [:] }
                continue
            }
            let name = ASCII.lowercased(String(decoding: line[..<colon], as: UTF8.self))
            fields[name] = String(ASCII.trimmed(String(decoding: line[(colon + 1)...], as: UTF8.self)))
        }
        return fields
    }
}

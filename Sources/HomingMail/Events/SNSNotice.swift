// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Crypto
internal import CryptoExtras
internal import Foundation
import HomingStore
import HomingWire

/// A notice of Amazon's Simple Notification Service, or of one like it. Anybody may have a topic there whose notices are
/// signed as well as the provider's, so that the topic has to be the one that the operator named.
struct SNSNotice {
    private let request: MailEventRequest
    private let type: String
    private let topic: String
    private let sentAt: Moment

    private static let notification = "Notification"
    private static let subscription = "SubscriptionConfirmation"
    private static let end = "UnsubscribeConfirmation"

    /// How long after it was made a notice may come: it is tried again for an hour.
    private static let longest: Int64 = 2 * 3_600

    /// Where a service is, which alone says with which key it signs.
    struct Place: Sendable {
        let isHost: @Sendable (String) -> Bool
        /// Whether a path, with the query where there is one, may be a certificate's.
        let isCertificate: @Sendable (String) -> Bool

        static let amazon = Place(isHost: SNSNotice.isAmazon, isCertificate: SNSNotice.isAmazonCertificate)
        static let scaleway = Place(isHost: SNSNotice.isScaleway, isCertificate: SNSNotice.isCertificate)
    }

    static func verify(_ place: Place) -> MailEvents.Verify {
        { request, key, certificates in
            guard let notice = SNSNotice(request) else { return .forged }
            return await notice.proof(topics: key, certificates, place)
        }
    }

    private init?(_ request: MailEventRequest) {
        guard let type = request.text("Type"), [Self.notification, Self.subscription, Self.end].contains(type),
            let topic = request.text("TopicArn"), let sentAt = request.json?.moment("Timestamp")
        else { return nil }
        (self.request, self.type, self.topic, self.sentAt) = (request, type, topic, sentAt)
    }

    private func proof(
        topics: String, _ certificates: SigningCertificates, _ place: Place
    ) async -> MailEventProof {
        let isOurTopic = topics.utf8.split(separator: 0x20).contains {
            areEqualInConstantTime(Array($0), Array(topic.utf8))
        }
        guard isOurTopic, let signed, let signature = request.text("Signature").flatMap({ Data(base64Encoded: $0) }),
            let url = request.text("SigningCertURL"), let host = Self.host(of: url), place.isHost(host),
            place.isCertificate(Self.path(of: url, at: host))
        else { return .forged }
        // Before the certificate is asked for.
        guard request.isRecent(sentAt, past: Self.longest) else { return .old }
        guard let key = await certificates.key(at: url, now: request.now) else { return .away }
        guard isValid(signature, of: signed, key) else { return .forged }
        switch type {
        case Self.subscription:
            guard let url = request.text("SubscribeURL"), let host = Self.host(of: url), place.isHost(host) else {
                return .forged
            }
            return .subscription(url: url)
        case Self.end: return .ended
        default:
            let message = request.json?.at("Message")?.stringValue ?? ""
            return (try? JSON.parse(Array(message.utf8))).map { .genuine($0) } ?? .unreadable
        }
    }

    private func isValid(_ signature: Data, of signed: [UInt8], _ key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        switch request.text("SignatureVersion") {
        case "1"?:
            return key.isValidSignature(
                signature, for: Insecure.SHA1.hash(data: signed), padding: .insecurePKCS1v1_5)
        case "2"?: return key.isValidSignature(signature, for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5)
        default: return false
        }
    }

    /// What is signed: a line for each name and one for each value. Nil where one is missing.
    private var signed: [UInt8]? {
        let isNotification = ASCII.areEqual(type, Self.notification)
        let names =
            isNotification
            ? ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
            : ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
        var lines: [UInt8] = []
        for name in names {
            guard let value = request.json?.at(name)?.stringValue else {
                guard ASCII.areEqual(name, "Subject") else { return nil }
                continue
            }
            lines += "\(name)\n\(value)\n".utf8
        }
        return lines
    }

    // MARK: Hosts

    /// The host of a URL that is `https://host/…` and nothing else: without user, port and characters that could be
    /// read in two ways.
    static func host(of url: String) -> String? {
        let scheme = "https://"
        guard url.utf8.starts(with: scheme.utf8), url.utf8.count <= 2_048, url.utf8.allSatisfy(ASCII.isVisible),
            !url.utf8.contains(where: "\\#@".utf8.contains)
        else { return nil }
        let host = url.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
        let isPlain = host.allSatisfy {
            ASCII.isLowercaseLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        guard isPlain, host.endIndex < url.utf8.endIndex else { return nil }
        return String(Substring(host))
    }

    /// What stands behind the host, from the slash on.
    private static func path(of url: String, at host: String) -> String {
        String(Substring(url.utf8.dropFirst("https://".utf8.count + host.utf8.count)))
    }

    /// A file of a certificate, without a query.
    static func isCertificate(_ path: String) -> Bool {
        path.utf8.suffix(4).elementsEqual(".pem".utf8) && !path.utf8.contains(UInt8(ascii: "?"))
    }

    /// `/SimpleNotificationService-….pem`, and no other: whatever else is answered under Amazon's hosts, somebody else
    /// may have asked for it.
    static func isAmazonCertificate(_ path: String) -> Bool {
        let start = "/SimpleNotificationService-"
        return isCertificate(path) && path.utf8.starts(with: start.utf8)
            && path.utf8.dropFirst(start.utf8.count).dropLast(4).allSatisfy {
                ASCII.isLowercaseLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// `sns.REGION.amazonaws.com`, and the same in China.
    static func isAmazon(_ host: String) -> Bool {
        let labels = ASCII.split(host, at: UInt8(ascii: "."))
        let end = labels.dropFirst(2).joined(separator: ".")
        return labels.count >= 4 && ASCII.areEqual(labels[0], "sns") && isRegion(labels[1])
            && ["amazonaws.com", "amazonaws.com.cn"].contains { ASCII.areEqual($0, end) }
    }

    /// Such as `eu-west-1`. Buckets of S3 have hosts of their own, such as `s3-eu-west-1`, in front of which is the
    /// name that somebody gave one.
    private static func isRegion(_ label: some StringProtocol) -> Bool {
        label.utf8.count { $0 == UInt8(ascii: "-") } >= 2 && !label.utf8.starts(with: "s3".utf8)
    }

    /// `sns.mnq.REGION.scaleway.com`.
    static func isScaleway(_ host: String) -> Bool {
        let labels = ASCII.split(host, at: UInt8(ascii: "."))
        return labels.count == 5 && !labels[2].isEmpty && host.utf8.starts(with: "sns.mnq.".utf8)
            && host.utf8.suffix(13).elementsEqual(".scaleway.com".utf8)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingCore
package import HomingProjects
package import HomingStore
import HomingWire
import Logging
import Synchronization

extension SenderDomainKey {
    /// A new pair for a domain: RSA, and Ed25519 for the receivers that know it.
    ///
    /// The selectors name the day, so that an operator sees in the DNS which record is the older one.
    ///
    /// - Parameter isSeen: whether mails are signed with them before anybody has seen their records.
    package static func pair(
        for domain: String, ring: KeyRing, system: System, isSeen: Bool
    ) throws -> [SenderDomainKey] {
        let now = system.now()
        let date = Date(timeIntervalSince1970: TimeInterval(now.seconds)).ISO8601Format()
        let day = date.utf8.prefix(10).filter(ASCII.isDigit)
        let letters = system.randomBytes(4).map { UInt8(ascii: "a") + $0 % 26 }
        let stem = String(decoding: "h".utf8 + day + letters, as: UTF8.self)
        return try DKIMKey.Algorithm.allCases.map { algorithm in
            let selector = "\(stem)\(algorithm.mark)"
            let key = try DKIMKey(new: algorithm, domain: domain, selector: selector)
            return SenderDomainKey(
                domain: domain, selector: selector, algorithm: algorithm.rawValue, publicKey: key.publicKey,
                sealed: try ring.seal(key.stored, name: label(domain, selector)), at: now, isSeen: isSeen)
        }
    }

    /// The name of its TXT record.
    package var recordName: String { DKIMKey.recordName(selector, domain) }
    /// The text of its TXT record.
    package var record: String {
        DKIMKey.record(DKIMKey.Algorithm(rawValue: algorithm) ?? .rsa, publicKey: publicKey)
    }
}

extension DKIMKey.Algorithm {
    /// The last letter of a selector.
    fileprivate var mark: String {
        switch self {
        case .rsa: "r"
        case .ed25519: "e"
        }
    }
}

/// The private keys of sender domains, decrypted once.
final class OpenedDKIMKeys: Sendable {
    private let keys = Mutex<[String: DKIMKey]>([:])
    /// Those that could not be decrypted, and of which the log tells.
    private let closed = Mutex<Set<String>>([])

    /// Those with which a mail from this domain is signed. One that this node cannot read is left out, which the log
    /// says once: the mail goes all the same, and other signatures count.
    func keys(
        for domain: some StringProtocol, of project: Project, ring: KeyRing, logger: Logger
    ) -> [DKIMKey] {
        project.signingKeys(for: domain).compactMap { key in
            // The public half tells a key from another one with its selector.
            let name = "\(key.label) \(key.publicKey)"
            if let opened = keys.withLock({ $0[name] }) { return opened }
            guard let algorithm = DKIMKey.Algorithm(rawValue: key.algorithm),
                let stored = try? ring.open(key.sealed, name: key.label),
                let opened = try? DKIMKey(stored: stored, algorithm, domain: key.domain, selector: key.selector)
            else {
                if closed.withLock({ $0.insert(name).inserted }) {
                    logger.error(
                        "a DKIM key cannot be decrypted with this node's key file; emails go without its signature",
                        metadata: ["domain": "\(key.domain)", "selector": "\(key.selector)"])
                }
                return nil
            }
            closed.withLock { _ = $0.remove(name) }
            keys.withLock { $0[name] = opened }
            return opened
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// Where mails of a project leave, as people give it who need not be the server's operators: a form of `mail.url` that
/// names a relay or a provider, no file of the server's, and no place in its network unless its operator allows that.
///
/// Printing the value shows no secret.
package struct OwnMailURL: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// As it was written, without its secret.
    package let text: String
    /// All that decides where the secret goes, and who signs in with it.
    package let destination: String
    /// Whether nothing can be sent there without a secret.
    package let needsSecret: Bool
    /// The one that stood in it.
    package let secret: String?
    private let isPublicOnly: Bool

    package var description: String { text }
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// - Throws: a sentence without its full stop, which never repeats the URL.
    package init(parsing text: String, isPublicOnly: Bool) throws(MailURLFault) {
        self.isPublicOnly = isPublicOnly
        let hosts: [String]
        if let provider = MailProvider.of(text) {
            let url = try MailURL(parsing: text)
            try Self.refuseFiles(["secret-file": url.secretFile, "ca": url.authorityFile])
            (self.text, secret, needsSecret) = (url.bare, url.secret, true)
            destination = url.destination.joined(separator: "\n")
            hosts = [url.endpoint ?? provider.endpoint(url), url.parameters["token-url"]].compactMap {
                $0.flatMap { try? WebURL(parsing: $0) }?.host.text
            }
        } else {
            guard text.utf8.starts(with: "smtp://".utf8) || text.utf8.starts(with: "smtps://".utf8) else {
                throw .unknownOwnScheme
            }
            let url: SMTPRelayURL
            do throws(SMTPRelayFault) {
                url = try SMTPRelayURL(text)
            } catch {
                throw MailURLFault(sentence: String(error.sentence.dropLast()))
            }
            try Self.refuseFiles(["secret-file": url.secretFile, "ca": url.parameters["ca"]])
            (self.text, secret, needsSecret) = (url.bare, url.secret, url.user != nil)
            destination = url.destination.joined(separator: "\n")
            hosts =
                [url.host]
                + [url.parameters["token-url"].flatMap { try? WebURL(parsing: $0) }?.host.text].compactMap(\.self)
        }
        if isPublicOnly, let host = hosts.first(where: Self.isPrivate) {
            throw MailURLFault(
                sentence: "\(host) is an address of this machine or of a private network; "
                    + "HOMING_MAIL_PRIVATE_ADDRESSES (mail.privateAddresses) allows those")
        }
    }

    /// The way itself.
    ///
    /// - Parameter secret: nil where none is needed.
    /// - Throws: ``MailURLFault`` for a secret that is missing, or none of its kind.
    package func relay(secret: String?) throws(MailURLFault) -> MailRelay {
        guard secret != nil || !needsSecret else {
            throw MailURLFault(sentence: "the secret is missing: nothing can be sent there without one")
        }
        switch try MailRelay(parsing: text, secret: secret) {
        case .smtp(let relay): return .smtp(isPublicOnly ? relay.publicOnly : relay)
        case .provider(let url, let provider): return .provider(isPublicOnly ? url.publicOnly : url, provider)
        case let other: return other
        }
    }

    private static func refuseFiles(_ parameters: [String: String?]) throws(MailURLFault) {
        guard let name = parameters.filter({ $0.value != nil }).keys.min() else { return }
        throw MailURLFault(
            sentence:
                "\(name) names a file of the server, which the transport of a project cannot have: it is for mail.url")
    }

    /// Whether a host is literally one that is no public one. What a name leads to shows when a connection is made.
    private static func isPrivate(_ host: String) -> Bool {
        let bare = host.utf8.first == UInt8(ascii: "[") ? host.dropFirst().dropLast() : host[...]
        return IPAddress(parsing: bare).map { !$0.isPublic } ?? WebHost(parsing: bare)?.isLoopback ?? false
    }
}

extension MailURLFault {
    fileprivate static var unknownOwnScheme: Self {
        Self(
            sentence: "accepted is "
                + (["smtp://", "smtps://"] + MailProvider.all.map { "\($0.scheme):" }).joined(separator: ", "))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingMail
package import HomingStore
import HomingWire

/// What a person has typed, in the form that a setting takes; and what is proposed.
package enum SetupReading {
    /// A public URL: a host alone means https, and a slash at the end means nothing.
    package static func publicURL(_ typed: String) -> String {
        let text = typed.hasSuffix("/") ? String(typed.dropLast()) : typed
        return text.contains("://") ? text : "https://\(text)"
    }

    /// A relay: a host, perhaps with a port, means `smtp://`, and with port 465 `smtps://`.
    package static func relay(_ typed: String) -> String {
        guard !typed.contains("://"), typed != "mailbox:", typed != "none", MailProvider.of(typed) == nil else {
            return typed
        }
        return "\(typed.hasSuffix(":465") ? "smtps" : "smtp")://\(typed)"
    }

    /// Whether a relay's or a provider's URL has a secret in it.
    package static func hasSecret(relay url: String) -> Bool {
        guard MailProvider.of(url) != nil else { return credentials(inRelay: url)?.hasPassword ?? false }
        return (try? MailURL(parsing: url))?.secret != nil
    }

    /// Whether a relay's or a provider's URL needs a secret beside it.
    package static func wantsSecret(relay url: String) -> Bool {
        guard MailProvider.of(url) != nil else { return credentials(inRelay: url).map { !$0.hasPassword } ?? false }
        return (try? MailURL(parsing: url)).map { $0.secret == nil && $0.secretFile == nil } ?? false
    }

    /// Whether a relay's URL has a user, a password, or both.
    package static func credentials(inRelay url: String) -> (user: String, hasPassword: Bool)? {
        guard let authority = authority(of: url), let at = authority.lastIndex(of: "@") else { return nil }
        let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1)
    }

    /// The URL with a password behind its user, percent-encoded.
    package static func relay(_ url: String, password: String) -> String {
        guard let authority = authority(of: url), let at = authority.lastIndex(of: "@") else { return url }
        return url[..<at] + ":" + encoded(password) + url[at...]
    }

    /// The URL with a user, percent-encoded.
    package static func relay(_ url: String, user: String) -> String {
        guard let authority = authority(of: url) else { return url }
        return url[..<authority.startIndex] + encoded(user) + "@" + url[authority.startIndex...]
    }

    private static func authority(of url: String) -> Substring? {
        guard let scheme = url.range(of: "://") else { return nil }
        return url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    }

    private static func encoded(_ text: String) -> String {
        percentEncoded(text)
    }

    /// The domain of an app's page, for continue URLs: the host of a URL, with a port that it names.
    package static func authorizedDomain(_ typed: String) -> String {
        guard let scheme = typed.range(of: "://") else {
            return typed.hasSuffix("/") ? String(typed.dropLast()) : typed
        }
        return String(typed[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// A project's id, from the public URL: `shop` of auth.shop.example.
    package static func projectID(forHost host: String) -> ProjectID {
        let labels = host.split(separator: ".")
        guard labels.count > 1, host.utf8.contains(where: ASCII.isLetter) else { return "app" }
        return ProjectID(labels[labels.count - 2].lowercased())
    }
}

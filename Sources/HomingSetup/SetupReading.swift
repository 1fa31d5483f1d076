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
        guard MailProvider.of(url) != nil else {
            return !ASCII.contains(url, "secret-file=") && (credentials(inRelay: url).map { !$0.hasPassword } ?? false)
        }
        return (try? MailURL(parsing: url)).map { $0.secret == nil && $0.secretFile == nil } ?? false
    }

    /// Whether the secret is a setting of its own: it is no password, which stands behind its user.
    package static func keepsSecretApart(_ url: String) -> Bool {
        MailProvider.of(url) != nil || ASCII.contains(url, "oauth=")
    }

    /// What is asked for beside a URL, with a capital letter.
    package static func secretName(ofDoor url: String) -> String {
        let name = MailProvider.of(url)?.secretName ?? (keepsSecretApart(url) ? "client secret" : "password")
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Why mails cannot leave there: one sentence without its full stop; nil where they can.
    ///
    /// - Parameter isWhole: false while a secret may still be missing.
    package static func fault(inDoor url: String, secret: String? = nil, isWhole: Bool = false) -> String? {
        do throws(MailURLFault) {
            let lacksPassword = !isWhole && MailProvider.of(url) == nil && wantsSecret(relay: url)
            // Any will do: what is looked at is the rest.
            let relay = try MailRelay(
                parsing: lacksPassword ? self.relay(url, password: "x") : url, secret: secret)
            if case .incomplete(let reason) = relay { return isWhole || !wantsSecret(relay: url) ? reason : nil }
            return nil
        } catch {
            return error.sentence
        }
    }

    /// A provider's URL of which the scheme may be missing.
    package static func url(_ typed: String, ofScheme scheme: String) -> String {
        if typed.utf8.starts(with: "\(scheme):".utf8) { return typed }
        // Whoever has a web address types it as such.
        let start = typed.range(of: "://")?.upperBound ?? typed.startIndex
        return "\(scheme)://\(typed[start...])"
    }

    /// The URL with the file of its secret.
    package static func url(_ url: String, secretFile path: String) -> String {
        "\(url)\(url.contains("?") ? "&" : "?")secret-file=\(encoded(path))"
    }

    /// As docs/mail-oauth.md has it.
    package static func microsoftRelay(_ mailbox: String, tenant: String, client: String) -> String {
        "smtp://\(encoded(mailbox))@smtp.office365.com:587?oauth=microsoft&tenant=\(encoded(tenant))"
            + "&client=\(encoded(client))&connections=3"
    }

    package static func googleRelay(_ mailbox: String, keyFile: String) -> String {
        url("smtp://\(encoded(mailbox))@smtp.gmail.com:587?oauth=google", secretFile: keyFile)
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

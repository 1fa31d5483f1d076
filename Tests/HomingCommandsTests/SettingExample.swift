// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingShortLinks
import Testing

/// For every row: its default, and three accepted values, all different, as text and in their shown form.
struct SettingExample: Sendable, CustomTestStringConvertible {
    let key: String
    let variable: String
    let flag: String
    /// For a user without XDG variables whose home is /nowhere/someone.
    let standard: String?
    let values: [String]
    /// The settings that must be set beside it.
    var companions: [String: String] = [:]

    var testDescription: String { key }

    static let all =
        [
            SettingExample(
                key: "database.url", variable: "HOMING_DATABASE_URL", flag: "database-url",
                standard: "sqlite:/nowhere/someone/.local/share/homing/homing.db",
                values: ["sqlite:/a/flag.db", "sqlite:/b/environment.db", "sqlite:relative.db"]
            ),
            SettingExample(
                key: "listen", variable: "HOMING_LISTEN", flag: "listen", standard: "127.0.0.1:9099",
                values: ["127.0.0.1:1", "[::1]:0", "localhost:65535"]
            ),
            SettingExample(
                key: "admin.listen", variable: "HOMING_ADMIN_LISTEN", flag: "admin-listen", standard: "127.0.0.1:9098",
                values: ["127.0.0.1:1", "[::1]:2", "10.0.0.1:3"]
            ),
            SettingExample(
                key: "admin.owner", variable: "HOMING_ADMIN_OWNER", flag: "admin-owner", standard: "refuse",
                values: ["allow", "refuse", "allow"]
            ),
            SettingExample(
                key: "publicURL", variable: "HOMING_PUBLIC_URL", flag: "public-url", standard: "http://127.0.0.1:9099",
                values: ["https://auth.example.com", "http://localhost:8080", "https://[2001:db8::1]:8443"]
            ),
            SettingExample(
                key: "console.publicURL", variable: "HOMING_CONSOLE_PUBLIC_URL", flag: "console-public-url",
                standard: nil,
                values: ["https://console.example.com", "http://localhost:8081", "https://[2001:db8::1]:8444"]
            ),
            SettingExample(
                key: "console.requireSecondFactor", variable: "HOMING_CONSOLE_REQUIRE_SECOND_FACTOR",
                flag: "console-require-second-factor", standard: "false", values: ["true", "false", "true"]
            ),
            SettingExample(
                key: "smtp.url", variable: "HOMING_SMTP_URL", flag: "smtp-url", standard: nil,
                values: [
                    "mailbox:", "smtp://127.0.0.1:25", "smtps://mail.example.com?tls=required&connections=16&ca=/a",
                ]
            ),
            SettingExample(
                key: "mail.url", variable: "HOMING_MAIL_URL", flag: "mail-url", standard: nil,
                values: ["none", "smtp://127.0.0.1:26", "webhook+https://hooks.example.com/mail?connections=4"]
            ),
            SettingExample(
                // What is shown of any secret is taken as one.
                key: "mail.secret", variable: "HOMING_MAIL_SECRET", flag: "mail-secret", standard: nil,
                values: ["***", "***", "***"], companions: ["HOMING_MAIL_URL": "resend:"]
            ),
            SettingExample(
                key: "mail.from", variable: "HOMING_MAIL_FROM", flag: "mail-from", standard: "noreply@localhost",
                values: ["a@example.com", "Lighthouse Letters <b@example.com>", "\"Letters, Ltd\" <c@example.com>"]
            ),
            SettingExample(
                key: "mail.bounces", variable: "HOMING_MAIL_BOUNCES", flag: "mail-bounces", standard: nil,
                values: ["bounces@example.com", "b@mail.example.com", "returned.to@example.com"]
            ),
            SettingExample(
                key: "mail.eventsKey", variable: "HOMING_MAIL_EVENTS_KEY", flag: "mail-events-key", standard: nil,
                values: ["***", "***", "***"]
            ),
            SettingExample(
                key: "mail.privateAddresses", variable: "HOMING_MAIL_PRIVATE_ADDRESSES",
                flag: "mail-private-addresses", standard: "false", values: ["true", "false", "true"]
            ),
            SettingExample(
                key: "mail.probe.address", variable: "HOMING_MAIL_PROBE_ADDRESS", flag: "mail-probe-address",
                standard: nil, values: ["probe@example.com", "a@b.example", "c.d@example.org"]
            ),
            SettingExample(
                key: "mail.probe.inbox", variable: "HOMING_MAIL_PROBE_INBOX", flag: "mail-probe-inbox", standard: nil,
                values: [
                    "imaps://probe@imap.example.com", "pop3s://a@b.example@pop.b.example:1995",
                    "imap://c@127.0.0.1:1143/Archive",
                ]
            ),
            SettingExample(
                key: "mail.probe.secret", variable: "HOMING_MAIL_PROBE_SECRET", flag: "mail-probe-secret",
                standard: nil, values: ["***", "***", "***"]
            ),
            SettingExample(
                key: "keyFile", variable: "HOMING_KEY_FILE", flag: "key-file",
                standard: "/nowhere/someone/.config/homing/homing.key", values: ["/a.key", "/b.key", "c.key"]
            ),
            SettingExample(
                key: "trustedProxies", variable: "HOMING_TRUSTED_PROXIES", flag: "trusted-proxies", standard: nil,
                values: ["10.0.0.0/8", "192.0.2.1, 2001:db8::/32", "127.0.0.1"]
            ),
            SettingExample(
                key: "drainSeconds", variable: "HOMING_DRAIN_SECONDS", flag: "drain-seconds", standard: "5",
                values: ["0", "10", "60"]
            ),
            SettingExample(
                key: "log.level", variable: "HOMING_LOG_LEVEL", flag: "log-level", standard: "info",
                values: ["debug", "warning", "trace"]
            ),
            SettingExample(
                key: "log.format", variable: "HOMING_LOG_FORMAT", flag: "log-format", standard: "json",
                values: ["text", "json", "text"]
            ),
            SettingExample(
                key: "log.traces", variable: "HOMING_LOG_TRACES", flag: "log-traces", standard: "off",
                values: ["on", "off", "on"]
            ),
            SettingExample(
                key: "tls.certificate", variable: "HOMING_TLS_CERTIFICATE", flag: "tls-certificate", standard: nil,
                values: ["/a.pem", "/b.pem", "c.pem"], companions: ["HOMING_TLS_KEY": "/k.pem"]
            ),
            SettingExample(
                key: "tls.key", variable: "HOMING_TLS_KEY", flag: "tls-key", standard: nil,
                values: ["/a.pem", "/b.pem", "c.pem"], companions: ["HOMING_TLS_CERTIFICATE": "/c.pem"]
            ),
            SettingExample(
                key: "tls.acme.agree", variable: "HOMING_TLS_ACME_AGREE", flag: "tls-acme-agree", standard: "no",
                values: ["yes", "no", "yes"], companions: ["HOMING_PUBLIC_URL": "https://auth.example.com"]
            ),
            SettingExample(
                key: "tls.acme.email", variable: "HOMING_TLS_ACME_EMAIL", flag: "tls-acme-email", standard: nil,
                values: ["ops@example.com", "a@b.example", "c.d@example.org"],
                companions: ["HOMING_TLS_ACME_AGREE": "yes", "HOMING_PUBLIC_URL": "https://auth.example.com"]
            ),
            SettingExample(
                key: "tls.acme.directory", variable: "HOMING_TLS_ACME_DIRECTORY", flag: "tls-acme-directory",
                standard: "https://acme-v02.api.letsencrypt.org/directory",
                values: [
                    "https://acme-staging-v02.api.letsencrypt.org/directory",
                    "https://ca.example.com:9000/acme/directory",
                    "http://127.0.0.1:14000/dir",
                ]
            ),
            SettingExample(
                key: "tls.acme.ca", variable: "HOMING_TLS_ACME_CA", flag: "tls-acme-ca", standard: nil,
                values: ["/a.pem", "/b.pem", "c.pem"]
            ),
            SettingExample(
                key: "redirect.listen", variable: "HOMING_REDIRECT_LISTEN", flag: "redirect-listen", standard: nil,
                values: ["127.0.0.1:80", "0.0.0.0:80", "[::1]:8080"]
            ),
            SettingExample(
                key: "security.contact", variable: "HOMING_SECURITY_CONTACT", flag: "security-contact", standard: nil,
                values: [
                    "mailto:security@example.com", "https://example.com/security", "mailto:a.b@mail.example.org",
                ]
            ),
        ] + limits

    private static let limits = [
        ("mailPerAddressMinute", "MAIL_PER_ADDRESS_MINUTE", 1),
        ("mailPerAddressHour", "MAIL_PER_ADDRESS_HOUR", 5),
        ("mailPerIPHour", "MAIL_PER_IP_HOUR", 100),
        ("mailPerProjectHour", "MAIL_PER_PROJECT_HOUR", 10_000),
        ("signUpPerIPHour", "SIGNUP_PER_IP_HOUR", 100),
        ("signInFailuresPerAccountHour", "SIGNIN_FAILURES_PER_ACCOUNT_HOUR", 20),
        ("wrongNumbersPerAddressHour", "WRONG_NUMBERS_PER_ADDRESS_HOUR", 9),
        ("wrongTypedCodesPerAddressHour", "WRONG_TYPED_CODES_PER_ADDRESS_HOUR", 20),
        ("requestsPerIPSecond", "REQUESTS_PER_IP_SECOND", 50),
        ("clicksPerIPSecond", "CLICKS_PER_IP_SECOND", 1_000),
        ("linksPerIPSecond", "LINKS_PER_IP_SECOND", 5),
        ("linksPerIPDay", "LINKS_PER_IP_DAY", 10_000),
        ("linksPerProjectDay", "LINKS_PER_PROJECT_DAY", 200_000),
        ("connectionsPerIP", "CONNECTIONS_PER_IP", 200),
        ("connections", "CONNECTIONS", 10_000),
        ("passwordHashes", "PASSWORD_HASHES", ProcessInfo.processInfo.activeProcessorCount),
        ("passwordQueue", "PASSWORD_QUEUE", 128),
    ].map { key, variable, standard in
        SettingExample(
            key: "limits.\(key)", variable: "HOMING_LIMIT_\(variable)",
            flag: "limit-" + variable.lowercased().replacing("_", with: "-"), standard: "\(standard)",
            values: ["0", "7", "1000000000"]
        )
    }

    /// The YAML of a file with the key and the value.
    func yaml(_ value: String) -> String {
        let levels = key.split(separator: ".")
        let quoted = "'\(value.replacing("'", with: "''"))'"
        let lines = levels.enumerated().map { String(repeating: "  ", count: $0) + "\($1):" }
        return lines.joined(separator: "\n") + " \(quoted)\n"
    }
}

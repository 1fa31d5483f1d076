// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCertificates
internal import HomingCore
internal import HomingMail
import HomingStore
internal import HomingWire
internal import Logging

extension Setting {
    /// All settings, in the order in which they are shown.
    package static let all: [Setting] =
        [
            database, listen, adminListen, adminOwner, publicURL, consoleURL, secondFactor, relay, mailURL,
            mailSecret, mailSender, mailBounces, mailEventsKey, mailPrivateAddresses, probeAddress, probeInbox,
            probeSecret, keyFile,
            trustedProxies, drainSeconds, logLevel,
            logFormat, logTraces, tlsCertificate, tlsKey, acmeAgree, acmeEmail, acmeDirectory, acmeAuthorityFile,
            redirectListen, securityContact,
        ] + limits

    private static let database = Setting(
        "database.url",
        "HOMING_DATABASE_URL",
        accepted: "sqlite:PATH or postgresql://…",
        standardText: "`sqlite:` + data folder + `/homing.db`",
        meaning: "Where the data is kept: `sqlite:PATH`, or any URI of PostgreSQL "
            + "(`postgresql://homing:password@db1,db2/homing`), which several servers may share. Two parameters of ours may "
            + "be added to that: `connections=8` for each server, and `prepared=off` behind PgBouncer in transaction mode. "
            + "The data folder is `/var/lib/homing` for root, else `$XDG_DATA_HOME/homing` (`~/.local/share/homing`).",
        isSecret: true,
        standard: { folders, _ in "sqlite:\(folders.dataFolder)/homing.db" },
        take: { (text, settings) throws(Rejection) in settings.database = try DatabaseLocation(parsing: text) }
    )

    private static let listenForm = "host:port, an IPv6 address in brackets, port 0 to have one picked"

    private static let listen = Setting(
        "listen",
        "HOMING_LISTEN",
        accepted: listenForm,
        standardText: "`127.0.0.1:9099`",
        meaning: "The public listener, where the internet arrives: `host:port`; port 0 picks one.",
        standard: { _, _ in "127.0.0.1:9099" },
        take: { (text, settings) throws(Rejection) in settings.listen = try parsed(ListenAddress(parsing: text)) }
    )

    private static let adminListen = Setting(
        "admin.listen",
        "HOMING_ADMIN_LISTEN",
        accepted: listenForm,
        standardText: "`127.0.0.1:9098`",
        meaning: "The admin listener, where your own back end arrives: loopback or a private network.",
        standard: { _, _ in "127.0.0.1:9098" },
        take: { (text, settings) throws(Rejection) in settings.adminListen = try parsed(ListenAddress(parsing: text)) }
    )

    private static let adminOwner = Setting(
        "admin.owner",
        "HOMING_ADMIN_OWNER",
        accepted: "allow or refuse",
        standardText: "`refuse`",
        meaning: "`allow`: the admin listener takes `Authorization: Bearer owner`, as Firebase's Admin SDKs send it to "
            + "an emulator, and then check no signature; a service account's file is better (docs/admin-sdks.md). Refused "
            + "at start unless that listener is bound to loopback.",
        standard: { _, _ in "refuse" },
        take: { (text, settings) throws(Rejection) in
            settings.isOwnerAllowed = try parsed(["allow": true, "refuse": false][text])
        }
    )

    private static let publicURL = Setting(
        "publicURL",
        "HOMING_PUBLIC_URL",
        accepted: "http:// or https://, a host, perhaps a port, and nothing behind them",
        standardText: "`http://` (with TLS `https://`) + public listener",
        meaning: "The base of every link that Homing writes; never taken from a request. Required when the public "
            + "listener is bound to a wildcard. Its host should not be a link domain: on iOS a tap on a link to the host "
            + "that one is on never opens an app.",
        standard: { _, settings in
            let address = settings.listen
            guard !address.isWildcard, address.port != 0 else { return nil }
            return PublicURL(scheme: settings.listenScheme, address: address, port: address.port).description
        },
        take: { (text, settings) throws(Rejection) in settings.publicURL = try parsed(PublicURL(parsing: text)) }
    )

    private static let consoleURL = Setting(
        "console.publicURL",
        "HOMING_CONSOLE_PUBLIC_URL",
        accepted: "http:// or https://, a host, perhaps a port, and nothing behind them",
        standardText: "the admin listener",
        meaning:
            "Where operators reach the console, when the admin listener stands behind a proxy that speaks TLS on a "
            + "private network; that host is then one of the admin listener's names. Links in emails to operators begin so. "
            + "Never the public listener's address: the console is not served there.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.consoleURL = try parsed(PublicURL(parsing: text)) }
    )

    private static let secondFactor = Setting(
        "console.requireSecondFactor",
        "HOMING_CONSOLE_REQUIRE_SECOND_FACTOR",
        accepted: "true or false",
        standardText: "`false`",
        meaning: "`true`: every operator must have an authenticator app; who has none is led to setting it up after "
            + "signing in, and sees nothing else before. Owners can also say so in the console, under Operators.",
        isLive: true,
        standard: { _, _ in "false" },
        take: { (text, settings) throws(Rejection) in
            settings.requiresSecondFactor = try parsed(["true": true, "false": false][text])
        }
    )

    private static let mailForms =
        "smtp://[user:pass@]host[:port], smtps://… (both with ?tls=required, connections=1 to 64, ca=FILE; "
        + "percent-encode what is special in user and pass), "
        + MailProvider.all.map(\.form).joined(separator: ", ") + ", mailbox:, or none"

    private static let mailProviders = MailProvider.all.map { "`\($0.form)`" }.joined(separator: ", ")

    private static let mailMeaning = """
        Where emails leave: a relay, `smtp://[user:pass@]host[:port]` or `smtps://…`; a provider over HTTPS, \
        \(mailProviders) ([mail.md](mail.md)); `mailbox:` (kept in the database and shown on the \
        admin listener; for development); or `none` (a server for links only, which refuses what it would have to \
        mail). To a relay on a loopback host without credentials there is no TLS; else STARTTLS when offered; the \
        certificate is verified when credentials are given or with `?tls=required`, and always over HTTPS. \
        `?connections=16` and `?ca=FILE` may be added. `serve` without it refuses to start.
        """

    private static let relay = Setting(
        "smtp.url",
        "HOMING_SMTP_URL",
        accepted: mailForms,
        standardText: "none",
        meaning:
            "The older name of `mail.url`: what is said there holds here. Both are refused unless they are the same.",
        isSecret: true,
        mask: MailURL.masked,
        isLive: true,
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            settings.relay = try relay(text, settings.mailSecret)
        }
    )

    private static let mailURL = Setting(
        "mail.url",
        "HOMING_MAIL_URL",
        accepted: mailForms,
        standardText: "not set, and `serve` wants one",
        meaning: mailMeaning,
        isSecret: true,
        mask: MailURL.masked,
        isLive: true,
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            settings.relay = try relay(text, settings.mailSecret)
        }
    )

    private static func relay(_ text: String, _ secret: String?) throws(Rejection) -> MailRelay {
        do throws(MailURLFault) {
            return try MailRelay(parsing: text, secret: secret)
        } catch {
            throw error.isOfForm ? .notAccepted : .because(error.sentence)
        }
    }

    private static let mailSecret = Setting(
        "mail.secret",
        "HOMING_MAIL_SECRET",
        accepted: "a text of 1 to 16,384 bytes",
        standardText: "none",
        meaning:
            "The secret of `mail.url` (password, API key, client secret, refresh token, a service account's file), where "
            + "neither the URL has it nor a file that the URL names with `?secret-file=PATH`. Two of them are refused.",
        isSecret: true,
        mask: { _ in SecretMask.mask },
        isLive: true,
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.mailSecret = try secret(text) }
    )

    /// A secret in a file or a variable may end with a line break.
    private static func secret(_ text: String) throws(Rejection) -> String {
        let secret = ASCII.trimmed(text)
        return try parsed((1...16_384).contains(secret.utf8.count) ? String(secret) : nil)
    }

    private static let mailSender = Setting(
        "mail.from",
        "HOMING_MAIL_FROM",
        accepted: "an address such as noreply@example.com, or App <noreply@example.com>",
        standardText: "`noreply@` + host of the public URL (`localhost` for an address)",
        meaning: "The default sender; `App <a@b>` is accepted.",
        isLive: true,
        standard: { _, settings in
            let url = settings.publicURL
            return "noreply@\(url.flatMap { $0.isMailDomain ? $0.host : nil } ?? "localhost")"
        },
        take: { (text, settings) throws(Rejection) in settings.mailSender = try parsed(SenderAddress(parsing: text)) }
    )

    private static let mailBounces = Setting(
        "mail.bounces",
        "HOMING_MAIL_BOUNCES",
        accepted:
            "an address such as bounces@example.com, with at most \(BounceAddress.longestLocalPart) bytes before the @",
        standardText: "none",
        meaning:
            "Where emails come back that could not be delivered. With `bounces@example.com` each email's envelope sender "
            + "is `bounces+TOKEN@example.com`; that mail has to reach `homing mail bounce`. Without it they come back to "
            + "`mail.from`.",
        isLive: true,
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.mailBounces = try parsed(BounceAddress(parsing: text)) }
    )

    private static let mailEventsKey = Setting(
        "mail.eventsKey",
        "HOMING_MAIL_EVENTS_KEY",
        accepted: "a text of 1 to 16,384 bytes",
        standardText: "none",
        meaning:
            "What the provider of `mail.url` signs its events with, or the `user:password` with which it sends them: who "
            + "bounced, who complained. `homing mail transport show` prints the URL that the provider is given. Without it "
            + "events of a provider that signs them count for nothing.",
        isSecret: true,
        mask: { _ in SecretMask.mask },
        isLive: true,
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.mailEventsKey = try secret(text) }
    )

    private static let mailPrivateAddresses = Setting(
        "mail.privateAddresses",
        "HOMING_MAIL_PRIVATE_ADDRESSES",
        accepted: "true or false",
        standardText: "`false`",
        meaning: "`true`: the transports of projects (`homing mail transport set`) and their link webhooks may "
            + "lead to this machine and into private networks. Else whoever may edit a project could reach what stands "
            + "behind the firewall. `mail.url` itself may lead anywhere.",
        isLive: true,
        standard: { _, _ in "false" },
        take: { (text, settings) throws(Rejection) in
            settings.mailsToPrivateAddresses = try parsed(["true": true, "false": false][text])
        }
    )

    private static let probeAddress = Setting(
        "mail.probe.address",
        "HOMING_MAIL_PROBE_ADDRESS",
        accepted: "an email address such as probe@example.com",
        standardText: "none",
        meaning:
            "A mailbox of yours to which a letter of each kind goes once a day, to be fetched back and judged "
            + "([how](letter-probe.md)). It needs `mail.probe.inbox` and `mail.probe.secret`.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            settings.probeAddress = try parsed(try? EmailAddress(parsing: text))
        }
    )

    private static let probeInbox = Setting(
        "mail.probe.inbox",
        "HOMING_MAIL_PROBE_INBOX",
        accepted: InboxURL.form,
        standardText: "none",
        meaning:
            "Where the letters to `mail.probe.address` are fetched: `imaps://user@host[:port][/FOLDER]`, or "
            + "`pop3s://user@host[:port]`, which sees no spam. `imap:` and `pop3:` are for a loopback host.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.probeInbox = try parsed(InboxURL(parsing: text)) }
    )

    private static let probeSecret = Setting(
        "mail.probe.secret",
        "HOMING_MAIL_PROBE_SECRET",
        accepted: "a text of 1 to 1,024 bytes",
        standardText: "none",
        meaning: "The password of `mail.probe.inbox`; at Gmail, iCloud and Yahoo an app password.",
        isSecret: true,
        mask: { _ in SecretMask.mask },
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            let secret = ASCII.trimmed(text)
            settings.probeSecret = try parsed((1...1_024).contains(secret.utf8.count) ? String(secret) : nil)
        }
    )

    private static let keyFile = Setting(
        "keyFile",
        "HOMING_KEY_FILE",
        accepted: "the path of a file",
        standardText: "`/etc/homing/homing.key` for root, else `$XDG_CONFIG_HOME/homing/homing.key`",
        meaning: "The master keys, readable by their owner alone (0600). Created only together with a new database; a "
            + "missing or foreign key stops the start. `serve` warns when it lies beside the database, since whoever has "
            + "both can make every live code.",
        standard: { folders, _ in "\(folders.configurationFolder)/homing.key" },
        take: { (text, settings) throws(Rejection) in settings.keyFile = try path(text) }
    )

    private static let trustedProxies = Setting(
        "trustedProxies",
        "HOMING_TRUSTED_PROXIES",
        accepted: "addresses and CIDR ranges with commas between them, such as 10.0.0.0/8, 2001:db8::/32; no bits set "
            + "behind the prefix, no /0",
        standardText: "none",
        meaning:
            "Addresses and CIDR ranges, as a YAML list or with commas between them. Only from these are forwarding "
            + "headers read, and only for the client's address.",
        isList: true,
        isLive: true,
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            var ranges: [AddressRange] = []
            for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
                let written = piece.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
                ranges.append(try parsed(AddressRange(parsing: String(written))))
            }
            settings.trustedProxies = ranges
        }
    )

    private static let logLevel = Setting(
        "log.level",
        "HOMING_LOG_LEVEL",
        accepted: Logger.Level.allCases.map(\.rawValue).joined(separator: ", "),
        standardText: "`info`",
        meaning: "What is worth a line: " + Logger.Level.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            + ".",
        isLive: true,
        standard: { _, _ in "info" },
        take: { (text, settings) throws(Rejection) in settings.logLevel = try parsed(Logger.Level(rawValue: text)) }
    )

    private static let drainSeconds = Setting(
        "drainSeconds",
        "HOMING_DRAIN_SECONDS",
        accepted: "a whole number from 0 to 60",
        standardText: "`5`",
        meaning: "For how long a server that is to stop goes on answering, with 503 for `/readyz`, so that a balancer "
            + "sends nobody there any more: longer than the balancer takes to notice. Only on PostgreSQL, and only while "
            + "other servers use the database or somebody has asked for `/readyz` within half a minute; any other server stops "
            + "at once. `0`: never.",
        standard: { _, _ in "5" },
        take: { (text, settings) throws(Rejection) in
            settings.drainSeconds = try parsed(ASCII.number(text, atMost: 60))
        }
    )

    private static let logFormat = Setting(
        "log.format",
        "HOMING_LOG_FORMAT",
        accepted: "json or text",
        standardText: "`json` (`text` on a terminal)",
        meaning: "How a line looks. Logs go to stderr.",
        standard: { folders, _ in folders.isTerminal ? "text" : "json" },
        take: { (text, settings) throws(Rejection) in settings.logFormat = try parsed(LogFormat(rawValue: text)) }
    )

    private static let logTraces = Setting(
        "log.traces",
        "HOMING_LOG_TRACES",
        accepted: "on or off",
        standardText: "`off`",
        meaning: "Whether requests and their parts are traced: a line of the log for each span, and the trace's id on "
            + "every line about a request. `traceparent` is taken from trusted proxies and, on the admin listener, "
            + "from whoever has shown a key or a session.",
        standard: { _, _ in "off" },
        take: { (text, settings) throws(Rejection) in
            settings.logsTraces = try parsed(["on": true, "off": false][text])
        }
    )

    private static let tlsCertificate = Setting(
        "tls.certificate",
        "HOMING_TLS_CERTIFICATE",
        accepted: "the path of a PEM file",
        standardText: "none",
        meaning: "The certificate and its chain, PEM. With it and `tls.key` both listeners speak TLS (HTTP/1.1 and "
            + "HTTP/2); the files are read again when they change.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.tlsCertificate = try path(text) }
    )

    private static let tlsKey = Setting(
        "tls.key",
        "HOMING_TLS_KEY",
        accepted: "the path of a PEM file",
        standardText: "none",
        meaning: "The certificate's private key, PEM.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.tlsKey = try path(text) }
    )

    private static let acmeAgree = Setting(
        "tls.acme.agree",
        "HOMING_TLS_ACME_AGREE",
        accepted: "yes or no",
        standardText: "`no`",
        meaning: "`yes`: you agree to the terms of the certificate authority (for Let's Encrypt: "
            + "<https://letsencrypt.org/repository/>), and `serve` gets and renews certificates for the public URL's host "
            + "and every link domain by itself ([how](https-and-proxies.md#certificates-by-themselves)). The public "
            + "listener then speaks TLS.",
        standard: { _, _ in "no" },
        take: { (text, settings) throws(Rejection) in
            settings.isACMEAgreed = try parsed(["yes": true, "no": false][text])
        }
    )

    private static let acmeEmail = Setting(
        "tls.acme.email",
        "HOMING_TLS_ACME_EMAIL",
        accepted: "an address such as ops@example.com",
        standardText: "none",
        meaning: "Where the authority may write to about your certificates.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            settings.acmeEmail = try parsed((try? EmailAddress(parsing: text)).map(\.text))
        }
    )

    private static let acmeDirectory = Setting(
        "tls.acme.directory",
        "HOMING_TLS_ACME_DIRECTORY",
        accepted: "an https:// URL, or http:// on this machine",
        standardText: "`https://acme-v02.api.letsencrypt.org/directory`",
        meaning:
            "The certificate authority, by its ACME directory (RFC 8555). To try things, Let's Encrypt's staging, whose "
            + "certificates no browser trusts: `https://acme-staging-v02.api.letsencrypt.org/directory`. After a change "
            + "every certificate is obtained anew.",
        standard: { _, _ in "https://acme-v02.api.letsencrypt.org/directory" },
        take: { (text, settings) throws(Rejection) in
            guard ACMEClient.isAllowed(text, by: text), text.utf8.allSatisfy(ASCII.isVisible) else {
                throw .notAccepted
            }
            settings.acmeDirectory = text
        }
    )

    private static let acmeAuthorityFile = Setting(
        "tls.acme.ca",
        "HOMING_TLS_ACME_CA",
        accepted: "the path of a PEM file",
        standardText: "the system's",
        meaning: "The authorities to trust for the connection to `tls.acme.directory`, for one of your own.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in settings.acmeAuthorityFile = try path(text) }
    )

    private static let redirectListen = Setting(
        "redirect.listen",
        "HOMING_REDIRECT_LISTEN",
        accepted: listenForm,
        standardText: "none",
        meaning: "A listener without TLS, for port 80 (`0.0.0.0:80`): it sends browsers to https, and answers the "
            + "challenges of certificate authorities (`http-01`); nothing else.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            settings.redirectListen = try parsed(ListenAddress(parsing: text))
        }
    )

    private static let securityContact = Setting(
        "security.contact",
        "HOMING_SECURITY_CONTACT",
        accepted: "mailto: and an address, or an https:// URL",
        standardText: "none",
        meaning: "Whom to tell of a weakness, for `/.well-known/security.txt` on the public listener: "
            + "`mailto:security@example.com`, or the `https` URL of a page. Without it there is no such file.",
        standard: { _, _ in nil },
        take: { (text, settings) throws(Rejection) in
            settings.securityContact = try parsed(isContact(text) ? text : nil)
        }
    )

    private static func isContact(_ text: String) -> Bool {
        let scheme = "mailto:"
        if text.hasPrefix(scheme) { return (try? EmailAddress(parsing: String(text.dropFirst(scheme.count)))) != nil }
        return (try? WebURL(parsing: text))?.scheme == .https
    }

    /// A parsed value, or the row's own refusal.
    package static func parsed<Value>(_ value: Value?) throws(Rejection) -> Value {
        guard let value else { throw .notAccepted }
        return value
    }

    private static func path(_ text: String) throws(Rejection) -> String {
        guard FilePath.isUsable(text) else { throw .notAccepted }
        return text
    }
}

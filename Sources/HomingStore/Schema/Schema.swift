// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingDatabase

/// The tables. Steps are appended, never edited.
///
/// Keys start with the project. Indexes on columns that most rows leave empty are partial, so that those rows do not
/// pay for them. Times are milliseconds since 1970; `valid_since` is in seconds, as on the wire.
package enum Schema {
    package static let migrations = [
        Migration(version: 1, name: "main job", statements: projects + accounts + actionCodes + outbox + keys),
        Migration(version: 2, name: "dynamic links", statements: links),
        Migration(version: 3, name: "whose codes", statements: holders),
        Migration(version: 4, name: "admin sessions", statements: adminSessions),
        // An app tells of its first start, and nobody of an installation.
        Migration(
            version: 5, name: "installs are not counted",
            statements: ["ALTER TABLE link_counts DROP COLUMN installs"]),
        Migration(version: 6, name: "expand: nodes", statements: nodes),
        Migration(version: 7, name: "expand: bounces", statements: bounces),
        // Holds what waits, which is little: a claim goes from project to project in it.
        Migration(
            version: 8, name: "expand: projects in turn",
            statements: ["CREATE INDEX outbox_turns ON outbox (project, next_at) WHERE ended_at IS NULL"]),
        Migration(version: 9, name: "expand: audit log", statements: auditLog),
        Migration(version: 10, name: "expand: operators", statements: operators),
        Migration(version: 11, name: "expand: templates and brands", statements: templates),
        Migration(version: 12, name: "expand: the life of a mail", statements: mailLives),
        Migration(version: 13, name: "expand: keys and searches", statements: keysAndSearches),
        Migration(version: 14, name: "expand: certificates", statements: certificates),
        Migration(
            version: 15, name: "expand: certificates that nobody wants",
            statements: ["ALTER TABLE certificates ADD COLUMN unwanted_at BIGINT"]),
        Migration(version: 16, name: "expand: hashes of other systems", statements: passwordSchemes),
        Migration(version: 17, name: "expand: custom tokens and identities", statements: customTokens + identities),
        Migration(
            version: 18, name: "expand: keys that read hashes",
            statements: ["ALTER TABLE admin_keys ADD COLUMN reads_hashes BIGINT NOT NULL DEFAULT 0"]),
        Migration(version: 19, name: "expand: who names a scheme", statements: accountsByScheme),
        Migration(version: 20, name: "expand: who is anonymous", statements: anonymousAccounts),
        Migration(
            version: 21, name: "expand: keys of nodes", statements: ["ALTER TABLE nodes ADD COLUMN keys TEXT"]),
        // Those of before were made for custom tokens, and open nothing more now.
        Migration(
            version: 22, name: "expand: service accounts at the admin listener",
            statements: ["ALTER TABLE service_accounts ADD COLUMN opens_admin BIGINT NOT NULL DEFAULT 0"]),
        // Finds the entries that name a person who is deleted.
        Migration(
            version: 23, name: "expand: subjects of the audit log",
            statements: [
                "CREATE INDEX audit_log_subjects ON audit_log (project, subject) WHERE project IS NOT NULL"
            ]),
        // A node that does not know these columns asks nobody for a code behind a link.
        Migration(
            version: 24, name: "expand: what a session began with",
            statements: [
                "ALTER TABLE admin_sessions ADD COLUMN first_factor TEXT",
                "ALTER TABLE admin_sessions ADD COLUMN caller TEXT",
            ]),
        // A node that does not know the keys sends without the signatures.
        Migration(version: 25, name: "expand: keys of sender domains", statements: senderDomainKeys),
        // A node that does not know them mails through the server's.
        Migration(version: 26, name: "expand: transports of projects", statements: mailTransports),
        // A node that does not know these columns takes no events.
        Migration(
            version: 27, name: "expand: what providers tell of mails",
            statements: [
                "ALTER TABLE outbox ADD COLUMN delivered_at BIGINT",
                "ALTER TABLE outbox ADD COLUMN deferred_at BIGINT",
                "ALTER TABLE outbox ADD COLUMN complained_at BIGINT",
            ]),
        // A node that does not know these columns takes a bound code from whoever has it.
        Migration(version: 28, name: "expand: bound requests", statements: boundRequests),
        Migration(
            version: 29, name: "expand: links that change", statements: changingLinks + listedLinks + countedLinks),
        // A node that does not know them says our words, and forgets what people read.
        Migration(version: 30, name: "expand: languages", statements: languages),
    ]

    /// The tables that a copy of the database has rows in, those that others lean on first.
    private static let copiedTables = [
        "projects", "api_keys", "authorized_domains", "apps", "link_domains", "key_state", "signing_keys", "admin_keys",
        "admin_sessions", "accounts", "sessions", "limits", "codes", "outbox", "mailbox", "suppressions", "links",
        "link_counts", "mail_counts", "audit_log", "operators", "template_versions", "brands", "sender_domain_keys",
        "mail_transports", "certificates", "certificate_accounts", "certificate_challenges", "password_schemes",
        "account_identities", "service_accounts", "link_versions", "link_tags", "link_sources", "link_webhooks",
        "link_events", "project_texts",
    ]
    /// Nodes tell of themselves where they serve, and are stopped during a move. `schema_versions`, which the migrator
    /// fills, is not copied either.
    private static let tablesOfOneDatabase = ["nodes"]

    /// Copies a database into an empty one.
    package static let copy = TableCopy(copiedTables, butNot: tablesOfOneDatabase)

    private static let projects: [SQL] = [
        """
        CREATE TABLE projects (
            id TEXT PRIMARY KEY, number TEXT NOT NULL, name TEXT NOT NULL, settings TEXT NOT NULL,
            created_at BIGINT NOT NULL
        )
        """,
        "CREATE TABLE api_keys (key TEXT PRIMARY KEY, project TEXT NOT NULL, created_at BIGINT NOT NULL)",
        "CREATE TABLE authorized_domains (project TEXT NOT NULL, domain TEXT NOT NULL, PRIMARY KEY (project, domain))",
        """
        CREATE TABLE apps (
            project TEXT NOT NULL, platform TEXT NOT NULL, id TEXT NOT NULL, details TEXT NOT NULL,
            PRIMARY KEY (project, platform, id)
        )
        """,
        """
        CREATE TABLE link_domains (
            domain TEXT PRIMARY KEY, project TEXT NOT NULL, added_at BIGINT NOT NULL
        )
        """,
    ]

    private static let accounts: [SQL] = [
        """
        CREATE TABLE accounts (
            project TEXT NOT NULL, id TEXT NOT NULL, email TEXT, email_verified BIGINT NOT NULL,
            email_link BIGINT NOT NULL, password_hash TEXT, password_updated_at BIGINT, password_session \(type: .bytes),
            valid_since BIGINT NOT NULL, created_at BIGINT NOT NULL, last_login_at BIGINT, last_refresh_at BIGINT,
            disabled BIGINT NOT NULL, display_name TEXT, photo_url TEXT, custom_attributes TEXT, initial_email TEXT,
            PRIMARY KEY (project, id)
        )
        """,
        "CREATE UNIQUE INDEX accounts_address ON accounts (project, email)",
        """
        CREATE TABLE sessions (
            project TEXT NOT NULL, id \(type: .bytes) NOT NULL, account TEXT NOT NULL, provider TEXT NOT NULL,
            auth_time BIGINT NOT NULL, created_at BIGINT NOT NULL, ended_at BIGINT,
            PRIMARY KEY (project, id)
        )
        """,
        "CREATE INDEX sessions_account ON sessions (project, account)",
        "CREATE INDEX sessions_ended ON sessions (ended_at) WHERE ended_at IS NOT NULL",
        """
        CREATE TABLE limits (
            project TEXT NOT NULL, subject TEXT NOT NULL, started_at BIGINT NOT NULL, n BIGINT NOT NULL,
            expires_at BIGINT NOT NULL, PRIMARY KEY (project, subject)
        )
        """,
        "CREATE INDEX limits_expiry ON limits (expires_at)",
    ]

    private static let actionCodes: [SQL] = [
        """
        CREATE TABLE codes (
            project TEXT NOT NULL, id \(type: .bytes) NOT NULL, kind BIGINT NOT NULL, state BIGINT NOT NULL,
            address TEXT, account TEXT, new_address TEXT, session \(type: .bytes), settings TEXT, language TEXT,
            created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, ended_at BIGINT,
            PRIMARY KEY (project, id)
        )
        """,
        "CREATE INDEX codes_address ON codes (project, address, kind)",
        "CREATE INDEX codes_account ON codes (project, account, kind) WHERE account IS NOT NULL",
        "CREATE INDEX codes_expiry ON codes (expires_at)",
    ]

    private static let outbox: [SQL] = [
        """
        CREATE TABLE outbox (
            project TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, state BIGINT NOT NULL, recipient TEXT,
            code \(type: .bytes), key_version BIGINT, facts TEXT NOT NULL, created_at BIGINT NOT NULL,
            expires_at BIGINT NOT NULL, next_at BIGINT NOT NULL, lease TEXT, attempts BIGINT NOT NULL,
            last_reply TEXT, ended_at BIGINT,
            PRIMARY KEY (project, id)
        )
        """,
        "CREATE INDEX outbox_due ON outbox (state, next_at)",
        "CREATE INDEX outbox_ended ON outbox (ended_at) WHERE ended_at IS NOT NULL",
        """
        CREATE TABLE mailbox (
            id TEXT PRIMARY KEY, project TEXT NOT NULL, recipient TEXT NOT NULL, kind TEXT NOT NULL,
            language TEXT NOT NULL, subject TEXT NOT NULL, plain TEXT NOT NULL, html TEXT NOT NULL, note TEXT,
            created_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX mailbox_order ON mailbox (created_at)",
    ]

    private static let keys: [SQL] = [
        "CREATE TABLE key_state (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """
        CREATE TABLE signing_keys (
            id TEXT PRIMARY KEY, algorithm TEXT NOT NULL, sealed \(type: .bytes) NOT NULL, public_key TEXT NOT NULL,
            created_at BIGINT NOT NULL, retired_at BIGINT
        )
        """,
        """
        CREATE TABLE admin_keys (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, digest \(type: .bytes) NOT NULL, created_at BIGINT NOT NULL,
            revoked_at BIGINT
        )
        """,
    ]

    /// A verification no longer depends on the session that asked for it.
    private static let holders: [SQL] = [
        "ALTER TABLE codes ADD COLUMN holder TEXT",
        "ALTER TABLE codes DROP COLUMN session",
        "ALTER TABLE accounts DROP COLUMN password_session",
    ]

    /// One-time links until they are redeemed, sessions of browsers from then on.
    private static let adminSessions: [SQL] = [
        """
        CREATE TABLE admin_sessions (
            digest \(type: .bytes) PRIMARY KEY, page TEXT NOT NULL, created_at BIGINT NOT NULL, redeemed_at BIGINT,
            expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX admin_sessions_expiry ON admin_sessions (expires_at)",
    ]

    /// The nodes that serve from this database, by their last sign of life.
    private static let nodes: [SQL] = [
        """
        CREATE TABLE nodes (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, started_at BIGINT NOT NULL,
            seen_at BIGINT NOT NULL, clock BIGINT NOT NULL, lag BIGINT NOT NULL, mails BIGINT NOT NULL
        )
        """
    ]

    /// A node that does not know these columns writes rows without them.
    private static let bounces: [SQL] = [
        """
        CREATE TABLE suppressions (
            project TEXT NOT NULL, address TEXT NOT NULL, reason TEXT NOT NULL, mail TEXT NOT NULL,
            bounces BIGINT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
            PRIMARY KEY (project, address)
        )
        """,
        "CREATE INDEX suppressions_expiry ON suppressions (expires_at)",
        "ALTER TABLE outbox ADD COLUMN bounced_at BIGINT",
        "ALTER TABLE outbox ADD COLUMN bounce TEXT",
        "ALTER TABLE outbox ADD COLUMN retried_at BIGINT",
    ]

    private static let operators: [SQL] = [
        """
        CREATE TABLE operators (
            address TEXT PRIMARY KEY, role TEXT NOT NULL, projects TEXT, password_hash TEXT,
            totp_secret \(type: .bytes), totp_step BIGINT NOT NULL, recovery_codes TEXT, created_at BIGINT NOT NULL
        )
        """,
        "ALTER TABLE admin_sessions ADD COLUMN operator TEXT",
        "ALTER TABLE admin_sessions ADD COLUMN browser \(type: .bytes)",
        "CREATE INDEX admin_sessions_operator ON admin_sessions (operator) WHERE operator IS NOT NULL",
    ]

    private static let auditLog: [SQL] = [
        """
        CREATE TABLE audit_log (
            at BIGINT NOT NULL, id TEXT NOT NULL, author TEXT NOT NULL, action TEXT NOT NULL, project TEXT,
            subject TEXT NOT NULL, old_value TEXT, new_value TEXT,
            PRIMARY KEY (at, id)
        )
        """,
        "CREATE INDEX audit_log_projects ON audit_log (project, at, id) WHERE project IS NOT NULL",
    ]

    /// A node that does not know these columns takes every key for one that is in force, for all projects and for ever.
    private static let keysAndSearches: [SQL] = [
        "ALTER TABLE api_keys ADD COLUMN name TEXT",
        "ALTER TABLE api_keys ADD COLUMN revoked_at BIGINT",
        "ALTER TABLE api_keys ADD COLUMN chosen_at BIGINT",
        "ALTER TABLE admin_keys ADD COLUMN projects TEXT",
        "ALTER TABLE admin_keys ADD COLUMN expires_at BIGINT",
        "ALTER TABLE admin_keys ADD COLUMN used_at BIGINT",
        // Whoever accepts a mail does not pay for it; whoever has sent it does.
        "CREATE INDEX outbox_history ON outbox (project, recipient) WHERE ended_at IS NOT NULL",
        "CREATE INDEX links_titled ON links (project, lower(name), domain, suffix) WHERE name IS NOT NULL",
    ]

    /// A node that does not know these columns writes rows without them: such a mail is not counted as opened or
    /// applied.
    private static let mailLives: [SQL] = [
        """
        CREATE TABLE mail_counts (
            project TEXT NOT NULL, day BIGINT NOT NULL, kind TEXT NOT NULL, language TEXT NOT NULL,
            accepted BIGINT NOT NULL, sent BIGINT NOT NULL, failed BIGINT NOT NULL, expired BIGINT NOT NULL,
            bounced BIGINT NOT NULL, opened BIGINT NOT NULL, applied BIGINT NOT NULL, returned BIGINT NOT NULL,
            PRIMARY KEY (project, day, kind, language)
        )
        """,
        "ALTER TABLE codes ADD COLUMN mail TEXT",
        "ALTER TABLE outbox ADD COLUMN opened_at BIGINT",
        "ALTER TABLE outbox ADD COLUMN applied_at BIGINT",
        "ALTER TABLE outbox ADD COLUMN returned_at BIGINT",
    ]

    /// A version without a template is the way back to our words.
    private static let templates: [SQL] = [
        """
        CREATE TABLE template_versions (
            project TEXT NOT NULL, kind TEXT NOT NULL, language TEXT NOT NULL, version BIGINT NOT NULL,
            author TEXT NOT NULL, created_at BIGINT NOT NULL, template TEXT,
            PRIMARY KEY (project, kind, language, version)
        )
        """,
        """
        CREATE TABLE brands (project TEXT PRIMARY KEY, logo \(type: .bytes), color TEXT, support TEXT, postal TEXT)
        """,
    ]

    /// The sentences of pages and mails that a project says in its own words, and the language that a person reads.
    private static let languages: [SQL] = [
        """
        CREATE TABLE project_texts (
            project TEXT NOT NULL, language TEXT NOT NULL, key TEXT NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY (project, language, key)
        )
        """,
        "ALTER TABLE accounts ADD COLUMN language TEXT",
    ]

    /// Private keys are encrypted (``KeyRing``). A challenge's answer is meant for everybody who asks.
    private static let certificates: [SQL] = [
        """
        CREATE TABLE certificates (
            name TEXT PRIMARY KEY, directory TEXT NOT NULL, sealed \(type: .bytes), chain TEXT, issuer TEXT,
            begins_at BIGINT, ends_at BIGINT, renew_at BIGINT, seen_at BIGINT NOT NULL, looked_at BIGINT,
            led_here BIGINT NOT NULL, tried_at BIGINT, next_at BIGINT NOT NULL, failures BIGINT NOT NULL, problem TEXT,
            order_url TEXT, order_sealed \(type: .bytes), claimed_until BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE certificate_accounts (
            directory TEXT PRIMARY KEY, url TEXT, email TEXT, sealed \(type: .bytes) NOT NULL,
            paused_until BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE certificate_challenges (
            token TEXT PRIMARY KEY, name TEXT NOT NULL, answer TEXT NOT NULL, expires_at BIGINT NOT NULL
        )
        """,
        "CREATE INDEX certificate_challenges_names ON certificate_challenges (name, expires_at)",
    ]

    /// What a hash that begins with `$scheme$ID$` was made with. It may hold a key, and is encrypted (``KeyRing``).
    private static let passwordSchemes: [SQL] = [
        """
        CREATE TABLE password_schemes (
            project TEXT NOT NULL, id TEXT NOT NULL, sealed \(type: .bytes) NOT NULL, created_at BIGINT NOT NULL,
            PRIMARY KEY (project, id)
        )
        """
    ]

    /// Private keys are encrypted (``KeyRing``).
    private static let senderDomainKeys: [SQL] = [
        """
        CREATE TABLE sender_domain_keys (
            project TEXT NOT NULL, domain TEXT NOT NULL, selector TEXT NOT NULL, algorithm TEXT NOT NULL,
            public_key TEXT NOT NULL, sealed \(type: .bytes) NOT NULL, created_at BIGINT NOT NULL, signs_since BIGINT,
            replaced_at BIGINT,
            PRIMARY KEY (project, domain, selector)
        )
        """
    ]

    /// Secrets are encrypted (``KeyRing``).
    private static let mailTransports: [SQL] = [
        """
        CREATE TABLE mail_transports (
            project TEXT PRIMARY KEY, url TEXT NOT NULL, destination TEXT NOT NULL, sealed \(type: .bytes),
            sender TEXT, falls_back BIGINT NOT NULL, events_token TEXT NOT NULL, events_sealed \(type: .bytes),
            version BIGINT NOT NULL, changed_at BIGINT NOT NULL
        )
        """
    ]

    /// What is kept of an address that a bound request was asked for is a digest (``KeyRing/digest(of:in:)``): also
    /// where nobody has the address.
    private static let boundRequests: [SQL] = [
        "ALTER TABLE codes ADD COLUMN challenge TEXT",
        "ALTER TABLE codes ADD COLUMN digest TEXT",
        "ALTER TABLE codes ADD COLUMN asked TEXT",
        "ALTER TABLE codes ADD COLUMN number_tries BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE codes ADD COLUMN typed_tries BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE codes ADD COLUMN ended_by TEXT",
        "ALTER TABLE codes ADD COLUMN handed_at BIGINT",
        "CREATE INDEX codes_digest ON codes (project, digest, kind) WHERE digest IS NOT NULL",
        // For whoever looks for ends alone: a planner would take it for a short way to one code, too.
        "CREATE INDEX codes_ended ON codes (ended_at) WHERE challenge IS NOT NULL AND ended_at IS NOT NULL",
    ]

    private static let links: [SQL] = [
        """
        CREATE TABLE links (
            project TEXT NOT NULL, domain TEXT NOT NULL, suffix TEXT NOT NULL, query TEXT NOT NULL, name TEXT,
            archived BIGINT NOT NULL, created_at BIGINT NOT NULL,
            PRIMARY KEY (project, domain, suffix)
        )
        """,
        "CREATE INDEX links_named ON links (project, created_at) WHERE name IS NOT NULL",
        """
        CREATE TABLE link_counts (
            project TEXT NOT NULL, domain TEXT NOT NULL, suffix TEXT NOT NULL, day BIGINT NOT NULL,
            platform BIGINT NOT NULL, clicks BIGINT NOT NULL, redirects BIGINT NOT NULL, installs BIGINT NOT NULL,
            first_opens BIGINT NOT NULL, reopens BIGINT NOT NULL,
            PRIMARY KEY (project, domain, suffix, day, platform)
        )
        """,
    ]
}

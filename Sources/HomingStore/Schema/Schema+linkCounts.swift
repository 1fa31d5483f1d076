// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// What is counted of links, and told to others. Rows of `link_counts` are of three kinds:
///
/// - a link's day for one class of visitors, whose number is in `platform`;
/// - a link's total of people's clicks, under day 0 and platform 0;
/// - a project's day, without domain and ending, and a campaign's, without domain and with its name for an ending.
extension Schema {
    /// A node that does not know the classes goes on to count, without totals, days of projects and sources.
    static let countedLinks: [SQL] = [
        """
        CREATE TABLE link_sources (
            project TEXT NOT NULL, domain TEXT NOT NULL, suffix TEXT NOT NULL, day BIGINT NOT NULL,
            referrer TEXT NOT NULL, campaign TEXT NOT NULL, clicks BIGINT NOT NULL,
            PRIMARY KEY (project, domain, suffix, day, referrer, campaign)
        )
        """,
        """
        INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens, reopens)
        SELECT project, '', '', day, platform, SUM(clicks), SUM(redirects), SUM(first_opens), SUM(reopens)
        FROM link_counts WHERE day > 0 AND domain <> '' GROUP BY project, day, platform
        """,
        """
        INSERT INTO link_counts (project, domain, suffix, day, platform, clicks, redirects, first_opens, reopens)
        SELECT project, domain, suffix, 0, 0, SUM(clicks), 0, 0, 0
        FROM link_counts WHERE day > 0 AND domain <> '' GROUP BY project, domain, suffix HAVING SUM(clicks) > 0
        """,
        "CREATE INDEX link_totals ON link_counts (project, clicks, domain, suffix) WHERE day = 0",
        // Secrets are encrypted (``KeyRing``).
        """
        CREATE TABLE link_webhooks (
            project TEXT PRIMARY KEY, url TEXT NOT NULL, sealed \(type: .bytes) NOT NULL, version BIGINT NOT NULL,
            changed_at BIGINT NOT NULL, next_at BIGINT NOT NULL, claimed_until BIGINT NOT NULL,
            failures BIGINT NOT NULL, failing_since BIGINT, problem TEXT, sent_at BIGINT, dropped BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE link_events (
            project TEXT NOT NULL, id TEXT NOT NULL, created_at BIGINT NOT NULL, attempts BIGINT NOT NULL,
            n BIGINT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (project, id)
        )
        """,
        "CREATE INDEX link_events_age ON link_events (created_at)",
        "CREATE INDEX link_events_turn ON link_events (project, attempts, id)",
    ]
}

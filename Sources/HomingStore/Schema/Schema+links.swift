// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// Links that change, and are found.
extension Schema {
    /// A node that does not know these columns leads where a link led when the node has read it, and lets nobody wait
    /// for its beginning. What `details` holds stands in columns of its own where statements ask for it.
    static let changingLinks: [SQL] = [
        "ALTER TABLE links ADD COLUMN details TEXT",
        "ALTER TABLE links ADD COLUMN is_off BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE links ADD COLUMN deleted_at BIGINT",
        "ALTER TABLE links ADD COLUMN ends_at BIGINT",
        "ALTER TABLE links ADD COLUMN max_clicks BIGINT",
        "ALTER TABLE links ADD COLUMN version BIGINT NOT NULL DEFAULT 1",
        "ALTER TABLE links ADD COLUMN changed_at BIGINT",
        "ALTER TABLE links ADD COLUMN author TEXT",
        "ALTER TABLE links ADD COLUMN target_key TEXT",
        "ALTER TABLE links ADD COLUMN folded TEXT",
        // What nodes look for once a second.
        "CREATE INDEX links_changed ON links (changed_at) WHERE changed_at IS NOT NULL",
        "CREATE INDEX links_target ON links (project, target_key, domain, suffix) WHERE target_key IS NOT NULL",
        "CREATE INDEX links_unkeyed ON links (project, domain, suffix) WHERE target_key IS NULL",
        "CREATE INDEX links_folded ON links (project, domain, folded) WHERE folded IS NOT NULL",
        // Those that were replaced: the one in force is the row of `links`.
        """
        CREATE TABLE link_versions (
            project TEXT NOT NULL, domain TEXT NOT NULL, suffix TEXT NOT NULL, version BIGINT NOT NULL,
            at BIGINT NOT NULL, author TEXT, content TEXT NOT NULL,
            PRIMARY KEY (project, domain, suffix, version)
        )
        """,
        """
        CREATE TABLE link_tags (
            project TEXT NOT NULL, tag TEXT NOT NULL, domain TEXT NOT NULL, suffix TEXT NOT NULL,
            PRIMARY KEY (project, tag, domain, suffix)
        )
        """,
        "CREATE INDEX link_tags_links ON link_tags (project, domain, suffix)",
        "ALTER TABLE link_domains ADD COLUMN ignores_case BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE link_domains ADD COLUMN is_default BIGINT NOT NULL DEFAULT 0",
    ]
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// What an account is besides its address: known to a back end, to other providers, by a phone number.
extension Schema {
    /// A session that a custom token began goes on carrying that token's claims.
    static let customTokens: [SQL] = [
        """
        CREATE TABLE service_accounts (
            project TEXT NOT NULL, id TEXT NOT NULL, email TEXT NOT NULL, name TEXT, public_key TEXT NOT NULL,
            created_at BIGINT NOT NULL, revoked_at BIGINT,
            PRIMARY KEY (project, id)
        )
        """,
        "CREATE INDEX service_accounts_email ON service_accounts (project, email) WHERE revoked_at IS NULL",
        "ALTER TABLE sessions ADD COLUMN claims TEXT",
        "ALTER TABLE accounts ADD COLUMN custom_auth BIGINT NOT NULL DEFAULT 0",
    ]

    /// What an account has with other providers: read with the account, and found by its own table.
    static let identities: [SQL] = [
        "ALTER TABLE accounts ADD COLUMN phone_number TEXT",
        "ALTER TABLE accounts ADD COLUMN identities TEXT",
        "CREATE UNIQUE INDEX accounts_phone ON accounts (project, phone_number) WHERE phone_number IS NOT NULL",
        """
        CREATE TABLE account_identities (
            project TEXT NOT NULL, provider TEXT NOT NULL, raw_id TEXT NOT NULL, account TEXT NOT NULL,
            PRIMARY KEY (project, provider, raw_id)
        )
        """,
        "CREATE INDEX account_identities_account ON account_identities (project, account)",
    ]
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// The statements about accounts, for the verbs of every place that changes one.
enum AccountRows {
    static func find(_ id: String, in project: String, _ connection: borrowing Connection) throws -> Account? {
        try connection.run(
            "SELECT \(sql: Account.columns) FROM accounts WHERE project = \(project) AND id = \(id)"
        ).first.map { try Account($0) }
    }

    static func selectByAddress(_ address: String, in project: String) -> SQL {
        "SELECT \(sql: Account.columns) FROM accounts WHERE project = \(project) AND email = \(address)"
    }

    static func find(
        address: EmailAddress, in project: String, _ connection: borrowing Connection
    ) throws -> Account? {
        try connection.run(selectByAddress(address.text, in: project)).first.map { try Account($0) }
    }

    static func insert(_ account: Account, in project: String, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO accounts (project, \(sql: Account.columns)) VALUES (
                \(project), \(account.id), \(account.email?.text), \(account.isEmailVerified), \(account.usesEmailLink),
                \(account.passwordHash), \(account.passwordUpdatedAt), \(account.validSince), \(account.createdAt),
                \(account.lastLoginAt), \(account.lastRefreshAt), \(account.isDisabled), \(account.displayName),
                \(account.photoURL), \(account.customAttributes), \(account.initialEmail))
            """)
    }

    static func update(_ account: Account, in project: String, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            UPDATE accounts SET email = \(account.email?.text), email_verified = \(account.isEmailVerified),
                email_link = \(account.usesEmailLink), password_hash = \(account.passwordHash),
                password_updated_at = \(account.passwordUpdatedAt), valid_since = \(account.validSince),
                created_at = \(account.createdAt), last_login_at = \(account.lastLoginAt),
                last_refresh_at = \(account.lastRefreshAt), disabled = \(account.isDisabled),
                display_name = \(account.displayName), photo_url = \(account.photoURL),
                custom_attributes = \(account.customAttributes), initial_email = \(account.initialEmail)
            WHERE project = \(project) AND id = \(account.id)
            """)
    }

    static func endSessions(
        of account: String, in project: String, at now: Moment, except kept: [UInt8]? = nil,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE sessions SET ended_at = \(now)
            WHERE project = \(project) AND account = \(account) AND ended_at IS NULL AND id <> \(kept ?? [])
            """)
    }
}

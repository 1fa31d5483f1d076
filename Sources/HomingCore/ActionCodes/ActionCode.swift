// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// One code as the database knows it: everything but the secret.
package struct ActionCode: Sendable {
    /// What has become of it. Only a live one can be redeemed.
    enum State: Int64 {
        case live = 0
        case used = 1
        case replaced = 2
        case accountGone = 3
        /// Asked for an address that nobody has; it can never be redeemed.
        case void = 4
    }

    package let id: [UInt8]
    package let kind: ActionCodeKind
    /// The address that the mail went to, and that the code is bound to unless it is bound to the account.
    package let address: EmailAddress
    /// The account, for kinds that follow the account and not the address.
    let account: String?
    package let newAddress: EmailAddress?
    package let settings: ActionCodeSettings
    package let language: String
    package let expiresAt: Moment

    static let columns: SQL =
        "id, kind, address, account, new_address, settings, language, expires_at, state"

    /// Nil for a void row: its code was never mailed to anybody.
    init?(_ row: Row) throws {
        guard let kind = ActionCodeKind(rawValue: try row.int(1)), let address = try row.optionalText(2) else {
            return nil
        }
        id = try row.bytes(0)
        self.kind = kind
        self.address = EmailAddress(stored: address)
        account = try row.optionalText(3)
        newAddress = try row.optionalText(4).map { EmailAddress(stored: $0) }
        settings = try ActionCodeSettings(stored: row.optionalText(5))
        language = try row.optionalText(6) ?? "en"
        expiresAt = Moment(milliseconds: try row.int(7))
    }

    /// What a MAC over a code covers beside the id: the kind, and the project.
    package static func context(_ kind: ActionCodeKind, project: String) -> [UInt8] {
        [UInt8(kind.rawValue)] + Array(project.utf8)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingWire

extension ImportedAccount {
    /// A row of a file whose columns the operator has named.
    init(columns row: AccountRecord, _ reading: AccountReading) throws(Fault) {
        try self.init(id: try row.text("id"), named: "id")
        try setEmail(try row.text("email"), for: reading)
        isEmailVerified = try row.flag("emailVerified") ?? false
        let (hash, salt) = (try row.text("passwordHash"), try row.text("salt"))
        try set(Result { () throws(Fault) in try .column(hash, salt, reading.scheme) }, for: reading)
        try setTexts(for: reading, row.text)
        try setCreation(for: reading) { () throws(Fault) in try row.moment("createdAt") }
        try setLastSignIn(for: reading) { () throws(Fault) in try row.moment("lastSignedInAt") }
        isDisabled = try row.flag("disabled") ?? false
        notKept += row.names(except: Set(AccountColumns.fields))
    }
}

extension ImportedPassword {
    /// A hash with the operator's scheme; without one, a text that says by itself how it was made, or one of Django's.
    fileprivate static func column(
        _ hash: String?, _ salt: String?, _ scheme: PasswordScheme?
    ) throws(Fault) -> ImportedPassword? {
        guard let hash else { return nil }
        guard let scheme else { return hash.utf8.first == UInt8(ascii: "$") ? try text(hash) : try django(hash) }
        return try firebase(hash, salt, scheme)
    }
}

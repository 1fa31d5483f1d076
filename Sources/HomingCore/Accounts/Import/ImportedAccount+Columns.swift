// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Which columns of a file mean what: `id=user_id,email=mail`. What is not named has a column of its own name.
package struct AccountColumns: Sendable, Codable {
    /// What an account has, in the words of `auth:export`; `id` is its `localId`.
    package static let fields = [
        "id", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl", "createdAt",
        "lastSignedInAt",
        "disabled", "customAttributes", "phoneNumber",
    ]

    /// The names of columns, by what they mean.
    private var columns: [String: String] = [:]

    package init() {}

    /// - Throws: a refusal that says which pair is wrong.
    package init(parsing text: String) throws(Refusal) {
        for pair in ASCII.split(text, at: UInt8(ascii: ",")) {
            guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw .invalidSetting("--columns is FIELD=COLUMN,…, such as id=user_id,email=mail")
            }
            let (field, column) = (String(pair[..<equals]), String(pair[equals...].dropFirst()))
            guard Self.fields.contains(where: { $0.utf8.elementsEqual(field.utf8) }), !column.isEmpty else {
                throw .invalidSetting("--columns knows the fields \(Self.fields.joined(separator: ", "))")
            }
            columns[field] = column
        }
    }

    /// What the columns of a file mean; those that mean nothing keep their names.
    func meanings(of header: [String]) throws(AccountExportReader.Fault) -> [String] {
        for column in columns.values.sorted() where !header.contains(where: { $0.utf8.elementsEqual(column.utf8) }) {
            throw .init(description: "the first row names no column \(Self.quoted(column)), which --columns has")
        }
        let meanings = header.map { column in
            if let field = columns.first(where: { $0.value.utf8.elementsEqual(column.utf8) })?.key { return field }
            // A column whose name means something, where another one has that meaning.
            return columns[column] == nil ? column : "column \(column)"
        }
        guard meanings.contains(where: { $0.utf8.elementsEqual("id".utf8) }) else {
            throw .init(
                description: "the first row names no column id: say which one it is with --columns id=COLUMN,…")
        }
        return meanings
    }

    private static func quoted(_ name: String) -> String {
        "\""
            + String(
                decoding: name.utf8.prefix(80).map { ASCII.isPrintable($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            + "\""
    }
}

extension ImportedAccount {
    /// A row of a file whose columns the operator has named.
    init(columns row: AccountRecord, _ reading: AccountReading) throws(Fault) {
        try self.init(id: try row.text("id"), named: "id")
        try setEmail(try row.text("email"))
        isEmailVerified = try row.flag("emailVerified") ?? false
        let (hash, salt) = (try row.text("passwordHash"), try row.text("salt"))
        try set(Result { () throws(Fault) in try .column(hash, salt, reading.scheme) }, for: reading)
        try setName(try row.text("displayName"), photo: try row.text("photoUrl"))
        createdAt = try row.moment("createdAt")
        lastLoginAt = try row.moment("lastSignedInAt")
        isDisabled = try row.flag("disabled") ?? false
        try setClaims(try row.text("customAttributes"))
        try setPhoneNumber(try row.text("phoneNumber"))
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
        let problem = "passwordHash is none of this algorithm"
        // A digest as hexadecimal text is text in base64, too, of another length.
        switch scheme {
        case .hmac, .digest:
            guard scheme.takes(Array(hash.utf8)) else { break }
            guard let salt = ImportedAccount.decode(salt ?? "") else { throw Fault("salt is not base64") }
            return try ImportedPassword(Array(hash.utf8), salt: salt, scheme, problem: problem)
        default: break
        }
        return try firebase(hash, salt, scheme)
    }
}

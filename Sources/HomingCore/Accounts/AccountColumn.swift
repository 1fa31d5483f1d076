// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingLinkRules
import HomingStore
import HomingWire

/// A column of the table of accounts beside project and id, declared once in ``all``: `SELECT`, `INSERT`, `UPDATE` and
/// decoding are made from it, and of a text that files carry the imports and the exports as well.
///
/// A new one is a property of ``Account``, a line here, and a migration.
struct AccountColumn: Sendable {
    let name: String
    /// What the account's row keeps.
    let value: @Sendable (Account) -> Value
    /// Takes the next value of a row.
    let read: @Sendable (inout Account, inout Row) throws -> Void
    let text: AccountText?

    private init(
        _ name: String, _ value: @escaping @Sendable (Account) -> Value, text: AccountText? = nil,
        read: @escaping @Sendable (inout Account, inout Row) throws -> Void
    ) {
        self.name = name
        self.value = value
        self.read = read
        self.text = text
    }

    /// In the order in which statements name them.
    static let all: [AccountColumn] = [
        AccountColumn("email", { ($0.email?.text).bound }) {
            $0.email = try $1.optionalText().map { EmailAddress(stored: $0) }
        },
        AccountColumn("email_verified", { $0.isEmailVerified.bound }) { $0.isEmailVerified = try $1.bool() },
        AccountColumn("email_link", { $0.usesEmailLink.bound }) { $0.usesEmailLink = try $1.bool() },
        AccountColumn("password_hash", { $0.passwordHash.bound }) { $0.passwordHash = try $1.optionalText() },
        AccountColumn("password_updated_at", { $0.passwordUpdatedAt.bound }) {
            $0.passwordUpdatedAt = try $1.optionalMoment()
        },
        AccountColumn("valid_since", { $0.validSince.bound }) { $0.validSince = try $1.int() },
        AccountColumn("created_at", { $0.createdAt.bound }) { $0.createdAt = try $1.moment() },
        AccountColumn("last_login_at", { $0.lastLoginAt.bound }) { $0.lastLoginAt = try $1.optionalMoment() },
        AccountColumn("last_refresh_at", { $0.lastRefreshAt.bound }) { $0.lastRefreshAt = try $1.optionalMoment() },
        AccountColumn("disabled", { $0.isDisabled.bound }) { $0.isDisabled = try $1.bool() },
        AccountColumn("display_name", { $0.displayName.bound }, text: .displayName) {
            $0.displayName = try $1.optionalText()
        },
        AccountColumn("photo_url", { $0.photoURL.bound }, text: .photoURL) { $0.photoURL = try $1.optionalText() },
        AccountColumn("custom_attributes", { $0.customAttributes.bound }, text: .customAttributes) {
            $0.customAttributes = try $1.optionalText()
        },
        AccountColumn("initial_email", { $0.initialEmail.bound }) { $0.initialEmail = try $1.optionalText() },
        AccountColumn("custom_auth", { $0.usesCustomTokens.bound }) { $0.usesCustomTokens = try $1.bool() },
        AccountColumn("phone_number", { $0.phoneNumber.bound }, text: .phoneNumber) {
            $0.phoneNumber = try $1.optionalText()
        },
        AccountColumn("identities", { AccountIdentity.text(of: $0.identities).bound }) {
            $0.identities = try $1.optionalText().map { try AccountIdentity.read($0) } ?? []
        },
        AccountColumn("language", { $0.language.bound }) { $0.language = try $1.optionalText() },
    ]

    /// Those in which two states of an account differ, with what the second one keeps.
    static func changes(from before: Account, to after: Account) -> [(name: String, value: Value)] {
        var changes: [(name: String, value: Value)] = []
        let columns = all
        // In place: to copy a column costs more than to read one.
        for index in columns.indices {
            let value = columns[index].value(after)
            if value != columns[index].value(before) { changes.append((columns[index].name, value)) }
        }
        return changes
    }
}

extension Account {
    /// Of a row: the id and every other column.
    static let columns = SQL(stringLiteral: (["id"] + AccountColumn.all.map(\.name)).joined(separator: ", "))

    /// Reads a row of these columns, one after the other.
    init(_ row: consuming Row) throws {
        self.init(newWithID: try row.id(), at: Moment(milliseconds: 0))
        let columns = AccountColumn.all
        // In place, too.
        for index in columns.indices { try columns[index].read(&self, &row) }
    }

    /// What the row keeps, in the order of the columns.
    var values: [Value] { [id.bound] + AccountColumn.all.map { $0.value(self) } }
}

/// A text of an account that files carry: an import takes it, an export writes it, under one name. A file that says
/// nothing of it takes nothing away.
package struct AccountText: Sendable {
    /// The member in files and in the API.
    package let member: String
    /// A sentence for whoever reads what the API takes and answers.
    package let meaning: String
    package let place: any WritableKeyPath<Account, String?> & Sendable
    /// Whether it tells who somebody is, so that an erased account leaves it in no trace.
    package let isPersonal: Bool
    /// Whether it may carry permissions. Without such a text somebody would come with other rights than they had, so
    /// that one that cannot be kept is never left out of a file.
    package let mayPermit: Bool
    /// Whether the operator alone changes it, and the person does not.
    package let isOperators: Bool
    /// The text as it is kept.
    package let checked: @Sendable (String) throws(ImportedAccount.Fault) -> String

    private init(
        _ member: String, _ meaning: String, _ place: any WritableKeyPath<Account, String?> & Sendable,
        isPersonal: Bool = false, mayPermit: Bool = false, isOperators: Bool = false,
        checked: @escaping @Sendable (String) throws(ImportedAccount.Fault) -> String
    ) {
        self.member = member
        self.meaning = meaning
        self.place = place
        self.isPersonal = isPersonal
        self.mayPermit = mayPermit
        self.isOperators = isOperators
        self.checked = checked
    }

    package static let all = AccountColumn.all.compactMap(\.text)

    package static let displayName = AccountText(
        "displayName", "The name that people read.", \.displayName, isPersonal: true
    ) { (text) throws(ImportedAccount.Fault) in
        guard text.unicodeScalars.count <= 256 else { throw .init("displayName has more than 256 characters") }
        return text
    }

    package static let photoURL = AccountText("photoUrl", "The URL of a picture.", \.photoURL) {
        (text) throws(ImportedAccount.Fault) in
        guard text.utf8.count <= 2048 else { throw .init("photoUrl has more than 2048 bytes") }
        return text
    }

    package static let customAttributes = AccountText(
        "customAttributes", "Claims for tokens, as JSON in a text of at most 1,000 bytes.", \.customAttributes,
        mayPermit: true, isOperators: true
    ) { (text) throws(ImportedAccount.Fault) in
        try ImportedAccount.checkClaims(text)
        return text
    }

    package static let phoneNumber = AccountText(
        "phoneNumber", "A number in the form of E.164. It is data: nobody signs in with it.", \.phoneNumber,
        isPersonal: true, isOperators: true
    ) { (text) throws(ImportedAccount.Fault) in
        guard let number = try? PhoneNumber.parse(text) else { throw .init("phone number format is invalid") }
        return number
    }
}

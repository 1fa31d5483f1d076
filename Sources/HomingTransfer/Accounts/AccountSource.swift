// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingStore

/// The system that accounts come from, which decides how its file is read.
package enum AccountSource: String, Sendable, Codable, CaseIterable {
    case firebase, supabase, auth0, cognito, keycloak, django, csv

    /// How a file that begins with a brace holds its accounts: in this member of the one object that it is; nil where
    /// each account is an object of its own, line by line.
    var member: String? {
        switch self {
        case .firebase, .keycloak: "users"
        case .cognito: "Users"
        case .supabase, .auth0, .django, .csv: nil
        }
    }

    /// Whether there are such files in JSON.
    var writesJSON: Bool { self != .csv }

    /// Whether there are such files as comma-separated values.
    var writesCSV: Bool { self != .keycloak && self != .django }

    /// What may be somebody's id, the first one first.
    var idColumns: [String] {
        switch self {
        case .firebase: ["localId"]
        case .supabase, .keycloak, .csv: ["id"]
        case .auth0: ["user_id", "alt_id", "_id", "email"]
        case .cognito: ["sub", "cognito:username", "Username"]
        case .django: ["pk"]
        }
    }

    /// The columns of its CSV that are understood, by their names there.
    package var columns: [String] {
        switch self {
        case .csv: AccountColumns.fields
        case .supabase: ImportedAccount.supabaseColumns
        case .auth0: ImportedAccount.auth0Columns
        case .cognito: ImportedAccount.cognitoNames.sorted()
        case .firebase, .keycloak, .django: []
        }
    }

    /// Whether the file says by itself how its hashes were made.
    package var namesItsHashes: Bool { self != .firebase && self != .csv }
}

/// How the accounts of one file are read.
struct AccountReading: Sendable {
    var source = AccountSource.firebase
    /// Whether it is a file, whose people come without what only says more about them and cannot be kept. A back end
    /// that sends accounts to the API is told of it instead, as at Google.
    var isFile = true
    /// How the hashes were made, as the operator says; nil where nobody does.
    var scheme: PasswordScheme?
    /// The same as the file says, by the names that its accounts have for it.
    var schemes: [String: PasswordScheme] = [:]
    /// What those whose password is no hash here are asked about; nil where nobody is.
    var oldSystem: OldSystem?
    /// The names that a file of Homing's own has for passwords that an old system verifies.
    var oldSystemNames: Set<String> = []
    /// Whether an account whose password cannot be verified is taken without it.
    var takesWithoutPassword = false
    /// Whether an account whose address is none is taken without it.
    var takesWithoutAddress = false
    /// When it is read: a ban that has ended keeps nobody out.
    var now = Moment(milliseconds: 0)

    /// The scheme that an account names; the operator's where it names none.
    func scheme(named name: String?) throws(ImportedAccount.Fault) -> PasswordScheme? {
        guard let name else { return scheme }
        guard let scheme = schemes[name] else {
            throw ImportedAccount.Fault("hashConfig is none of the file's hashConfigs")
        }
        return scheme
    }

    /// The account of a record; nil where the record is no person's.
    func account(_ record: AccountRecord) throws(ImportedAccount.Fault) -> ImportedAccount? {
        guard var account = try person(record) else { return nil }
        complete(&account)
        return account
    }

    /// Has the old system asked about whoever has an address and no hash. A file of Homing's own says by itself who
    /// that is.
    func complete(_ account: inout ImportedAccount) {
        guard let oldSystem, !account.hasPassword, account.email != nil, schemes.isEmpty, oldSystemNames.isEmpty
        else { return }
        account.setPassword(of: oldSystem)
    }

    private func person(_ record: AccountRecord) throws(ImportedAccount.Fault) -> ImportedAccount? {
        switch source {
        case .firebase: try ImportedAccount(file: record.object, self)
        case .supabase: try ImportedAccount(supabase: record, self)
        case .auth0: try ImportedAccount(auth0: record, self)
        case .cognito: try ImportedAccount(cognito: record, self)
        case .keycloak:
            record.value("serviceAccountClientId") == nil ? try ImportedAccount(keycloak: record, self) : nil
        case .django: record.isDjangoUser ? try ImportedAccount(django: record, self) : nil
        case .csv: try ImportedAccount(columns: record, self)
        }
    }

    /// What a report calls the account.
    func name(of record: AccountRecord) -> String {
        for name in source.idColumns {
            if let text = (try? record.text(name)) ?? nil { return text }
        }
        return ""
    }
}

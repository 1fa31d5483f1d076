// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

extension ImportedAccount {
    /// What a user has that is understood, or says nothing of its own.
    static let cognitoNames: Set<String> = [
        "sub", "cognito:username", "email", "email_verified", "name", "given_name", "family_name", "picture", "enabled",
        "created", "phone_number", "phone_number_verified", "updated_at", "cognito:mfa_enabled", "identities",
        "cognito:user_status", "mfa",
    ]

    /// A row in the columns of `get-csv-header`, or a user of `list-users`
    /// (https://docs.aws.amazon.com/cli/latest/reference/cognito-idp/list-users.html). Cognito gives no hashes to
    /// anybody.
    ///
    /// The id is `sub`, which its tokens carry, where the file has it, and the name of the user elsewhere.
    init(cognito record: AccountRecord, _ reading: AccountReading) throws(Fault) {
        let user = try record.flatCognitoUser()
        try self.init(id: try user.text(oneOf: ["sub", "cognito:username"]), named: "sub or cognito:username")
        let address = try user.text("email")
        try setEmail(address, orName: try user.text("cognito:username"), for: reading)
        let isProven = try user.flag("email_verified") ?? false
        isEmailVerified = address != nil && isProven
        try set(.displayName, for: reading) { () throws(Fault) in
            let (name, parts) = (try user.text("name"), try user.name("given_name", "family_name"))
            return name ?? parts
        }
        try set(.photoURL, for: reading) { () throws(Fault) in try user.text("picture") }
        try setCreation(for: reading) { () throws(Fault) in try user.moment("created") }
        isDisabled = try user.flag("enabled") == false
        try setPhoneNumber(for: reading) { () throws(Fault) in try user.text("phone_number") }
        if try user.flag("cognito:mfa_enabled") == true || user.value("mfa") != nil { notKept.append("mfaInfo") }
        for identity in try user.records("identities") {
            notKept.append(try identity.text("providerName") ?? "identities")
        }
        notKept += user.names(except: Self.cognitoNames)
    }
}

extension AccountRecord {
    /// The user with its attributes as members, as a row has them.
    fileprivate func flatCognitoUser() throws(Fault) -> AccountRecord {
        let attributes = try records(value("Attributes") == nil ? "UserAttributes" : "Attributes")
        guard !attributes.isEmpty || value("Username") != nil else { return self }
        var members: [(String, JSON)] = []
        for attribute in attributes {
            if let name = try attribute.text("Name") { members.append((name, attribute.object["Value"] ?? .null)) }
        }
        for (name, own) in [
            ("Username", "cognito:username"), ("Enabled", "enabled"), ("UserCreateDate", "created"),
            ("MFAOptions", "mfa"), ("UserMFASettingList", "mfa"),
        ] {
            if let value = value(name) { members.append((own, value)) }
        }
        return AccountRecord(JSON.Object(members))
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    private static let attributes = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD",
        "RAW_USER_INFO",
    ]

    /// `accounts:update`: applies a code, or changes the account of a token or, for a back end, of an id.
    mutating func update(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let body = call.body
        for name in ["provider", "upgradeToFederatedLogin"] where try body.has(name) {
            throw Fault.notImplemented("\(name) is not implemented yet.")
        }
        let token = try body.text("idToken")
        let code = try body.text("oobCode")
        if call.isPrivileged {
            guard try body.text("localId") != nil else { throw Fault("MISSING_LOCAL_ID") }
            if let claims = try body.text("customAttributes") { try Rules.claims(claims) }
        } else {
            guard token != nil || code != nil else {
                throw Fault("INVALID_REQ_TYPE : Unsupported request parameters.")
            }
            guard try !body.has("customAttributes") else { throw Fault.insufficientPermission }
            // Firebase's emulator takes them from an app. Here they are a back end's, and nobody believes they were
            // kept.
            guard try !body.has("mfa") else { throw Fault("UNEXPECTED_PARAMETER : mfa") }
        }
        if let code { return try apply(code, call) }

        var account: Account
        var provider = "password"
        if let token {
            (account, provider) = try signedIn(by: token, call)
            guard try !body.has("disableUser") else { throw Fault("OPERATION_NOT_ALLOWED") }
        } else {
            guard let id = try body.text("localId"), let found = self[call.place][id] else {
                throw Fault("USER_NOT_FOUND")
            }
            account = found
        }
        let endsSessions = try change(&account, provider: provider, call)
        try deleteAttributes(of: &account, body)
        try link(body, to: &account)
        self[call.place].put(account)

        let hasNewPassword = try body.text("password") != nil
        // Whoever has a password now has signed in by it, whatever the token of before says.
        if hasNewPassword { provider = "password" }
        let signsIn = endsSessions && (token != nil || hasNewPassword)
        let tokens = signsIn ? issueTokens(for: account.id, provider: provider, in: call.place) : []
        return answer(self[call.place][account.id] ?? account, newEmail: try body.text("email")?.lowercased(), tokens)
    }

    private func answer(_ account: Account, newEmail: String?, _ tokens: [(String, JSON?)] = []) -> JSON {
        .object(
            [
                ("kind", Rules.kind("SetAccountInfoResponse")), ("localId", .string(account.id)),
                ("emailVerified", account.isEmailVerified.map { .bool($0) }),
                ("providerUserInfo", account.providersJSON), ("email", account.email.map { .string($0) }),
                ("displayName", account.displayName.map { .string($0) }),
                ("photoUrl", account.photoURL.map { .string($0) }), ("newEmail", newEmail.map { .string($0) }),
                ("passwordHash", account.passwordHash.map { .string($0) }),
            ] + tokens)
    }

    /// - Returns: whether the account's sessions end.
    private mutating func change(
        _ account: inout Account, provider: String, _ call: Call
    ) throws(Fault) -> Bool {
        let body = call.body
        var endsSessions = try body.has("validSince")
        if let text = try body.text("email") {
            let email = try Rules.address(text)
            if email != account.email {
                guard self[call.place].account(email: email) == nil else { throw Fault("EMAIL_EXISTS") }
                if let before = account.email, provider != "anonymous" {
                    account.initialEmail = account.initialEmail ?? before
                    makeCode("RECOVER_EMAIL", for: account.initialEmail ?? before, in: call.place)
                }
                account.email = email
                account.isEmailVerified = false
                endsSessions = true
            }
        }
        if let password = try body.text("password") {
            account.setPassword(try Rules.password(password), salt: Self.newSalt(), at: now)
            endsSessions = true
        }
        if endsSessions { account.validSince = now / 1000 }
        if let name = try body.string("displayName") { account.displayName = name.isEmpty ? nil : name }
        if let url = try body.string("photoUrl") { account.photoURL = url.isEmpty ? nil : url }
        if call.isPrivileged { try changePrivileged(&account, call) }
        return endsSessions
    }

    /// What only a back end may change; in an app's request it is ignored.
    private mutating func changePrivileged(_ account: inout Account, _ call: Call) throws(Fault) {
        let body = call.body
        if let disables = try body.bool("disableUser") { account.isDisabled = disables }
        if let phone = try body.text("phoneNumber"), phone != account.phoneNumber {
            _ = try Rules.phoneNumber(phone)
            guard self[call.place].account(phone: phone) == nil else { throw Fault("PHONE_NUMBER_EXISTS") }
            account.phoneNumber = phone
        }
        if let isVerified = try body.bool("emailVerified") { account.isEmailVerified = isVerified }
        if let claims = try body.text("customAttributes") { account.customAttributes = claims }
        if let moment = try body.integer("createdAt") { account.createdAt = moment }
        if let moment = try body.integer("lastLoginAt") { account.lastLoginAt = moment }
        if let moment = try body.integer("validSince") { account.validSince = moment }
        if let factors = try body.body("mfa") {
            let entries = try factors.bodies("enrollments") ?? []
            account.secondFactors = entries.isEmpty ? nil : try SecondFactors.taken(entries, makesIDs: false)
        }
    }

    private func deleteAttributes(of account: inout Account, _ body: Body) throws(Fault) {
        for text in try body.strings("deleteAttribute") {
            let name = Int(text).flatMap { Self.attributes.indices.contains($0) ? Self.attributes[$0] : nil } ?? text
            switch name {
            case "USER_ATTRIBUTE_NAME_UNSPECIFIED": break
            case "DISPLAY_NAME": account.displayName = nil
            case "PHOTO_URL": account.photoURL = nil
            case "PASSWORD": (account.passwordHash, account.salt) = (nil, nil)
            case "EMAIL": (account.email, account.isEmailVerified, account.usesEmailLink) = (nil, nil, false)
            case "PROVIDER", "RAW_USER_INFO": throw Fault.notImplemented("deleteAttribute: \(name)")
            default: throw Fault.payload("/deleteAttribute must be equal to one of the allowed values")
            }
        }
        for provider in try body.strings("deleteProvider") {
            switch provider {
            case "password":
                (account.email, account.isEmailVerified, account.usesEmailLink) = (nil, nil, false)
                (account.passwordHash, account.salt) = (nil, nil)
            case "phone": account.phoneNumber = nil
            default: account.unlink(provider)
            }
        }
    }

    /// Links an account of another provider, as data.
    private func link(_ body: Body, to account: inout Account) throws(Fault) {
        guard let info = try body.body("linkProviderUserInfo") else { return }
        guard let provider = try info.text("providerId") else { throw Fault("MISSING_PROVIDER_ID") }
        guard let raw = try info.text("rawId") else { throw Fault("MISSING_RAW_ID") }
        var entry = JSON.Object([("providerId", .string(provider)), ("rawId", .string(raw))])
        for name in ["displayName", "photoUrl", "email", "federatedId", "screenName", "phoneNumber"] {
            if let text = try info.text(name) { entry[name] = .string(text) }
        }
        account.link(entry)
    }

    // MARK: Codes

    private mutating func apply(_ text: String, _ call: Call) throws(Fault) -> JSON {
        guard let code = self[call.place].code(text) else { throw Fault("INVALID_OOB_CODE") }
        let account = try apply(code, in: call.place)
        return answer(account, newEmail: code.kind == "VERIFY_AND_CHANGE_EMAIL" ? code.newEmail : nil)
    }

    /// Applies a verification, a change or a recovery of an address.
    mutating func apply(_ code: AccountSpace.Code, in place: Place) throws(Fault) -> Account {
        var account: Account
        switch code.kind {
        case "VERIFY_EMAIL":
            self[place].spend(code)
            account = try owner(of: self[place].account(email: code.email))
        case "VERIFY_AND_CHANGE_EMAIL":
            self[place].spend(code)
            account = try owner(of: self[place].account(email: code.email))
            guard let email = code.newEmail, self[place].account(email: email) == nil else {
                throw Fault("EMAIL_EXISTS")
            }
            account.email = email
        case "RECOVER_EMAIL":
            self[place].spend(code)
            account = try owner(of: self[place].account(initialEmail: code.email))
            guard self[place].account(email: code.email) == nil else { throw Fault("EMAIL_EXISTS") }
            account.email = code.email
        default: throw Fault.notImplemented(code.kind)
        }
        account.isEmailVerified = true
        self[place].put(account)
        return self[place][account.id] ?? account
    }

    private func owner(of account: Account?) throws(Fault) -> Account {
        guard let account else { throw Fault("INVALID_OOB_CODE") }
        return account
    }
}

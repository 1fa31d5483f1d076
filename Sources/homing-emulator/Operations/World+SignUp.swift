// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// `accounts:signUp` of an app, and `projects/{project}/accounts` of a back end.
    mutating func signUp(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let body = call.body
        let hasToken = try body.text("idToken") != nil
        if try body.text("localId") != nil, hasToken || !call.isPrivileged {
            throw Fault("UNEXPECTED_PARAMETER : User ID")
        }
        var isAnonymous = false
        var account = Account(id: Self.randomText(28))
        if call.isPrivileged {
            try takePrivileged(body, into: &account, in: call.place)
        } else {
            guard try body.array("mfaInfo")?.isEmpty ?? true else { throw Fault("UNEXPECTED_PARAMETER : mfaInfo") }
            isAnonymous = try checkSignUp(call, hasToken: hasToken)
        }
        let email = try newAddress(call)
        let password = try body.text("password").map { text throws(Fault) in try Rules.password(text) }
        if let token = try body.text("idToken") {
            let here = try signedIn(by: token, call).account
            account = here
        } else {
            account.tenant = call.place.tenant
            account.createdAt = now
            account.lastLoginAt = now
        }
        if !isAnonymous, !call.isPrivileged || hasToken {
            account.displayName = try body.text("displayName") ?? account.displayName
            account.isEmailVerified = false
        }
        if let email { account.email = email }
        if let password {
            account.setPassword(password, salt: Self.newSalt(), at: now)
            account.validSince = now / 1000
        }
        self[call.place].put(account)
        let tokens =
            call.isPrivileged
            ? [] : issueTokens(for: account.id, provider: isAnonymous ? "anonymous" : "password", in: call.place)
        return .object(
            [
                ("kind", Rules.kind("SignupNewUserResponse")), ("localId", .string(account.id)),
                ("displayName", account.displayName.map { .string($0) }),
                ("email", account.email.map { .string($0) }),
            ] + tokens)
    }

    /// What only a back end may say of an account.
    private func takePrivileged(_ body: Body, into account: inout Account, in place: Place) throws(Fault) {
        if let id = try body.text("localId") {
            guard self[place][id] == nil else { throw Fault("DUPLICATE_LOCAL_ID") }
            account = Account(id: id)
        }
        account.displayName = try body.text("displayName")
        account.photoURL = try body.text("photoUrl")
        account.isEmailVerified = try body.bool("emailVerified") ?? false
        if let phone = try body.text("phoneNumber") {
            account.phoneNumber = try Rules.phoneNumber(phone)
            guard self[place].account(phone: phone) == nil else { throw Fault("PHONE_NUMBER_EXISTS") }
        }
        if try body.bool("disabled") == true { account.isDisabled = true }
        if let factors = try body.bodies("mfaInfo") {
            account.secondFactors = try SecondFactors.taken(factors, makesIDs: true)
        }
    }

    /// - Returns: whether the account is to be anonymous.
    private mutating func checkSignUp(_ call: Call, hasToken: Bool) throws(Fault) -> Bool {
        let rules = rules(of: call.place)
        let (email, password) = (try call.body.text("email"), try call.body.text("password"))
        guard hasToken || email != nil || password != nil else {
            // An address that is there and empty is a mistake.
            guard try call.body.string("email") == nil else { throw Fault("INVALID_EMAIL") }
            guard rules.allowsAnonymous else { throw Fault("ADMIN_ONLY_OPERATION") }
            return true
        }
        guard email != nil else { throw Fault("MISSING_EMAIL") }
        guard password != nil else { throw Fault("MISSING_PASSWORD") }
        guard rules.allowsPasswords else { throw Fault("OPERATION_NOT_ALLOWED") }
        return false
    }

    private func newAddress(_ call: Call) throws(Fault) -> String? {
        guard let text = try call.body.text("email") else { return nil }
        let email = try Rules.address(text)
        guard self[call.place].account(email: email) == nil else { throw Fault("EMAIL_EXISTS") }
        return email
    }
}

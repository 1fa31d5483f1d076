// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// `accounts:signInWithPassword`.
    mutating func signInWithPassword(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let body = call.body
        guard rules(of: call.place).allowsPasswords else { throw Fault("PASSWORD_LOGIN_DISABLED") }
        guard let text = try body.string("email") else { throw Fault("MISSING_EMAIL") }
        let email = try Rules.address(text)
        guard let password = try body.text("password") else { throw Fault("MISSING_PASSWORD") }
        for name in ["captchaResponse", "captchaChallenge"] where try body.has(name) {
            throw Fault.notImplemented("captcha unimplemented")
        }
        for name in ["idToken", "pendingIdToken"] where try body.has(name) {
            throw Fault.notImplemented(
                "idToken / pendingIdToken is no longer in use and unsupported by the Auth Emulator.")
        }
        let hides = self[config: call.place.project].hidesAddresses
        guard var account = self[call.place].account(email: email) else {
            throw Fault(hides ? "INVALID_LOGIN_CREDENTIALS" : "EMAIL_NOT_FOUND")
        }
        guard account.isDisabled != true else { throw Fault("USER_DISABLED") }
        guard account.hasPassword(password) else {
            throw Fault(hides ? "INVALID_LOGIN_CREDENTIALS" : "INVALID_PASSWORD")
        }
        account.lastLoginAt = now
        self[call.place].put(account)
        return .object(
            [
                ("kind", Rules.kind("VerifyPasswordResponse")), ("registered", true), ("localId", .string(account.id)),
                ("email", .string(email)),
            ] + issueTokens(for: account.id, provider: "password", in: call.place))
    }

    /// `accounts:signInWithEmailLink`.
    mutating func signInWithEmailLink(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let body = call.body
        guard rules(of: call.place).allowsEmailLinks else { throw Fault("OPERATION_NOT_ALLOWED") }
        let person = try body.text("idToken").map { token throws(Fault) in try signedIn(by: token, call).account }
        guard let text = try body.text("email") else { throw Fault("MISSING_EMAIL") }
        guard let codeText = try body.text("oobCode") else { throw Fault("MISSING_OOB_CODE") }
        guard let code = self[call.place].code(codeText), code.kind == "EMAIL_SIGNIN" else {
            throw Fault("INVALID_OOB_CODE")
        }
        let email = text.lowercased()
        guard code.email.lowercased() == email else {
            throw Fault("INVALID_EMAIL : The email provided does not match the sign-in email address.")
        }
        self[call.place].spend(code)
        let owner = self[call.place].account(email: email)
        if let owner {
            guard owner.isDisabled != true else { throw Fault("USER_DISABLED") }
            guard person == nil || person?.id == owner.id else { throw Fault("EMAIL_EXISTS") }
        }
        var account = person ?? owner ?? newAccount(Self.randomText(28), in: call.place)
        account.email = email
        account.isEmailVerified = true
        account.usesEmailLink = true
        account.lastLoginAt = now
        self[call.place].put(account)
        return .object(
            [
                ("kind", Rules.kind("EmailLinkSigninResponse")), ("email", .string(email)),
                ("localId", .string(account.id)), ("isNewUser", .bool(person == nil && owner == nil)),
            ] + issueTokens(for: account.id, provider: "password", in: call.place))
    }

    private func newAccount(_ id: String, in place: Place) -> Account {
        var account = Account(id: id)
        account.tenant = place.tenant
        account.createdAt = now
        account.lastLoginAt = now
        return account
    }

    /// `accounts:signInWithCustomToken`: an unsigned token, or just its claims as JSON.
    mutating func signInWithCustomToken(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        guard let token = try call.body.text("token") else { throw Fault("MISSING_CUSTOM_TOKEN") }
        let claims = try Self.customClaims(token, in: call.place)
        guard let id = Self.text(claims["uid"] ?? claims["user_id"]), !id.isEmpty else {
            throw Fault("MISSING_IDENTIFIER")
        }
        var extraClaims = JSON.Object()
        if let given = claims["claims"] {
            guard let object = given.objectValue else { throw Fault("INVALID_CLAIMS") }
            if let name = Rules.forbiddenClaim(in: object) { throw Fault("FORBIDDEN_CLAIM : \(name)") }
            extraClaims = object
        }
        let present = self[call.place][id]
        guard present?.isDisabled != true else { throw Fault("USER_DISABLED") }
        var account = present ?? newAccount(id, in: call.place)
        account.hasCustomAuth = true
        account.lastLoginAt = now
        self[call.place].put(account)
        return .object(
            [("kind", Rules.kind("VerifyCustomTokenResponse")), ("isNewUser", .bool(present == nil))]
                + issueTokens(for: id, provider: "custom", extraClaims: extraClaims, in: call.place))
    }

    private static let customTokenAudience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    private static func customClaims(_ token: String, in place: Place) throws(Fault) -> JSON.Object {
        if token.hasPrefix("{") {
            guard let claims = (try? JSON.parse(Array(token.utf8)))?.objectValue else {
                throw Fault(
                    "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom tokens.))")
            }
            return claims
        }
        guard let claims = Tokens.claims(of: token) else {
            throw Fault("INVALID_CUSTOM_TOKEN : Invalid assertion format")
        }
        if let tenant = place.tenant, claims["tenant_id"]?.stringValue != tenant { throw Fault("TENANT_ID_MISMATCH") }
        let audience = claims["aud"]?.stringValue ?? ""
        guard audience == customTokenAudience else {
            throw Fault(
                "INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): \(audience) Note: Firebase ID Tokens / "
                    + "third-party tokens cannot be used with signInWithCustomToken.))")
        }
        return claims
    }

    private static func text(_ value: JSON?) -> String? {
        switch value {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .bool(let flag): String(flag)
        default: nil
        }
    }
}

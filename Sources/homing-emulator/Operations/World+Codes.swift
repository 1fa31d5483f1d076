// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    /// The kinds of codes by their numbers on the wire.
    private static let kinds = [
        "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "VERIFY_EMAIL",
        "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "REVERT_SECOND_FACTOR_ADDITION",
    ]

    /// `accounts:sendOobCode`: makes a code, which tests read from a list; nothing is mailed.
    mutating func sendOobCode(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        let body = call.body
        guard let kind = try body.name("requestType", of: Self.kinds), kind != Self.kinds[0] else {
            throw Fault("MISSING_REQ_TYPE")
        }
        let returnsLink = try body.bool("returnOobLink") ?? false
        guard call.isPrivileged || !returnsLink else { throw Fault.insufficientPermission }
        let url = try body.text("continueUrl")
        if let url, !Rules.isAbsoluteURL(url) {
            throw Fault("INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))")
        }
        var email: String
        var newEmail: String?
        switch kind {
        case "EMAIL_SIGNIN":
            guard rules(of: call.place).allowsEmailLinks else { throw Fault("OPERATION_NOT_ALLOWED") }
            email = try Rules.address(wanted(body.text("email")))
        case "PASSWORD_RESET":
            email = try wanted(body.text("email")).lowercased()
            guard self[call.place].account(email: email) != nil else {
                guard self[config: call.place.project].hidesAddresses else { throw Fault("EMAIL_NOT_FOUND") }
                return Self.answer(email)
            }
        case "VERIFY_EMAIL":
            email = try address(of: call, returnsLink: returnsLink, missingToken: "INVALID_ID_TOKEN")
        case "VERIFY_AND_CHANGE_EMAIL":
            guard let text = try body.text("newEmail") else { throw Fault("MISSING_NEW_EMAIL") }
            email = try address(of: call, returnsLink: returnsLink, missingToken: "MISSING_ID_TOKEN")
            guard Rules.isAddress(text) else { throw Fault("INVALID_NEW_EMAIL") }
            newEmail = text.lowercased()
            guard self[call.place].account(email: text.lowercased()) == nil else { throw Fault("EMAIL_EXISTS") }
        default: throw Fault.notImplemented(kind)
        }
        let code = makeCode(kind, for: email, newEmail: newEmail, continuing: url, in: call.place)
        return Self.answer(email, returnsLink ? code : nil)
    }

    private func wanted(_ email: String?) throws(Fault) -> String {
        guard let email else { throw Fault("MISSING_EMAIL") }
        return email
    }

    private static func answer(_ email: String, _ code: AccountSpace.Code? = nil) -> JSON {
        .object([
            ("kind", Rules.kind("GetOobConfirmationCodeResponse")), ("email", .string(email)),
            ("oobCode", code.map { .string($0.text) }), ("oobLink", code.map { .string($0.link) }),
        ])
    }

    /// The address of the account that a request is about: by its address from a back end that wants a link, else by a
    /// token.
    private func address(of call: Call, returnsLink: Bool, missingToken: String) throws(Fault) -> String {
        let token = try call.body.text("idToken")
        if returnsLink, token == nil {
            let email = try wanted(call.body.text("email")).lowercased()
            guard self[call.place].account(email: email) != nil else { throw Fault("USER_NOT_FOUND") }
            return email
        }
        guard let token else { throw Fault(missingToken) }
        return try wanted(signedIn(by: token, call).account.email)
    }

    private static let modes = [
        "PASSWORD_RESET": "resetPassword", "VERIFY_EMAIL": "verifyEmail", "EMAIL_SIGNIN": "signIn",
        "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail", "RECOVER_EMAIL": "recoverEmail",
    ]

    @discardableResult
    mutating func makeCode(
        _ kind: String, for email: String, newEmail: String? = nil, continuing url: String? = nil, in place: Place
    ) -> AccountSpace.Code {
        let text = Self.newCode()
        var link =
            "\(origin)\(ActionPage.path)?mode=\(Self.modes[kind] ?? "")&lang=en&oobCode=\(text)&apiKey=fake-api-key"
        if let url { link += "&continueUrl=\(Self.formEncoded(url))" }
        if let tenant = place.tenant { link += "&tenantId=\(Self.formEncoded(tenant))" }
        let code = AccountSpace.Code(kind: kind, email: email, newEmail: newEmail, text: text, link: link)
        self[place].add(code)
        announcements.append(Self.announcement(of: code))
        return code
    }

    private static func announcement(of code: AccountSpace.Code) -> String {
        switch code.kind {
        case "PASSWORD_RESET":
            "to reset the password for \(code.email), open \(code.link)&newPassword=\(ActionPage.placeholder)"
        case "EMAIL_SIGNIN": "to sign in as \(code.email), open \(code.link)"
        case "VERIFY_EMAIL": "to verify the address \(code.email), open \(code.link)"
        case "VERIFY_AND_CHANGE_EMAIL":
            "to change the address \(code.email) to \(code.newEmail ?? ""), open \(code.link)"
        default: "to take the address \(code.email) back, open \(code.link)"
        }
    }

    /// As forms are written (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
    private static func formEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            if ASCII.isLetterOrDigit(byte) || "*-._".utf8.contains(byte) {
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            } else if byte == UInt8(ascii: " ") {
                encoded += "+"
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// `accounts:resetPassword`: looks at a code, or sets a password with it.
    mutating func resetPassword(_ call: Call) throws(Fault) -> JSON {
        try checkEnabled(call)
        guard rules(of: call.place).allowsPasswords else { throw Fault("PASSWORD_LOGIN_DISABLED") }
        guard let text = try call.body.text("oobCode") else { throw Fault("MISSING_OOB_CODE") }
        guard let code = self[call.place].code(text) else { throw Fault("INVALID_OOB_CODE") }
        if let password = try call.body.text("newPassword") { try reset(by: code, to: password, in: call.place) }
        return .object([
            ("kind", Rules.kind("ResetPasswordResponse")), ("requestType", .string(code.kind)),
            // Whoever found a sign-in link must not learn for whom it is.
            ("email", code.kind == "EMAIL_SIGNIN" ? nil : .string(code.email)),
            ("newEmail", code.newEmail.map { .string($0) }),
        ])
    }

    mutating func reset(by code: AccountSpace.Code, to password: String, in place: Place) throws(Fault) {
        guard code.kind == "PASSWORD_RESET" else { throw Fault("INVALID_OOB_CODE") }
        let password = try Rules.password(password)
        self[place].spend(code)
        guard var account = self[place].account(email: code.email) else { throw Fault("INVALID_OOB_CODE") }
        account.isEmailVerified = true
        account.setPassword(password, salt: Self.newSalt(), at: now)
        account.validSince = now / 1000
        account.unlinkAll()
        self[place].put(account)
    }
}

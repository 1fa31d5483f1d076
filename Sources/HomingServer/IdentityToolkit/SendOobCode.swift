// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:sendOobCode` of a client app: mails a link. Checks in production's order.
    static func sendOobCode(_ context: ProjectContext) async throws -> JSON {
        let kind = try requestedKind(context.fields)
        if try context.fields.bool("returnOobLink") == true { throw Refusal.insufficientPermission("") }
        let settings = try actionCodeSettings(context.fields, in: context.project)
        let challenge = try challenge(context.fields)
        try await context.homing.actionCodes.allowMail(from: context.caller, in: context.project)
        var request = ActionCodes.Request(
            project: context.project, kind: kind, subject: try await subject(kind, context),
            newAddress: try newAddress(kind, context.fields), settings: settings, language: context.language,
            device: context.device)
        request.challenge = challenge
        request.asked = context.asked
        return answer(try await context.homing.actionCodes.request(request))
    }

    /// `accounts:sendOobCode` of the operator's back end: `returnOobLink` answers the link and mails nothing.
    static func sendOobCode(_ context: AdminProjectContext) async throws -> JSON {
        let kind = try requestedKind(context.fields)
        let settings = try actionCodeSettings(context.fields, in: context.project)
        let isMailed = try context.fields.bool("returnOobLink") != true
        if kind == .signIn, !context.project.settings.allowsEmailLink { throw Refusal.emailLinksAreOff }
        let newAddress = try newAddress(kind, context.fields)
        let subject = try await subject(kind, isMailed: isMailed, context)
        var request = ActionCodes.Request(
            project: context.project, kind: kind, subject: subject, newAddress: newAddress, settings: settings,
            language: context.language, isMailed: isMailed, isAdmin: true)
        // Where the person is who asked the back end is not known here.
        request.challenge = try challenge(context.fields)
        if !isMailed { request.authority = context.backEnd.author }
        return answer(try await context.homing.actionCodes.request(request))
    }

    /// The subject of a code, as in production: with `returnOobLink` the address that is named; else, where a mail
    /// verifies or changes an address, the account behind the token, whatever address is named besides.
    private static func subject(
        _ kind: ActionCodeKind, isMailed: Bool, _ context: AdminProjectContext
    ) async throws -> ActionCodes.Subject {
        let token = try context.fields.string("idToken")
        switch kind {
        case .verifyEmail where isMailed || token != nil:
            return .signedIn(
                try await context.homing.sessions.signedIn(idToken: token ?? "", in: context.project))
        case .verifyAndChangeEmail where isMailed:
            guard let token, !token.isEmpty else { throw Refusal.missingIDToken }
            return .signedIn(try await context.homing.sessions.signedIn(idToken: token, in: context.project))
        default: return .address(try context.fields.address("email"))
        }
    }

    private static func answer(_ issued: ActionCodes.Issued) -> JSON {
        .object([
            ("kind", kind("GetOobConfirmationCodeResponse")), ("email", .string(issued.address.text)),
            ("oobCode", issued.code.map { .string($0) }), ("oobLink", issued.link.map { .string($0) }),
            ("requestId", issued.bound.map { .string($0.requestID) }),
            ("matchNumber", issued.bound.map { .string($0.matchNumber) }),
            ("expiresIn", issued.bound.map { .string(String($0.expiresIn)) }),
            ("pressNumber", issued.pressNumber.map { .string($0) }),
        ])
    }

    /// What binds the request to whoever asks. One that is none is refused: the client takes its request for bound.
    private static func challenge(_ fields: Fields) throws(Refusal) -> CodeChallenge? {
        guard let text = try fields.string("codeChallenge") else { return nil }
        return try CodeChallenge(parsing: text, method: try fields.text("codeChallengeMethod"))
    }

    private static func requestedKind(_ fields: Fields) throws -> ActionCodeKind {
        guard let value = try fields.value("requestType") else { throw Refusal.missingRequestType }
        if value == "OOB_REQ_TYPE_UNSPECIFIED" || value == 0 { throw Refusal.invalidRequestType("") }
        if value == "" { throw Refusal.missingRequestType }
        guard let type = ActionRequestType(value) else {
            throw Refusal.invalidEnum(member: "req_type", type: "OobReqType", given: value)
        }
        guard let kind = ActionCodeKind.allCases.first(where: { $0.requestType == type }), kind != .recoverEmail else {
            throw Refusal.invalidRequestType("\(type.name) codes are made by the service itself, or not offered.")
        }
        return kind
    }

    /// The fields of ActionCodeSettings as all clients send them; JS spells the version `androidMinimumVersionCode`.
    private static func actionCodeSettings(
        _ fields: Fields, in project: Project
    ) throws -> ActionCodeSettings {
        var asked = ActionCodeSettings.Asked()
        asked.continueURL = try fields.string("continueUrl")
        asked.handlesCodeInApp = try fields.bool("canHandleCodeInApp") ?? false
        asked.iosBundleID = try fields.anything("iOSBundleId") ?? fields.anything("iosBundleId")
        asked.iosAppStoreID = try fields.anything("iOSAppStoreId") ?? fields.anything("iosAppStoreId")
        asked.androidPackageName = try fields.anything("androidPackageName")
        asked.installsAndroidApp = try fields.anything("androidInstallApp")
        asked.androidMinimumVersion =
            try fields.anything("androidMinimumVersion") ?? fields.anything("androidMinimumVersionCode")
        asked.linkDomain = try fields.text("linkDomain")
        asked.dynamicLinkDomain = try fields.text("dynamicLinkDomain")
        return try ActionCodeSettings(asked, in: project)
    }

    private static func subject(
        _ kind: ActionCodeKind, _ context: ProjectContext
    ) async throws -> ActionCodes.Subject {
        switch kind {
        case .signIn:
            guard context.project.settings.allowsEmailLink else { throw Refusal.emailLinksAreOff }
            return .address(try context.fields.address("email"))
        case .passwordReset, .recoverEmail:
            return .address(try context.fields.address("email"))
        case .verifyEmail:
            // The body's address is ignored: the mail goes to the account's address.
            guard try context.fields.text("idToken") != nil else { throw Refusal.invalidIDToken }
            return .signedIn(try await SignedInContext(context).person)
        case .verifyAndChangeEmail:
            _ = try newAddress(kind, context.fields)
            let person = try await SignedInContext(context).person
            guard person.isRecent(at: context.homing.system.now()) else { throw Refusal.credentialTooOld }
            return .signedIn(person)
        }
    }

    private static func newAddress(_ kind: ActionCodeKind, _ fields: Fields) throws -> EmailAddress? {
        guard kind == .verifyAndChangeEmail else { return nil }
        return try fields.address("newEmail", missing: .missingNewEmail, invalid: .invalidNewEmail)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
//
// The player of the Swift SDK, compiled against its modules as an app is.

import Foundation
import HomingAuth
import HomingLinks

typealias Members = [String: Any]

/// A refusal in this protocol's words.
struct Refused: Error {
    let code: String
    let message: String

    static let unsupported = Refused(code: "player/unsupported", message: "The client has no such call.")
    static let nobody = Refused(code: "auth/no-current-user", message: "Nobody is signed in.")

    init(code: String, message: String) {
        (self.code, self.message) = (code, message)
    }

    init(_ error: any Error, of call: String) {
        guard let error = error as? AuthErrorCode else {
            self.init(code: "links/error", message: error.localizedDescription)
            return
        }
        let name = error.name.dropFirst("ERROR_".count).lowercased().replacingOccurrences(of: "_", with: "-")
        let code =
            switch (error.code, call) {
            case (.unauthorizedDomain, _): "unauthorized-continue-uri"
            case (.missingAndroidPackageName, _): "missing-android-pkg-name"
            // JavaScript names what is wrong with the call, not the link.
            case (.invalidActionCode, "signInWithEmailLink") where error.message.hasPrefix("This is not a sign-in link"):
                "argument-error"
            case (.invalidEmail, "verifyBeforeUpdateEmail"): "invalid-new-email"
            default: name
            }
        self.init(code: "auth/\(code)", message: error.message)
    }
}

@main @MainActor struct Player {
    private var auth = Auth.auth()
    private var store = MemorySessionStore()
    private var pending: PendingAction?

    static func main() async throws {
        var player = Player()
        while let line = readLine() {
            let given = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? Members ?? [:]
            let answer = await player.answer(given["call"] as? String ?? "", given.filter { !($0.value is NSNull) })
            let text = try JSONSerialization.data(withJSONObject: answer)
            FileHandle.standardOutput.write(text + Data("\n".utf8))
        }
    }

    private mutating func answer(_ call: String, _ given: Members) async -> Members {
        do {
            return ["result": try await result(call, given) ?? NSNull()]
        } catch let refused as Refused {
            return ["error": refused.code, "message": refused.message]
        } catch {
            let refused = Refused(error, of: call)
            return ["error": refused.code, "message": refused.message]
        }
    }

    private mutating func result(_ call: String, _ given: Members) async throws -> Any? {
        func text(_ name: String) -> String { given[name] as? String ?? "" }
        let settings = (given["settings"] as? Members).map(Self.settings)
        switch call {
        case "configure": try configure(given)
        case "createUser": return of(try await auth.createUser(withEmail: text("email"), password: text("password")))
        case "signIn": return of(try await auth.signIn(withEmail: text("email"), password: text("password")))
        case "signInAnonymously": return of(try await auth.signInAnonymously())
        case "isSignInLink": return auth.isSignIn(withEmailLink: text("link"))
        case "signInWithEmailLink":
            return of(try await auth.signIn(withEmail: text("email"), link: text("link")))
        case "sendSignInLink":
            try await auth.sendSignInLink(
                toEmail: text("email"), actionCodeSettings: settings ?? ActionCodeSettings())
        case "sendPasswordReset":
            try await auth.sendPasswordReset(withEmail: text("email"), actionCodeSettings: settings)
        case "sendEmailVerification": try await user().sendEmailVerification(with: settings)
        case "verifyBeforeUpdateEmail":
            try await user().sendEmailVerification(
                beforeUpdatingEmail: text("newEmail"), actionCodeSettings: settings)
        case "checkActionCode": return Self.info(try await auth.checkActionCode(text("code")))
        case "verifyPasswordResetCode": return ["email": try await auth.verifyPasswordResetCode(text("code"))]
        case "confirmPasswordReset":
            try await auth.confirmPasswordReset(withCode: text("code"), newPassword: text("newPassword"))
        case "applyActionCode": try await auth.applyActionCode(text("code"))
        case "parseActionLink": return ActionCodeURL(link: text("link")).flatMap(Self.link)
        case "resolveLink": return try await resolved(text("link"))
        case "setLanguage": auth.languageCode = text("code")
        case "validatePassword": return ["isValid": try await auth.validatePassword(text("password")).isValid]
        default:
            if let result = try await ofUser(call, given) { return result }
            return try await ofPending(call, given, settings)
        }
        return nil
    }

    private func ofUser(_ call: String, _ given: Members) async throws -> Any? {
        func text(_ name: String) -> String { given[name] as? String ?? "" }
        let force = given["forceRefresh"] as? Bool ?? false
        switch call {
        case "currentUser": return auth.currentUser.map(Self.described) ?? NSNull()
        case "reload":
            try await user().reload()
            return Self.described(try user())
        case "signOut": try auth.signOut()
        case "deleteUser": try await user().delete()
        case "updatePassword": try await user().updatePassword(to: text("newPassword"))
        case "updateProfile":
            let change = try user().createProfileChangeRequest()
            if let name = given["displayName"] as? String { change.displayName = name }
            if let photo = given["photoURL"] as? String { change.photoURL = URL(string: photo) }
            try await change.commitChanges()
            return Self.described(try user())
        case "linkWithPassword": return of(try await user().link(with: Self.credential(given)))
        case "reauthenticate": try await user().reauthenticate(with: Self.credential(given))
        case "idToken":
            let result = try await user().getIDTokenResult(forcingRefresh: force)
            return ["token": result.token, "claims": result.claims]
        case "idTokens":
            let tokens = try await Self.tokens(of: try user(), given["count"] as? Int ?? 0, forcingRefresh: force)
            return ["distinct": tokens.count]
        default: return nil
        }
        return NSNull()
    }

    nonisolated private static func tokens(
        of user: User, _ count: Int, forcingRefresh: Bool
    ) async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { try await user.getIDToken(forcingRefresh: forcingRefresh) } }
            var tokens: Set<String> = []
            for try await token in group { tokens.insert(token) }
            return tokens
        }
    }

    private mutating func ofPending(
        _ call: String, _ given: Members, _ settings: ActionCodeSettings?
    ) async throws -> Any? {
        let email = given["email"] as? String ?? ""
        switch call {
        case "beginReset":
            return begun(
                try await auth.sendPasswordReset(
                    withEmail: email, actionCodeSettings: settings, finishing: .anywhere))
        case "beginSignIn":
            return begun(
                try await auth.sendSignInLink(
                    toEmail: email, actionCodeSettings: settings ?? ActionCodeSettings(), finishing: .anywhere))
        case "beginVerification":
            return begun(try await user().sendEmailVerification(with: settings, finishing: .anywhere))
        case "typeCode":
            switch try await action().finish(typed: given["code"] as? String ?? "") {
            case .signedIn(let result): return ["user": Self.described(result.user)]
            case .code(let code): return ["code": code]
            case .done: return Members()
            }
        case "waitForPending": return ["state": await state(of: try action(), within: given["seconds"] as? Double ?? 0)]
        case "resumePending":
            pending = auth.pendingActions.first
            return pending.map { action in
                let told: [String: Any?] = [
                    "matchNumber": action.matchNumber, "email": action.email,
                    "operation": Self.name(action.operation), "continueURL": action.continueURL?.absoluteString,
                ]
                return told.compactMapValues { $0 }
            }
        default: throw Refused.unsupported
        }
    }

    // MARK: What a call needs

    private mutating func configure(_ given: Members) throws {
        if given["keepStore"] as? Bool != true { store = MemorySessionStore() }
        pending = nil
        let server = given["server"] as? String ?? "http://localhost"
        guard let endpoint = URL(string: server) else { throw Refused.unsupported }
        let app = HomingApp.configure(
            endpoint: endpoint, apiKey: given["apiKey"] as? String ?? "",
            linkDomains: LinkDomains((given["linkDomain"] as? String).map { ["https://\($0)"] } ?? []),
            transport: URLSessionTransport(timeout: given["timeout"] as? Double ?? 30), sessionStore: store)
        auth = Auth.auth(app: app)
        auth.tenantID = given["tenantId"] as? String
        if let emulator = given["emulator"] as? String {
            let parts = emulator.split(separator: ":").map(String.init)
            auth.useEmulator(withHost: parts[0], port: parts.last.flatMap { Int($0) } ?? 9099)
        }
    }

    private func user() throws -> User {
        guard let user = auth.currentUser else { throw Refused.nobody }
        return user
    }

    private func action() throws -> PendingAction {
        guard let pending else { throw Refused(code: "player/no-request", message: "No request was begun.") }
        return pending
    }

    private mutating func begun(_ action: PendingAction) -> Members {
        pending = action
        return [
            "matchNumber": action.matchNumber, "expiresIn": Int(action.expiresAt.timeIntervalSinceNow.rounded()),
        ]
    }

    private func state(of action: PendingAction, within seconds: Double) async -> String {
        let watch = Task {
            var last = action.state
            for await state in action.states { last = state }
            return last
        }
        let end = Task {
            try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
            watch.cancel()
        }
        let state = await watch.value
        end.cancel()
        return switch state {
        case .pending: "pending"
        case .signedIn: "approved"
        case .done: "done"
        case .declined: "declined"
        case .expired: "expired"
        case .failed: "failed"
        }
    }

    private static func settings(_ given: Members) -> ActionCodeSettings {
        let settings = ActionCodeSettings()
        settings.url = (given["url"] as? String).flatMap { URL(string: $0) }
        settings.handleCodeInApp = given["handleCodeInApp"] as? Bool ?? false
        settings.iOSBundleID = given["iOSBundleId"] as? String
        settings.androidPackageName = given["androidPackageName"] as? String
        settings.androidInstallIfNotAvailable = given["androidInstallApp"] as? Bool ?? false
        settings.androidMinimumVersion = given["androidMinimumVersion"] as? String
        settings.linkDomain = given["linkDomain"] as? String
        return settings
    }

    private static func credential(_ given: Members) -> AuthCredential {
        EmailAuthProvider.credential(
            withEmail: given["email"] as? String ?? "", password: given["password"] as? String ?? "")
    }

    // MARK: What comes back

    private func of(_ result: AuthDataResult) -> Members { Self.described(result.user) }

    private static func described(_ user: User) -> Members {
        let told: [String: Any?] = [
            "uid": user.uid, "email": user.email, "emailVerified": user.isEmailVerified,
            "isAnonymous": user.isAnonymous, "displayName": user.displayName,
            "photoURL": user.photoURL?.absoluteString, "providers": user.providerData.map(\.providerID),
            "tenantId": user.tenantID,
        ]
        return told.compactMapValues { $0 }
    }

    private static func info(_ info: ActionCodeInfo) -> Members {
        // FirebaseAuth calls the address that a person has now the email, the JavaScript SDK the one to come back to.
        let isBack = info.operation == .recoverEmail
        let email = info.email.isEmpty ? nil : info.email
        let told: [String: Any?] = [
            "operation": name(info.operation), "email": isBack ? info.previousEmail : email,
            "previousEmail": isBack ? email : info.previousEmail,
        ]
        return told.compactMapValues { $0 }
    }

    private static func link(_ url: ActionCodeURL) -> Members? {
        guard let operation = name(url.operation) else { return nil }
        let told: [String: Any?] = [
            "operation": operation, "code": url.code, "continueURL": url.continueURL?.absoluteString,
            "languageCode": url.languageCode, "tenantId": url.tenantID,
        ]
        return told.compactMapValues { $0 }
    }

    private static func name(_ operation: ActionCodeOperation) -> String? {
        switch operation {
        case .passwordReset: "PASSWORD_RESET"
        case .verifyEmail: "VERIFY_EMAIL"
        case .emailLink: "EMAIL_SIGNIN"
        case .verifyAndChangeEmail: "VERIFY_AND_CHANGE_EMAIL"
        case .recoverEmail: "RECOVER_EMAIL"
        case .unknown, .revertSecondFactorAddition: nil
        }
    }

    private func resolved(_ text: String) async throws -> Members {
        guard let url = URL(string: text) else { throw Refused.unsupported }
        let link = try await DynamicLinks.dynamicLinks().handleUniversalLink(url)
        var told = Members()
        told["url"] = link?.url?.absoluteString
        told["minimumAppVersion"] = link?.minimumAppVersion
        for (name, value) in link?.utmParametersDictionary ?? [:] {
            told["utm" + name.dropFirst("utm_".count).capitalized] = value
        }
        return told
    }
}

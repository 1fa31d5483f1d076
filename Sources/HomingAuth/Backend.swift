// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient
internal import HomingWire

/// The operations of the wire, one POST each.
struct Backend: Sendable {
    let endpoint: Endpoint
    /// Whether an emulator answers, in whose links another key stands.
    var isEmulator = false

    /// Whether a link with this key is one of the project's.
    func has(apiKey: String) -> Bool {
        apiKey.utf8.elementsEqual(endpoint.apiKey.utf8)
            || isEmulator && apiKey.utf8.elementsEqual(Self.emulatorKey.utf8)
    }

    /// What Firebase's emulator and ours write into every link, whoever asked for it.
    private static let emulatorKey = "fake-api-key"

    /// Calls `accounts:{operation}`. Members without a value are left out.
    func call(
        _ operation: String, _ members: [(String, JSON?)], language: String? = nil
    ) async throws(HomingAuthError) -> JSON.Object {
        try await post("identitytoolkit.googleapis.com/v1/accounts:\(operation)", members, language: language)
    }

    /// A fresh ID token for a user's refresh token.
    func refresh(_ token: String, of uid: String, at now: Date) async throws(HomingAuthError) -> SessionTokens {
        let answer = try await post(
            "securetoken.googleapis.com/v1/token",
            [("grantType", "refresh_token"), ("refreshToken", .string(token))])
        guard
            let tokens = SessionTokens(
                id: answer["access_token"], refresh: answer["refresh_token"] ?? .string(token),
                seconds: answer["expires_in"], at: now)
        else { throw HomingAuthError.unexpectedAnswer("it has no access token") }
        guard answer["user_id"]?.stringValue.map({ $0 == uid }) ?? true else {
            throw HomingAuthError.unexpectedAnswer("tokens of somebody else")
        }
        return tokens
    }

    /// The rules for passwords of a project or tenant.
    func passwordRules(of tenant: String?) async throws(HomingAuthError) -> JSON.Object {
        do throws(EndpointFault) {
            let answer = try await endpoint.get(
                "identitytoolkit.googleapis.com/v2/passwordPolicy", [("tenantId", tenant)])
            return answer["customStrengthOptions"]?.objectValue ?? JSON.Object()
        } catch {
            throw HomingAuthError(error)
        }
    }

    private func post(
        _ path: String, _ members: [(String, JSON?)], language: String? = nil
    ) async throws(HomingAuthError) -> JSON.Object {
        do throws(EndpointFault) {
            return try await endpoint.post(path, members, language: language)
        } catch {
            throw HomingAuthError(error)
        }
    }
}

extension HomingAuthError {
    init(_ fault: EndpointFault) {
        switch fault {
        case .unconfigured, .malformed: self.init(.invalidAPIKey, fault.message)
        // A transport of an app's tests may throw what the app is to see.
        case .unreachable(_, let error as HomingAuthError): self = error
        case .unreachable(_, let error): self.init(.networkError, fault.message, underlying: error)
        case .unreadable: self.init(.internalError, fault.message)
        case .refused(let message, let status, let triesLeft):
            self.init(wire: message, status: status)
            if let triesLeft { tell(triesLeft: triesLeft) }
        }
    }

    /// Something answered that is not Homing, or not one that this SDK knows.
    static func unexpectedAnswer(_ what: String) -> HomingAuthError { HomingAuthError(.unreadable(what)) }
}

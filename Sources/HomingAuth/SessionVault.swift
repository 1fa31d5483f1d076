// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient
internal import HomingWire

/// One app's entry in a ``SessionStore``.
struct SessionVault: Sendable {
    let store: any SessionStore
    let key: String
    private let app: String

    /// The server is part of the key: a refresh token must never go to another one than it came from.
    init(_ store: any SessionStore, app: String, _ endpoint: Endpoint) {
        self.store = store
        self.app = app
        key = "\(app) \(endpoint.apiKey) \(endpoint.url)"
    }

    /// The same app's entry for another server.
    func moved(to endpoint: Endpoint) -> SessionVault { SessionVault(store, app: app, endpoint) }

    /// The last known user; nil also when the store holds what this version cannot read.
    ///
    /// - Throws: the store's error, when it cannot be read now.
    func load() throws -> (UserProfile, SessionTokens)? {
        guard let data = try store.read(key), let object = (try? JSON.parse(data))?.objectValue,
            object["version"]?.integerValue == 1,
            let profile = object["user"]?.objectValue.flatMap(UserProfile.init),
            let id = object["idToken"]?.stringValue, let refresh = object["refreshToken"]?.stringValue,
            let arrived = object["arrived"]?.integerValue, let expires = object["expires"]?.integerValue
        else { return nil }
        let tokens = SessionTokens(
            id: id, refresh: refresh, arrived: Date(timeIntervalSince1970: TimeInterval(arrived)),
            expires: Date(timeIntervalSince1970: TimeInterval(expires)))
        return (profile, tokens)
    }

    func save(_ profile: UserProfile, _ tokens: SessionTokens) throws(AuthError) {
        let object = JSON.Object([
            ("version", 1), ("user", .object(profile.record)), ("idToken", .string(tokens.id)),
            ("refreshToken", .string(tokens.refresh)),
            ("arrived", .int(Self.seconds(tokens.arrived))), ("expires", .int(Self.seconds(tokens.expires))),
        ])
        do {
            try store.write(Data(JSON.object(object).write(pretty: false)), for: key)
        } catch {
            throw Self.fault("kept", error)
        }
    }

    /// Whether what the store has is this user's, as far as it can tell.
    func mayHold(_ uid: String) -> Bool {
        do {
            return try load()?.0.uid == uid
        } catch {
            return true
        }
    }

    func clear() throws(AuthError) {
        do {
            try store.remove(key)
        } catch {
            throw Self.fault("removed", error)
        }
    }

    private static func seconds(_ date: Date) -> Int64 {
        Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    }

    static func fault(_ what: String, _ error: any Error) -> AuthError {
        let reason =
            error is SessionStoreLocked
            ? "It is locked. Try again when it has been unlocked." : error.localizedDescription
        return AuthError(
            .keychainError, "The session could not be \(what) on this device: \(reason)", underlying: error)
    }
}

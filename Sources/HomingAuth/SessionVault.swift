// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient
internal import HomingWire

/// One app's entry in a ``HomingSessionStore``.
struct SessionVault: Sendable {
    let store: any HomingSessionStore
    let key: String
    private let app: String

    /// The server is part of the key: a refresh token must never go to another one than it came from.
    init(_ store: any HomingSessionStore, app: String, _ endpoint: Endpoint) {
        self.store = store
        self.app = app
        key = "\(app) \(endpoint.apiKey) \(endpoint.url)"
    }

    /// The same entry in the store that the apps of a group share.
    func shared(by accessGroup: String, _ endpoint: Endpoint) throws -> SessionVault {
        SessionVault(try store.shared(by: accessGroup), app: app, endpoint)
    }

    /// The same app's entry for another server.
    func moved(to endpoint: Endpoint) -> SessionVault { SessionVault(store, app: app, endpoint) }

    /// The last known user; nil also when the store holds what this version cannot read.
    ///
    /// - Throws: the store's error, when it cannot be read now.
    func load() throws -> (UserProfile, SessionTokens)? { try store.read(key).flatMap(Self.read) }

    private static func read(_ data: Data) -> (UserProfile, SessionTokens)? {
        guard let object = (try? JSON.parse(data))?.objectValue,
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

    /// Keeps who has signed in, whoever was there before.
    func save(_ profile: UserProfile, _ tokens: SessionTokens) throws(HomingAuthError) {
        do {
            try store.write(Self.data(profile, tokens), for: key)
        } catch {
            throw Self.fault("kept", error)
        }
    }

    private static func data(_ profile: UserProfile, _ tokens: SessionTokens) -> Data {
        let object = JSON.Object([
            ("version", 1), ("user", .object(profile.record)), ("idToken", .string(tokens.id)),
            ("refreshToken", .string(tokens.refresh)),
            ("arrived", .int(seconds(tokens.arrived))), ("expires", .int(seconds(tokens.expires))),
        ])
        return Data(JSON.object(object).write(pretty: false))
    }

    /// Keeps what has changed about a user, when that is still who is signed in: another process may share the store
    /// and have signed out, or have new tokens. Whatever it writes meanwhile is not lost.
    ///
    /// - Parameter kept: what this process knows to stand there; other tokens are another process's.
    /// - Returns: the tokens that stand there now; nil when it is somebody else's entry, or none.
    func update(_ profile: UserProfile, _ tokens: SessionTokens, _ kept: SessionTokens?) throws -> SessionTokens? {
        for _ in 0..<Self.mostTries {
            guard let data = try store.read(key), let (holder, theirs) = Self.read(data), holder.uid == profile.uid
            else { return nil }
            // Where both have new ones the later ones count.
            let isTheirs = theirs.isForeign(to: tokens, kept)
            let mayWrite = !isTheirs || kept.map { !$0.isSame(as: tokens) } ?? true && tokens.arrived > theirs.arrived
            let standing = mayWrite ? tokens : theirs
            if try store.replace(data, with: Self.data(profile, standing), for: key) { return standing }
        }
        return nil
    }

    /// Tokens of a user that another process has got.
    func foreignTokens(of uid: String, _ tokens: SessionTokens, _ kept: SessionTokens?) -> SessionTokens? {
        guard let (holder, theirs) = try? load(), holder.uid == uid, theirs.isForeign(to: tokens, kept) else {
            return nil
        }
        return theirs
    }

    /// Forgets a user whose tokens are dead, unless another process has signed in or has tokens of its own.
    func clear(_ uid: String, _ tokens: SessionTokens, _ kept: SessionTokens?) {
        for _ in 0..<Self.mostTries {
            do {
                guard let data = try store.read(key), let (holder, theirs) = Self.read(data), holder.uid == uid,
                    !theirs.isForeign(to: tokens, kept)
                else { return }
                if try store.replace(data, with: nil, for: key) { return }
            } catch {
                // What cannot be read now may be theirs: it is removed if it can be.
                return (try? clear()) ?? ()
            }
        }
    }

    /// More than other processes write in the time of one write.
    static let mostTries = 8

    func clear() throws(HomingAuthError) {
        do {
            try store.remove(key)
        } catch {
            throw Self.fault("removed", error)
        }
    }

    private static func seconds(_ date: Date) -> Int64 {
        Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    }

    static func fault(_ what: String, _ error: any Error) -> HomingAuthError {
        let reason =
            error is SessionStoreLocked
            ? "It is locked. Try again when it has been unlocked." : error.localizedDescription
        return HomingAuthError(
            .keychainError, "The session could not be \(what) on this device: \(reason)", underlying: error)
    }
}

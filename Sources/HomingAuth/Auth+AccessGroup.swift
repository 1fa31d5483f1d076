// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient

extension Auth {
    /// The access group of ``useUserAccessGroup(_:)``.
    public var userAccessGroup: String? { place.withLock(\.accessGroup) }

    /// Shares who is signed in with the apps and extensions of a group on this device. From then on that is who is
    /// signed in there; ask ``updateCurrentUser(_:)`` to bring along who was signed in here.
    ///
    /// Call it at each start, right after ``auth()``. Members of the group configure the same server, key and name.
    ///
    /// - Parameter accessGroup: with the team's prefix, from the Keychain Sharing or App Groups of the entitlements;
    ///   nil means the app's own store.
    /// - Throws: ``AuthErrorCode/keychainError`` when the store has no groups.
    public func useUserAccessGroup(_ accessGroup: String?) throws(HomingAuthError) {
        do {
            try place.withLock { place in
                let shared = try accessGroup.map { try place.own.shared(by: $0, place.backend.endpoint) }
                place = Place(place.backend, place.own, shared: shared, by: accessGroup)
            }
        } catch {
            throw SessionVault.fault("shared", error)
        }
        beginAnew()
    }

    /// Who is signed in in a group, without becoming a member of it: for widgets and extensions that only look.
    ///
    /// - Parameter accessGroup: nil means the app's own store.
    /// - Throws: ``AuthErrorCode/keychainError`` when the store has no groups or cannot be read.
    public func getStoredUser(forAccessGroup accessGroup: String?) throws(HomingAuthError) -> User? {
        let place = place.withLock { $0 }
        do {
            let vault = try accessGroup.map { try place.own.shared(by: $0, place.backend.endpoint) } ?? place.own
            return try vault.load().map { User($0, $1, kept: $1, auth: self) }
        } catch {
            throw SessionVault.fault("read", error)
        }
    }

    /// Hears what other members of the group have done: somebody has signed in or out there.
    func readShared() {
        guard userAccessGroup != nil else { return }
        state.withLock { state in
            guard state.isLoaded else { return }
            do {
                guard let (profile, tokens) = try vault.load() else { return state.user = nil }
                guard let user = state.user, user.uid == profile.uid else {
                    return state.user = User(profile, tokens, kept: tokens, auth: self)
                }
                let held = user.snapshot.1
                if tokens.isForeign(to: held, user.kept) { user.note(kept: tokens, insteadOf: held) }
            } catch {
                // What cannot be read now has not changed as far as anybody can tell.
            }
        }
        announce()
    }
}

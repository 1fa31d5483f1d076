// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// Where the signed-in user outlives the process, and the requests that wait to be finished.
///
/// The data holds a refresh token, which is as good as a password: keep it where only this app reads it. Calls come one
/// at a time for each app and from any thread, while `Auth` waits: an implementation must not call
/// `Auth`. Another process may use what is kept at the same time, where a group of apps shares it.
public protocol HomingSessionStore: Sendable {
    /// What was last written under a key; nil when there is nothing.
    ///
    /// - Throws: ``SessionStoreLocked`` when it can be read later; any other error means that nobody is signed in.
    func read(_ key: String) throws -> Data?

    /// Replaces what stands under a key, wholly or not at all.
    func write(_ data: Data, for key: String) throws

    /// Removes what stands under a key; nothing there is no error.
    func remove(_ key: String) throws

    /// Replaces what stands under a key, or removes it, if it is still what was read: another process may have written
    /// meanwhile.
    ///
    /// A store that no other process uses has it from the three functions above.
    ///
    /// - Returns: whether it was.
    func replace(_ old: Data, with new: Data?, for key: String) throws -> Bool

    /// The store that the apps of a group share, for `Auth.useUserAccessGroup(_:)`.
    ///
    /// - Throws: ``SessionStoreHasNoGroups`` unless a store has its own.
    func shared(by accessGroup: String) throws -> any HomingSessionStore
}

extension HomingSessionStore {
    /// Reads, compares and writes.
    public func replace(_ old: Data, with new: Data?, for key: String) throws -> Bool {
        guard try read(key) == old else { return false }
        if let new { try write(new, for: key) } else { try remove(key) }
        return true
    }

    /// Throws ``SessionStoreHasNoGroups``.
    public func shared(by accessGroup: String) throws -> any HomingSessionStore { throw SessionStoreHasNoGroups() }
}

/// The store cannot be read now, because the device is locked, for example: iOS starts apps ahead of time.
///
/// Until it can be read, listeners hear nothing: whoever is signed in must not look signed out. `Auth` reads again when
/// the system says that the device was unlocked, when the app comes to the front, and whenever it is asked.
public struct SessionStoreLocked: Error {
    /// An error to throw.
    public init() {}
}

/// The store shares nothing with other apps: a ``HomingSessionStore`` of the app's own that has no groups.
public struct SessionStoreHasNoGroups: Error, LocalizedError {
    /// An error to throw.
    public init() {}

    /// What to do.
    public var errorDescription: String? {
        "The session store has no access groups: give it shared(by:), or leave the Keychain in its place."
    }
}

/// A store that forgets with the process: for tests, and for apps that want nobody to stay signed in.
public final class MemorySessionStore: HomingSessionStore {
    private let values = Locked<[String: Data]>([:])
    private let groups = Locked<[String: MemorySessionStore]>([:])

    /// An empty store.
    public init() {}

    /// What was last written under a key.
    public func read(_ key: String) -> Data? { values.withLock { $0[key] } }

    /// Keeps data under a key.
    public func write(_ data: Data, for key: String) { values.withLock { $0[key] = data } }

    /// Forgets a key.
    public func remove(_ key: String) { values.withLock { $0[key] = nil } }

    /// Replaces or forgets what stands under a key, if it is still what was read.
    public func replace(_ old: Data, with new: Data?, for key: String) -> Bool {
        values.withLock { values in
            guard values[key] == old else { return false }
            values[key] = new
            return true
        }
    }

    /// The same store for everybody who asks this one for a group.
    public func shared(by accessGroup: String) -> any HomingSessionStore {
        groups.withLock { groups in
            let store = groups[accessGroup] ?? MemorySessionStore()
            groups[accessGroup] = store
            return store
        }
    }
}

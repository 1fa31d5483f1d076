// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// Where the signed-in user outlives the process, and the requests that wait to be finished.
///
/// The data holds a refresh token, which is as good as a password: keep it where only this app reads it. Calls come one
/// at a time for each app and from any thread, while `Auth` waits: an implementation must not call
/// `Auth`.
public protocol SessionStore: Sendable {
    /// What was last written under a key; nil when there is nothing.
    ///
    /// - Throws: ``SessionStoreLocked`` when it can be read later; any other error means that nobody is signed in.
    func read(_ key: String) throws -> Data?

    /// Replaces what stands under a key, wholly or not at all.
    func write(_ data: Data, for key: String) throws

    /// Removes what stands under a key; nothing there is no error.
    func remove(_ key: String) throws
}

/// The store cannot be read now, because the device is locked, for example: iOS starts apps ahead of time.
///
/// Until it can be read, listeners hear nothing: whoever is signed in must not look signed out. `Auth` reads again when
/// the system says that the device was unlocked, when the app comes to the front, and whenever it is asked.
public struct SessionStoreLocked: Error {
    /// An error to throw.
    public init() {}
}

/// A store that forgets with the process: for tests, and for apps that want nobody to stay signed in.
public final class MemorySessionStore: SessionStore {
    private let values = Locked<[String: Data]>([:])

    /// An empty store.
    public init() {}

    /// What was last written under a key.
    public func read(_ key: String) -> Data? { values.withLock { $0[key] } }

    /// Keeps data under a key.
    public func write(_ data: Data, for key: String) { values.withLock { $0[key] = data } }

    /// Forgets a key.
    public func remove(_ key: String) { values.withLock { $0[key] = nil } }
}

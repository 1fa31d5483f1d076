// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient

/// What ``Auth/addStateDidChangeListener(_:)`` answers, for ``Auth/removeStateDidChangeListener(_:)``: an object that
/// means nothing else.
public typealias AuthStateDidChangeListenerHandle = any NSObjectProtocol & Sendable

/// What ``Auth/addIDTokenDidChangeListener(_:)`` answers, for ``Auth/removeIDTokenDidChangeListener(_:)``.
public typealias IDTokenDidChangeListenerHandle = AuthStateDidChangeListenerHandle

/// What is behind an ``AuthStateDidChangeListenerHandle``.
final class ListenerHandle: NSObject, Sendable {}

/// Somebody who wants to know who is signed in.
struct StateListener: Sendable {
    let handle: ListenerHandle
    let interest: Interest
    let call: @MainActor @Sendable (Auth, User?) -> Void
    /// What it heard last; nil before the first time.
    var told: Told?

    /// What is news besides another user.
    enum Interest: Sendable { case nothing, tokens, profile }

    struct Told: Sendable {
        let user: User?
        let token: String?
        let profile: UserProfile?

        init(_ user: User?) {
            self.user = user
            (profile, token) = user.map(\.snapshot).map { ($0, $1.id) } ?? (nil, nil)
        }
    }

    func has(heard news: Told) -> Bool {
        guard let told, told.user === news.user else { return false }
        return switch interest {
        case .nothing: true
        case .tokens: told.token == news.token
        case .profile: told.profile == news.profile
        }
    }
}

extension Auth {
    /// Calls back on the main queue with who is signed in now, and again whenever that is somebody else.
    ///
    /// - Returns: what ends it.
    @discardableResult
    public func addStateDidChangeListener(
        _ listener: @escaping (Auth, User?) -> Void
    ) -> AuthStateDidChangeListenerHandle {
        let listener = MainQueueHandler(listener)
        return add(.nothing) { listener.kept?($0, $1) }
    }

    /// Calls a listener no more.
    public func removeStateDidChangeListener(_ listenerHandle: any NSObjectProtocol) {
        // What a listener holds may ask Auth when it goes: it goes outside the lock.
        let gone = state.withLock { state in
            let gone = state.listeners.filter { $0.handle === listenerHandle }
            state.listeners.removeAll { $0.handle === listenerHandle }
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    /// Calls back like ``addStateDidChangeListener(_:)``, and also when the user has a new ID token.
    ///
    /// - Returns: what ends it.
    @discardableResult
    public func addIDTokenDidChangeListener(
        _ listener: @escaping (Auth, User?) -> Void
    ) -> IDTokenDidChangeListenerHandle {
        let listener = MainQueueHandler(listener)
        return add(.tokens) { listener.kept?($0, $1) }
    }

    /// Calls a listener no more.
    public func removeIDTokenDidChangeListener(_ listenerHandle: any NSObjectProtocol) {
        removeStateDidChangeListener(listenerHandle)
    }

    /// Who is signed in now, and again whenever that is somebody else. A reader that is slow misses what is outdated.
    /// Every loop needs a sequence of its own: ask here for each.
    ///
    /// ```swift
    /// for await user in Auth.auth().authStateChanges {
    ///     print(user?.email ?? "nobody")
    /// }
    /// ```
    public var authStateChanges: AsyncStream<User?> { changes(.nothing) }

    /// The same, and again when the user has a new ID token.
    public var idTokenChanges: AsyncStream<User?> { changes(.tokens) }

    /// The same as ``authStateChanges``, and again when something about the user has changed: after a ``User/reload()``
    /// that found the address verified, for example.
    public var userChanges: AsyncStream<User?> { changes(.profile) }

    private func changes(_ interest: StateListener.Interest) -> AsyncStream<User?> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let handle = add(interest) { _, user in continuation.yield(user) }
            continuation.onTermination = { [weak self] _ in self?.removeStateDidChangeListener(handle) }
        }
    }

    func add(
        _ interest: StateListener.Interest, _ listener: @escaping @MainActor @Sendable (Auth, User?) -> Void
    ) -> ListenerHandle {
        let handle = ListenerHandle()
        state.withLock {
            $0.listeners.append(StateListener(handle: handle, interest: interest, call: listener))
        }
        announce()
        return handle
    }

    /// Tells each listener what it has not heard. It looks when it runs: of two changes at once the last one is told,
    /// and never an older one after a newer one.
    func announce() {
        guard state.withLock({ !$0.listeners.isEmpty }) else { return }
        Task { @MainActor in
            for handle in state.withLock({ $0.listeners.map(\.handle) }) {
                // Each time anew: the listener before may have signed out.
                guard let user = knownUser else { return }
                let news = StateListener.Told(user)
                let call = state.withLock { state -> (@MainActor @Sendable (Auth, User?) -> Void)? in
                    guard let index = state.listeners.firstIndex(where: { $0.handle === handle }),
                        !state.listeners[index].has(heard: news)
                    else { return nil }
                    state.listeners[index].told = news
                    return state.listeners[index].call
                }
                call?(self, user)
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What ``Auth/addStateDidChangeListener(_:)`` answers, for ``Auth/removeStateDidChangeListener(_:)``.
public final class AuthStateDidChangeListenerHandle: Sendable {}

/// Somebody who wants to know who is signed in.
struct StateListener: Sendable {
    let handle: AuthStateDidChangeListenerHandle
    let call: @MainActor @Sendable (Auth, User?) -> Void
    /// Whom it heard of last; the outer nil before the first time.
    var told: User??
}

extension Auth {
    /// Calls back on the main queue with who is signed in now, and again whenever that is somebody else.
    ///
    /// - Returns: what ends it.
    @discardableResult
    public func addStateDidChangeListener(
        _ listener: @escaping @MainActor @Sendable (Auth, User?) -> Void
    ) -> AuthStateDidChangeListenerHandle {
        let handle = AuthStateDidChangeListenerHandle()
        state.withLock { $0.listeners.append(StateListener(handle: handle, call: listener)) }
        announce()
        return handle
    }

    /// Calls a listener no more.
    public func removeStateDidChangeListener(_ listenerHandle: AuthStateDidChangeListenerHandle) {
        state.withLock { $0.listeners.removeAll { $0.handle === listenerHandle } }
    }

    /// Tells each listener that has not heard of the present user. It looks when it runs: of two changes at once the
    /// last one is told, and never an older one after a newer one.
    func announce() {
        guard state.withLock({ !$0.listeners.isEmpty }) else { return }
        Task { @MainActor in
            let user = currentUser
            for handle in state.withLock({ $0.listeners.map(\.handle) }) {
                let call = state.withLock { state in
                    state.listeners.firstIndex { $0.handle === handle }.flatMap { index in
                        Self.isTold(state.listeners[index], user) ? nil : Self.tell(&state.listeners[index], user)
                    }
                }
                call?(self, user)
            }
        }
    }

    private static func isTold(_ listener: StateListener, _ user: User?) -> Bool {
        guard let told = listener.told else { return false }
        return told === user
    }

    private static func tell(
        _ listener: inout StateListener, _ user: User?
    ) -> @MainActor @Sendable (Auth, User?) -> Void {
        listener.told = .some(user)
        return listener.call
    }
}

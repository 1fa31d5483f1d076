// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
public import HomingClient
internal import HomingWire

/// Signing in and email actions: the twin of FirebaseAuth's `Auth`.
///
/// Each call is there as `async throws` and with a completion handler that runs on the main queue.
public final class Auth: Sendable {
    /// The app that it is of; nil when that is gone.
    public weak let app: HomingApp?

    let place: Locked<Place>
    let now: @Sendable () -> Date
    let pause: @Sendable (_ seconds: TimeInterval) async throws -> Void
    let links: LinkDoors
    let state = Locked(State())
    private let unlocks = Locked<UnlockWatch?>(nil)

    /// The server that is asked, and where its sessions are kept.
    struct Place: Sendable {
        let backend: Backend
        let vault: SessionVault
        /// The app's own, whatever group shares ``vault``.
        let own: SessionVault
        var accessGroup: String?

        init(_ backend: Backend, _ own: SessionVault, shared: SessionVault? = nil, by accessGroup: String? = nil) {
            (self.backend, self.own, self.accessGroup) = (backend, own, accessGroup)
            vault = shared ?? own
        }
    }

    struct State: Sendable {
        /// Whether the store was asked for the last known user.
        var isLoaded = false
        /// Whether the store could not tell yet, when it was asked.
        var isWaiting = false
        var user: User?
        var language: String?
        var tenant: String?
        var end: HomingAuthError?
        var listeners: [StateListener] = []
        /// The anonymous sign-in that is under way.
        var anonymous: Task<Result<AuthDataResult, HomingAuthError>, Never>?
        /// The requests that wait to be finished, the newest first.
        var pending: [PendingAction] = []
        /// The ids of those and of all that were forgotten: others in the store are another process's.
        var knownRequests: Set<String> = []
        /// Whether the store was asked for those of earlier processes.
        var hasLoadedRequests = false
    }

    private init(_ app: HomingApp) {
        self.app = app
        place = Locked(
            Place(Backend(endpoint: app.endpoint), SessionVault(app.sessionStore, app: app.name, app.endpoint)))
        now = app.now
        pause = app.pause
        links = app.linkDoors
        // A store that could not be read on a locked device is asked again.
        let watch = UnlockWatch { [weak self] in
            guard let self else { return }
            if state.withLock({ $0.isWaiting && !$0.isLoaded }) { _ = currentUser }
            readShared()
        }
        unlocks.withLock { $0 = watch }
        state.withLock { $0.listeners.append(notifier) }
    }

    /// The one of ``HomingApp/configure(endpoint:apiKey:)``. Configure first: one that was asked for before stays
    /// without an app, and its requests throw ``AuthErrorCode/invalidAPIKey`` and say so.
    public static func auth() -> Auth { auth(app: HomingApp.app() ?? .unconfigured) }

    /// The one of an app.
    public static func auth(app: HomingApp) -> Auth { app.part(Auth.init) }

    var backend: Backend { place.withLock(\.backend) }
    var vault: SessionVault { place.withLock(\.vault) }

    /// Asks an Auth emulator on this machine, `homing-emulator` or Firebase's, in the place of the server. Call it
    /// right after ``auth()``, before anything else: whoever is signed in at the server stays so there, and is nobody
    /// here.
    ///
    /// Links whose key is the one that emulators write, `fake-api-key`, are the project's own from then on.
    ///
    /// - Parameters:
    ///   - host: a name or address of this machine, such as `127.0.0.1`; an IPv6 address with or without brackets.
    ///   - port: where the emulator listens, 9099 unless it was told otherwise.
    public func useEmulator(withHost host: String, port: Int) {
        let isBare = host.utf8.contains(UInt8(ascii: ":")) && host.utf8.first != UInt8(ascii: "[")
        let url = "http://\(isBare ? "[\(host)]" : host):\(port)"
        place.withLock { place in
            let endpoint = place.backend.endpoint.moved(to: url)
            place = Place(
                Backend(endpoint: endpoint, isEmulator: true), place.own.moved(to: endpoint),
                shared: place.vault.moved(to: endpoint), by: place.accessGroup)
        }
        beginAnew()
    }

    /// Asks the store again, which is another one now.
    func beginAnew() {
        let (wasLoaded, pending) = state.withLock { state in
            let left = (state.isLoaded, state.pending)
            (state.isLoaded, state.user, state.end) = (false, nil, nil)
            (state.hasLoadedRequests, state.pending) = (false, [])
            return left
        }
        // They are the server's that was asked.
        for action in pending { action.stop() }
        // Listeners have heard who was there.
        if wasLoaded { _ = currentUser }
    }

    /// Who is signed in; the last known user from the start, also without a network. Nil as well while the device is
    /// locked and its store cannot tell: listeners hear who it is when it has been unlocked.
    public var currentUser: User? {
        let (user, isNews) = state.withLock { state in
            let wasLoaded = state.isLoaded
            load(&state)
            return (state.user, !wasLoaded && state.isLoaded)
        }
        if isNews { announce() }
        return user
    }

    /// Why the last session ended, when it was the server that ended it, or the store that could not be read; nil after
    /// a sign-in and after ``signOut()``.
    public var sessionEndReason: HomingAuthError? { state.withLock(\.end) }

    /// The language of mails and pages, a BCP 47 tag; nil means the project's.
    public var languageCode: String? {
        get { state.withLock(\.language) }
        set { state.withLock { $0.language = newValue } }
    }

    /// The tenant of the project in which people sign up and in, and ask for mails; nil means the project itself. A
    /// link and whoever is signed in have a tenant of their own, which counts for them.
    public var tenantID: String? {
        get { state.withLock(\.tenant) }
        set { state.withLock { $0.tenant = newValue } }
    }

    /// ``tenantID`` as a member of a request. What a completion handler is given reads it before it returns, as it was
    /// when the call was made.
    var tenant: (String, JSON?) { Self.member(tenantID) }

    static func member(_ tenant: String?) -> (String, JSON?) { ("tenantId", tenant.map { .string($0) }) }

    /// Takes the language that this device's user prefers.
    public func useAppLanguage() {
        #if os(Linux)
            languageCode = Self.language(ProcessInfo.processInfo.environment)
        #else
            languageCode = Locale.preferredLanguages.first
        #endif
    }

    #if os(Linux)
        /// The language of messages in a POSIX environment as a BCP 47 tag: `pt-BR` for `pt_BR.UTF-8`.
        package static func language(_ environment: [String: String]) -> String? {
            let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            let name = locale?.prefix { $0 != "." && $0 != "@" } ?? ""
            guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
            return name.replacingOccurrences(of: "_", with: "-")
        }
    #endif

    /// Forgets the user on this device. The session of other devices goes on.
    ///
    /// - Throws: ``AuthErrorCode/keychainError`` when the store keeps the session, on a locked device for example; the
    ///   user then stays signed in.
    public func signOut() throws(HomingAuthError) {
        try state.withLock { state throws(HomingAuthError) in
            load(&state)
            try vault.clear()
            state.isLoaded = true
            state.user = nil
            state.end = nil
        }
        announce()
    }

    // MARK: Who is signed in

    /// Asks the store, until it has answered once: while a device is locked its Keychain cannot be read, and whoever is
    /// signed in must not look signed out for the rest of the process.
    private func load(_ state: inout State) {
        guard !state.isLoaded else { return }
        do {
            state.user = try vault.load().map { User($0, $1, kept: $1, auth: self) }
            state.isLoaded = true
        } catch is SessionStoreLocked {
            state.isWaiting = true
        } catch {
            state.end = SessionVault.fault("read", error)
            state.isLoaded = true
        }
    }

    /// Who is signed in; the outer nil while the store cannot tell.
    var knownUser: User?? {
        let user = currentUser
        return state.withLock(\.isLoaded) ? .some(user) : nil
    }

    /// Makes somebody the current user, kept on this device first.
    func adopt(_ user: User) throws(HomingAuthError) {
        try state.withLock { state throws(HomingAuthError) in
            let (profile, tokens) = user.snapshot
            try vault.save(profile, tokens)
            user.note(kept: tokens)
            state.isLoaded = true
            state.user = user
            state.end = nil
        }
        announce()
    }

    /// Keeps what has changed about a user, when that is still who is signed in, here and in the store: another process
    /// may share it and have signed out. Where it cannot be kept, the next start finds what was there before.
    func keep(_ user: User) {
        state.withLock { state in
            let (profile, tokens) = user.snapshot
            guard state.user === user, let standing = try? vault.update(profile, tokens, user.kept) else { return }
            user.note(kept: standing, insteadOf: tokens)
        }
        announce()
    }

    /// Forgets a user who has deleted the account, or whose session the server has ended. A store that cannot forget
    /// now holds dead tokens only.
    func forget(_ user: User, because error: HomingAuthError? = nil) {
        state.withLock { state in
            guard state.user === user else { return }
            let (profile, tokens) = user.snapshot
            vault.clear(profile.uid, tokens, user.kept)
            state.user = nil
            state.end = error
        }
        announce()
    }
}

extension Auth: CustomReflectable {
    /// Nothing: what a dump shows ends up in logs.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

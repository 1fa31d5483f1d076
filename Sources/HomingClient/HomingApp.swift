// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// A project of a Homing server, as an app talks to it: the twin of `FirebaseApp`.
///
/// ```swift
/// HomingApp.configure(endpoint: URL(string: "https://auth.example.com")!, apiKey: "hk_…")
/// ```
public final class HomingApp: Sendable {
    /// The name of the app that ``configure(endpoint:apiKey:)`` makes.
    public static let defaultName = "__DEFAULT"

    /// Under which name it was configured.
    public let name: String

    /// Where its requests go.
    package let endpoint: Endpoint
    /// Where it keeps who is signed in.
    package let sessionStore: any HomingSessionStore
    /// What time it is.
    package let now: @Sendable () -> Date
    /// Lets so many seconds pass, or throws when nobody waits any more.
    package let pause: @Sendable (_ seconds: TimeInterval) async throws -> Void
    /// Through which domains and schemes links reach it.
    package let linkDoors = LinkDoors()

    private let parts = Locked<[ObjectIdentifier: any Sendable]>([:])
    private static let apps = Locked<[String: HomingApp]>([:])

    /// An app that is not registered under its name.
    package init(
        name: String = HomingApp.defaultName, endpoint: URL, apiKey: String, transport: any HomingTransport,
        sessionStore: any HomingSessionStore, now: @escaping @Sendable () -> Date = { Date() },
        pause: @escaping @Sendable (_ seconds: TimeInterval) async throws -> Void = HomingApp.sleep
    ) {
        self.name = name
        self.endpoint = Endpoint(url: endpoint.absoluteString, apiKey: apiKey, transport: transport)
        self.sessionStore = sessionStore
        self.now = now
        self.pause = pause
    }

    package static let sleep: @Sendable (_ seconds: TimeInterval) async throws -> Void = { seconds in
        try await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
    }

    /// Says which server and which project this app talks to. Call it once, before anything else.
    ///
    /// - Parameters:
    ///   - endpoint: the public URL of the server, such as `https://auth.example.com`.
    ///   - apiKey: a key of the project; `homing project show` prints it.
    public static func configure(endpoint: URL, apiKey: String) {
        configure(name: defaultName, endpoint: endpoint, apiKey: apiKey)
    }

    /// The same with everything that can be chosen; with a name for each of several projects. Configured again, a name
    /// means the new project from then on.
    ///
    /// - Parameters:
    ///   - name: for ``app(name:)``.
    ///   - endpoint: the public URL of the server.
    ///   - apiKey: a key of the project.
    ///   - linkDomains: through which domains and schemes links reach the app; nil means those of its `Info.plist`.
    ///   - transport: how requests leave; `URLSession` unless an app's tests bring their own.
    ///   - sessionStore: where the signed-in user is kept; nil means the Keychain, and a file where there is none.
    @discardableResult
    public static func configure(
        name: String = HomingApp.defaultName, endpoint: URL, apiKey: String, linkDomains: LinkDomains? = nil,
        transport: any HomingTransport = URLSessionTransport(), sessionStore: (any HomingSessionStore)? = nil
    ) -> HomingApp {
        let app = HomingApp(
            name: name, endpoint: endpoint, apiKey: apiKey, transport: transport,
            sessionStore: sessionStore ?? standardStore)
        if let linkDomains { app.linkDomains = linkDomains }
        apps.withLock { $0[name] = app }
        return app
    }

    private static var standardStore: any HomingSessionStore {
        #if canImport(Security)
            KeychainSessionStore()
        #else
            FileSessionStore()
        #endif
    }

    /// The app of ``configure(endpoint:apiKey:)``; nil before that.
    public static func app() -> HomingApp? { app(name: defaultName) }

    /// The app that was configured under a name.
    public static func app(name: String) -> HomingApp? { apps.withLock { $0[name] } }

    static var registered: [String: HomingApp] { apps.withLock { $0 } }

    /// Whether it was the app of its name until now.
    func unregister() -> Bool {
        Self.apps.withLock { apps in
            guard apps[name] === self else { return false }
            apps[name] = nil
            return true
        }
    }

    /// Stands in until something is configured: every request throws what is missing.
    package static let unconfigured = HomingApp(
        endpoint: Endpoint(url: "", apiKey: "", transport: URLSessionTransport()), sessionStore: MemorySessionStore())

    private init(endpoint: Endpoint, sessionStore: any HomingSessionStore) {
        name = Self.defaultName
        self.endpoint = endpoint
        self.sessionStore = sessionStore
        now = { Date() }
        pause = Self.sleep
    }

    /// What a library keeps for this app, made when it is first asked for. Making it must not ask for another part.
    package func part<Part: Sendable>(_ make: (HomingApp) -> Part) -> Part {
        parts.withLock { parts in
            if let part = parts[ObjectIdentifier(Part.self)] as? Part { return part }
            let part = make(self)
            parts[ObjectIdentifier(Part.self)] = part
            return part
        }
    }
}

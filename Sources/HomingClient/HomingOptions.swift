// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// What an app is configured with: the twin of `FirebaseOptions`, with the two values that count here.
public struct HomingOptions: Sendable, Equatable {
    /// The public URL of the server.
    public var endpoint: URL
    /// A key of the project.
    public var apiKey: String?

    /// Options from their parts.
    ///
    /// - Parameters:
    ///   - endpoint: the public URL of the server, such as `https://auth.example.com`.
    ///   - apiKey: a key of the project.
    public init(endpoint: URL, apiKey: String) {
        self.endpoint = endpoint
        self.apiKey = apiKey
    }

    /// The options of a property list or JSON file; nil where it cannot be read or lacks something.
    /// ``HomingApp/configure(contentsOf:name:sessionStore:)`` says what is wrong with a file.
    public init?(contentsOfFile path: String) {
        guard let options = try? HomingApp.options(in: URL(fileURLWithPath: path)).0 else { return nil }
        self = options
    }

    /// Google's client id, of which Homing knows nothing.
    @available(*, unavailable, message: "Homing has no Google client id. Keep it in the app, for Google's own SDK.")
    public var clientID: String? { nil }
    /// Firebase's project id.
    @available(*, unavailable, message: "The API key names the project; Homing's SDK needs no other id of it.")
    public var projectID: String? { nil }
    /// Google's app id.
    @available(*, unavailable, message: "Homing knows an app by its bundle id: homing app add.")
    public var googleAppID: String { "" }
}

extension HomingApp {
    /// What this app was configured with.
    public var options: HomingOptions {
        HomingOptions(endpoint: URL(string: endpoint.url) ?? URL(fileURLWithPath: "/"), apiKey: endpoint.apiKey)
    }

    /// Configures the default app.
    public static func configure(options: HomingOptions) {
        configure(name: defaultName, options: options)
    }

    /// Configures the app of a name.
    public static func configure(name: String, options: HomingOptions) {
        configure(name: name, endpoint: options.endpoint, apiKey: options.apiKey ?? "")
    }

    /// Every configured app by its name; nil before the first one.
    public static var allApps: [String: HomingApp]? { registered.isEmpty ? nil : registered }

    /// Forgets the app under its name. Its session stays on this device: the same server and key find it again.
    ///
    /// - Returns: whether it was still the app of its name.
    @discardableResult
    public func delete() async -> Bool { unregister() }

    /// ``delete()`` with a completion handler, on the main queue.
    public func delete(_ completion: @escaping (Bool) -> Void) {
        let isDone = unregister()
        deliver(to: { (_: Void?, _) in completion(isDone) }, { () async throws(Never) in })
    }
}

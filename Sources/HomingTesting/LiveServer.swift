// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCertificates
package import HomingConsole
import HomingCore
internal import HomingListener
package import HomingMail
package import HomingServer
package import HomingStore
internal import Logging
internal import ServiceLifecycle

/// Both listeners of one open Homing on free ports, and a client for each.
package struct LiveServer: Sendable {
    package let client: RESTClient
    package let admin: RESTClient
    package let ready: HomingServer.Ready

    /// A path of the client API with the project's key.
    package static func path(_ operation: String, key: String = TestHoming.apiKey) -> String {
        "/identitytoolkit.googleapis.com/v1/\(operation)?key=\(key)"
    }

    /// Posts to a client operation such as `accounts:sendOobCode`.
    package func call(
        _ operation: String, _ members: [(String, String)], headers: [(String, String)] = []
    ) async throws -> RESTAnswer {
        try await client.post(Self.path(operation), members, headers: headers)
    }

    /// Opens a link of a mail or a page in a browser's way: by its path, with its own host in the Host header.
    /// - Throws: ``RESTClient/NoAnswer`` when there is no link.
    package func open(_ link: String?, headers: [(String, String)] = []) async throws -> RESTAnswer {
        guard let link else { throw RESTClient.NoAnswer() }
        let rest = link.drop { $0 != "/" }.dropFirst(2)
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let target = rest.dropFirst(host.count)
        return try await client.get(
            target.hasPrefix("/") ? String(target) : "/" + target, headers: headers, host: String(host))
    }
}

/// What operations have read or answered and do not declare: the OpenAPI document lacks it.
package struct UndeclaredMembersFound: Error {
    package let sentences: [String]
}

/// Serves an open Homing while the body runs.
///
/// - Throws: ``UndeclaredMembersFound`` where an operation has read or answered a member that its declaration lacks.
@discardableResult
package func withServer<Answer: Sendable>(
    _ homing: TestHoming, acceptsOwner: Bool = false, trustedProxies: [AddressRange] = [], showsMailbox: Bool = false,
    consolePatience: Duration = .zero,
    senderDomains: (@Sendable (SenderDomainLook) async -> [SenderDomainRecord])? = nil,
    examination: ConsoleExamination? = nil,
    _ body: (LiveServer) async throws -> Answer
) async throws -> Answer {
    let (announced, announcement) = AsyncStream.makeStream(of: HomingServer.Ready.self)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let undeclared = UndeclaredMembers()
    let server = HomingServer(
        homing: homing.core, certificates: Certificates(homing.core),
        options: HomingServer.Options(
            listen: try ListeningSocket(host: "127.0.0.1", port: 0),
            adminListen: try ListeningSocket(host: "127.0.0.1", port: 0),
            console: Console(
                examination: examination, senderDomains: senderDomains, patience: consolePatience),
            acceptsOwner: acceptsOwner, trustedProxies: Live(trustedProxies), showsMailbox: showsMailbox,
            undeclared: undeclared),
        logger: logger,
        onReady: { ready in
            announcement.yield(ready)
            announcement.finish()
        })
    // Stopped as an operator stops the server: a connection that is just being accepted is served and not dropped.
    let services = ServiceGroup(services: [server], logger: logger)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { announcement.finish() }
            try await services.run()
        }
        var answer: Answer?
        for await ready in announced {
            answer = try await body(LiveServer(ready))
        }
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
        guard let answer else { throw RESTClient.NoAnswer() }
        guard undeclared.sentences.isEmpty else { throw UndeclaredMembersFound(sentences: undeclared.sentences) }
        return answer
    }
}

extension LiveServer {
    init(_ ready: HomingServer.Ready) {
        func port(_ url: String) -> Int { url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
        self.init(
            client: RESTClient(port: port(ready.publicURL), host: "auth.shop.example"),
            admin: RESTClient(port: port(ready.adminURL), host: "127.0.0.1:\(port(ready.adminURL))"), ready: ready)
    }
}

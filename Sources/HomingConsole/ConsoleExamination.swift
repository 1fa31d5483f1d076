// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// Looks at a project's hosts, the relay and the sender's domain as the world sees them, for a page that shows what
/// comes as it comes. The checks are those of `homing doctor`.
package struct ConsoleExamination: Sendable {
    package enum Level: Sendable {
        case ok, warning, problem
    }

    /// The part of a project that a finding is about: its page shows the finding.
    package enum Area: Sendable {
        case apps, linkDomains, links, mail, server
    }

    package struct Finding: Sendable {
        package let level: Level
        package let area: Area
        package let subject: String
        package let seen: String
        /// One sentence with the remedy; empty where nothing is to be done.
        package let advice: String

        package init(_ level: Level, about area: Area, _ subject: String, seen: String, advice: String) {
            self.level = level
            self.area = area
            self.subject = subject
            self.seen = seen
            self.advice = advice
        }
    }

    package enum Step: Sendable {
        /// One host, the relay or the mail's domain has been looked at.
        case looked(at: String, done: Int, of: Int)
        case found(Finding)
    }

    private let run: @Sendable (_ project: ProjectID, _ tell: @escaping @Sendable (Step) -> Void) async throws -> Void
    private let certificates: @Sendable (_ project: ProjectID) async throws -> [Finding]
    private let judge: @Sendable (_ source: [UInt8], _ project: ProjectID) async throws -> [Finding]

    /// - Parameters:
    ///   - certificates: how getting and renewing the certificates goes that a project needs, by the server's own data.
    ///   - judge: judges a letter that arrived, by its source; a mail of another project is not known to it.
    package init(
        run:
            @escaping @Sendable (_ project: ProjectID, _ tell: @escaping @Sendable (Step) -> Void) async throws -> Void,
        certificates: @escaping @Sendable (_ project: ProjectID) async throws -> [Finding] = { _ in [] },
        judge: @escaping @Sendable (_ source: [UInt8], _ project: ProjectID) async throws -> [Finding] = { _, _ in [] }
    ) {
        self.run = run
        self.certificates = certificates
        self.judge = judge
    }

    /// What a letter that arrived shows of its way.
    func findings(of source: [UInt8], project: ProjectID) async throws -> [Finding] { try await judge(source, project) }

    /// The certificates that this server keeps for a project; nobody is asked.
    func certificates(of project: ProjectID) async throws -> [Finding] { try await certificates(project) }

    /// Runs the checks, and ends the steps with them.
    func run(of project: ProjectID, telling steps: AsyncStream<Step>.Continuation) async throws {
        defer { steps.finish() }
        try await run(project) { steps.yield($0) }
    }
}

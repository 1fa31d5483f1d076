// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
package import HomingStore
import HomingTexts
import Hummingbird
import NIOCore
import Synchronization

/// Looks at a project's hosts, the relay and the sender's domain as the world sees them, for a page that shows what
/// comes as it comes. The checks are those of `homing doctor`.
package struct ConsoleExamination: Sendable {
    package enum Level: Sendable {
        case ok, warning, problem
    }

    package enum Step: Sendable {
        /// One host, the relay or the mail's domain has been looked at.
        case looked(at: String, done: Int, of: Int)
        case found(Level, subject: String, seen: String, advice: String)
    }

    private let run: @Sendable (_ project: ProjectID, _ tell: @escaping @Sendable (Step) -> Void) async throws -> Void
    private let judge: @Sendable (_ source: [UInt8], _ project: ProjectID) async throws -> [Step]

    /// - Parameter judge: judges a letter that arrived, by its source; a mail of another project is not known to it.
    package init(
        run:
            @escaping @Sendable (_ project: ProjectID, _ tell: @escaping @Sendable (Step) -> Void) async throws -> Void,
        judge: @escaping @Sendable (_ source: [UInt8], _ project: ProjectID) async throws -> [Step]
    ) {
        self.run = run
        self.judge = judge
    }

    /// What a letter that arrived shows of its way.
    func findings(of source: [UInt8], project: ProjectID) async throws -> [Step] { try await judge(source, project) }

    /// Runs the checks, and ends the steps with them.
    func run(of project: ProjectID, telling steps: AsyncStream<Step>.Continuation) async throws {
        defer { steps.finish() }
        try await run(project) { steps.yield($0) }
    }
}

/// The projects that are being looked at: one run of each at a time.
final class RunningChecks: Sendable {
    private let projects = Mutex<[ProjectID: ContinuousClock.Instant]>([:])

    /// - Throws: ``Refusal`` where a run of this project is under way.
    func begin(of project: ProjectID) throws {
        // A run whose reader has gone before it began is over, too.
        let isFree = projects.withLock { projects in
            if let begun = projects[project], .now < begun + .seconds(120) { return false }
            projects[project] = .now
            return true
        }
        guard isFree else {
            throw Refusal.alreadyExists("These checks are running already: wait until they are done.")
        }
    }

    func end(of project: ProjectID) { projects.withLock { $0[project] = nil } }
}

/// `…/link-domains/check`: the checks, shown while they run. It needs no script: the page grows as the answers come.
struct CheckPage: Sendable {
    let examination: ConsoleExamination
    private let running = RunningChecks()

    init(examination: ConsoleExamination) {
        self.examination = examination
    }

    private static let notAllowed = ConsoleRefusal.needsAllProjects("The checks ask hosts for the whole server")

    func show(_ context: ConsoleContext) async throws -> Response {
        guard context.mayExamine else { throw Self.notAllowed }
        return ConsolePage(
            "Check of link domains and mail", in: .linkDomains,
            """
            <p>Every host is asked as a phone would ask it, and the relay as a delivery does; no mail is sent.</p>
            <section>\(context.form(button: "Begin the checks"))</section>
            """
        ).answer(in: context)
    }

    func run(_ sent: SentForm) async throws -> Response {
        let context = sent.context
        let project = try context.project
        guard context.mayExamine else { throw Self.notAllowed }
        try running.begin(of: project.projectID)
        let marker = "<!-- the checks -->"
        let page = ConsolePage(
            "Check of link domains and mail", in: .linkDomains,
            """
            <p>Every host is asked as a phone would ask it, and the relay as a delivery does; no mail is sent.</p>
            <section aria-live="polite"><ul class="steps">\(HTML(trusted: marker))</ul></section>
            <p><a class="button quiet" href="\(context.path)">Check again</a></p>
            """)
        let whole = page.html(in: context).utf8Text
        let parts = whole.split(separator: marker, maxSplits: 1).map(String.init)
        let (examination, running) = (examination, running)
        let body = ResponseBody { writer in
            defer { running.end(of: project.projectID) }
            try await writer.write(ByteBuffer(string: parts[0]))
            var problems = 0
            let (steps, continuation) = AsyncStream.makeStream(of: ConsoleExamination.Step.self)
            async let end: Void = examination.run(of: project.projectID, telling: continuation)
            for await step in steps {
                if case .found(.problem, _, _, _) = step { problems += 1 }
                try await writer.write(ByteBuffer(bytes: Self.item(step).bytes))
            }
            // The page has begun: what goes wrong now is one more line of it.
            let ending = await (try? end) == nil ? Self.cutShort : Self.ending(problems)
            try await writer.write(ByteBuffer(bytes: ending.bytes))
            try await writer.write(ByteBuffer(string: parts.last ?? ""))
            try await writer.finish(nil)
        }
        var response = page.answer(in: context)
        response.body = body
        response.headers[.contentLength] = nil
        return response
    }

    static func item(_ step: ConsoleExamination.Step) -> HTML {
        switch step {
        case .looked(let name, let done, let total):
            return "<li><span class=\"tag\">\(done) of \(total)</span><div>\(name) was looked at</div></li>\n"
        case .found(let level, let subject, let seen, let advice):
            let (mark, word): (String, String) =
                switch level {
                case .ok: ("good", "fine")
                case .warning: ("warn", "look")
                case .problem: ("bad", "mend")
                }
            return """
                <li><span class="tag \(mark)">\(word)</span><div><strong>\(subject)</strong>: \(seen)\
                \(advice.isEmpty ? "" : "<p class=\"soft\">\(advice)</p>" as HTML)</div></li>

                """
        }
    }

    private static let cutShort: HTML = """
        <li><span class="tag bad">ended</span><div>The checks ended early. Try again, or run \
        <code>homing doctor</code> on the server.</div></li>
        """

    private static func ending(_ problems: Int) -> HTML {
        problems == 0
            ? "<li><span class=\"tag good\">done</span><div>Nothing has to be mended.</div></li>"
            : "<li><span class=\"tag bad\">done</span><div>\(problems) \(problems == 1 ? "thing has" : "things have") to be mended.</div></li>"
    }
}

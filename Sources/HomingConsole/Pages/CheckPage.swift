// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingTexts
import Hummingbird
import NIOCore
import Synchronization

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

    private static let title = "Check of link domains and mail"
    private static let lead: HTML =
        "Every host is asked as a phone would ask it, and the relay as a delivery does; no email is sent."

    private static func back(_ context: ConsoleContext) -> (title: String, path: String) {
        ("Link domains", context.path(of: .linkDomains))
    }

    private static let notAllowed = ConsoleRefusal.needsAllProjects("The checks ask hosts for the whole server")

    func show(_ context: ConsoleContext) async throws -> Response {
        guard context.mayExamine else { throw Self.notAllowed }
        return ConsolePage(
            Self.title, in: .linkDomains, back: Self.back(context), lead: Self.lead,
            """
            <section>\(EmptyState(
                .refresh, "Not checked yet", "The answers appear here as they come, which takes up to two minutes.",
                action: context.form(button: "Begin the checks")).html)</section>
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
            Self.title, in: .linkDomains, back: Self.back(context), lead: Self.lead,
            actions: context.form(button: "Check again", .quiet),
            """
            <section aria-live="polite"><ul class="steps">\(HTML(trusted: marker))</ul></section>
            <p>What is to fix stands on the pages that it is about, too: <a href="\(context.path(of: .overview))">Overview</a>, \
            <a href="\(context.path(of: .linkDomains))">Link domains</a>, <a href="\(context.path(of: .apps))">Apps</a>, \
            <a href="\(context.path(of: .mail))">Mail</a> and <a href="\(context.path(of: .links))">Links</a>.</p>
            """)
        let whole = page.html(in: context).utf8Text
        let parts = whole.split(separator: marker, maxSplits: 1).map(String.init)
        let (examination, running) = (examination, running)
        let body = ResponseBody { writer in
            defer { running.end(of: project.projectID) }
            try await writer.write(ByteBuffer(string: parts[0]))
            var findings: [ConsoleExamination.Finding] = []
            let (steps, continuation) = AsyncStream.makeStream(of: ConsoleExamination.Step.self)
            async let end: Void = examination.run(of: project.projectID, telling: continuation)
            for await step in steps {
                if case .found(let finding) = step { findings.append(finding) }
                try await writer.write(ByteBuffer(bytes: Self.item(step).bytes))
            }
            // The page has begun: what goes wrong now is one more line of it.
            if await (try? end) == nil {
                try await writer.write(ByteBuffer(bytes: Self.cutShort.bytes))
            } else {
                let report = DoctorReport(at: context.homing.system.now(), findings: findings)
                context.reports.keep(report, of: project)
                try await writer.write(ByteBuffer(bytes: Self.ending(findings.count { $0.level == .problem }).bytes))
            }
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
            return "<li><span class=\"tag plain\">\(done) of \(total)</span><div>\(name) was looked at</div></li>\n"
        case .found(let finding): return DoctorFindings.item(finding)
        }
    }

    private static let cutShort: HTML = """
        <li><span class="tag bad">ended</span><div>The checks ended early. Try again, or run \
        <code>homing doctor</code> on the server.</div></li>
        """

    private static func ending(_ problems: Int) -> HTML {
        problems == 0
            ? "<li><span class=\"tag good\">done</span><div>Nothing to fix.</div></li>"
            : "<li><span class=\"tag bad\">done</span><div>\(problems) \(problems == 1 ? "thing" : "things") to fix.</div></li>"
    }
}

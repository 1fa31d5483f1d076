// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingTexts
import Hummingbird
import NIOCore

/// Looks at a project's hosts, the relay and the sender's domain as the world sees them, for a page that shows what comes
/// as it comes. The checks are those of `homing doctor`.
package struct ConsoleExamination: Sendable {
    package enum Level: Sendable {
        case ok, warning, problem
    }

    package enum Step: Sendable {
        /// One host, the relay or the mail's domain has been looked at.
        case looked(at: String, done: Int, of: Int)
        case found(Level, subject: String, seen: String, advice: String)
    }

    private let run: @Sendable (_ project: String, _ tell: @escaping @Sendable (Step) -> Void) async throws -> Void

    package init(
        run: @escaping @Sendable (_ project: String, _ tell: @escaping @Sendable (Step) -> Void) async throws -> Void
    ) {
        self.run = run
    }

    /// Runs the checks, and ends the steps with them.
    func run(of project: String, telling steps: AsyncStream<Step>.Continuation) async throws {
        defer { steps.finish() }
        try await run(project) { steps.yield($0) }
    }
}

/// `…/link-domains/check`: the checks, shown while they run. It needs no script: the page grows as the answers come.
struct CheckPage: Sendable {
    let examination: ConsoleExamination

    func show(_ context: ConsoleContext) async throws -> Response {
        let project = try context.project
        let marker = "<!-- the checks -->"
        let page = ConsolePage(
            "Check of link domains and mail", in: .linkDomains,
            """
            <p>Every host is asked as a phone would ask it, and the relay as a delivery does; no mail is sent.</p>
            <section aria-live="polite"><ul class="steps">\(HTML(trusted: marker))</ul></section>
            <p><a class="button quiet" href="\(context.path(of: .linkDomains))/check">Check again</a></p>
            """)
        let whole = page.html(in: context).utf8Text
        let parts = whole.split(separator: marker, maxSplits: 1).map(String.init)
        let examination = examination
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: parts[0]))
            var problems = 0
            let (steps, continuation) = AsyncStream.makeStream(of: ConsoleExamination.Step.self)
            async let end: Void = examination.run(of: project.id, telling: continuation)
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

    private static func item(_ step: ConsoleExamination.Step) -> HTML {
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

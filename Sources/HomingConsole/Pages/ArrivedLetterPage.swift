// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Hummingbird

/// `…/mail/letter`: what the last nightly probe found, and what the source of an email that arrived tells of its way.
/// Nothing of that is kept.
struct ArrivedLetterPage: Sendable {
    let examination: ConsoleExamination
    private let running = RunningChecks()

    init(examination: ConsoleExamination) {
        self.examination = examination
    }

    /// In bytes: the source of a letter, and the form around it.
    static let largestForm = (5 << 20) + (1 << 16)

    private static let title = "Arrived email"

    /// To this page, from the page of mails.
    static func link(_ context: ConsoleContext) -> HTML {
        "<a class=\"button quiet\" href=\"\(context.path(of: .mail))/letter\">\(title)</a>"
    }

    /// A letter as it was pasted, or as a file.
    private struct Source {
        var text = ""
        var file: [UInt8]?
    }

    private static var form: ConsoleForm<Source> {
        ConsoleForm(
            Source(),
            ConsoleField(
                "Source of the email", "source", \.text,
                hint: """
                    All of it, headers included: mail programs have it under “Show original”, “View source” or “Raw message”.
                    """, .area(rows: 12), isRequired: false),
            ConsoleField(
                label: "Or its file", name: "letter", input: .file(["message/rfc822", ".eml"]), text: { _ in "" },
                setFile: { source, bytes in source.file = bytes }))
    }

    func show(_ context: ConsoleContext) async throws -> Response {
        try await Self.page(context, "", Self.form)
    }

    func judge(_ sent: SentForm) async throws -> Response {
        var form = Self.form
        guard try form.take(sent) else { return try await Self.page(sent.context, "", form) }
        let source = form.value.file ?? Array(form.value.text.utf8)
        guard !source.isEmpty else {
            form.faults["source"] = "Paste the source of an email, or choose its file."
            return try await Self.page(sent.context, "", form)
        }
        let project = try sent.context.project.projectID
        try running.begin(of: project)
        defer { running.end(of: project) }
        let findings = try await examination.findings(of: source, project: project)
        let result: HTML = """
            <section><h2>Result</h2><ul class="steps">\(findings.map(DoctorFindings.item))</ul></section>
            """
        return try await Self.page(sent.context, result, Self.form)
    }

    private static func page(
        _ context: ConsoleContext, _ result: HTML, _ form: ConsoleForm<Source>
    ) async throws -> Response {
        let entry: HTML =
            context.mayEdit
            ? """
            <section><h2>Check an email</h2>\
            \(context.form(form.html, button: "Check the email", hasFile: true))\
            <p class="hint">It is compared with what was sent where the email is known here. Nothing of it is kept.</p></section>
            """ : ""
        return ConsolePage(
            title, in: .mail, back: ("All emails", context.path(of: .mail)),
            lead: "Whether emails arrive as they were sent, signed and in time.",
            "\(result)\(try await nightly(context))\(entry)", of: form
        ).answer(in: context)
    }

    // MARK: At night

    private static func nightly(_ context: ConsoleContext) async throws -> HTML {
        guard let last = try await context.homing.outbox.lastProbe() else {
            return """
                <section><h2>Nightly probe</h2><p>With <code>mail.probe.address</code>, <code>mail.probe.inbox</code> and \
                <code>mail.probe.secret</code> the server sends an email of each kind to a mailbox of yours once a day, \
                fetches it back, and shows here how it arrived.</p></section>
                """
        }
        let seconds = last.seconds.map { "; the slowest took \($0) seconds" } ?? ""
        // They may name other projects, and what their relays say.
        guard context.person.projects == nil else {
            return """
                <section><h2>Nightly probe</h2><p>\(tag(last)) \(last.arrived) of \(last.sent) emails arrived\(seconds).</p>
                </section>
                """
        }
        let order = ["problem", "warning", "ok"]
        let findings = last.findings.enumerated().sorted {
            (order.firstIndex(of: $0.element.level) ?? 0, $0.offset)
                < (order.firstIndex(of: $1.element.level) ?? 0, $1.offset)
        }.map(\.element)
        return """
            <section><h2>Nightly probe</h2>
            <p>\(tag(last)) \(last.arrived) of \(last.sent) emails arrived\(seconds). \
            \(ConsoleTime(Moment(milliseconds: last.at)).html)</p>
            <ul class="steps">\(findings.map { DoctorFindings.item(shown($0)) })</ul></section>
            """
    }

    private static func tag(_ last: LetterProbeResult) -> HTML {
        last.isFine ? "<span class=\"tag good\">OK</span>" : "<span class=\"tag bad\">Fix</span>"
    }

    private static func shown(_ finding: LetterProbeResult.Finding) -> ConsoleExamination.Finding {
        let level: ConsoleExamination.Level =
            switch finding.level {
            case "ok": .ok
            case "warning": .warning
            default: .problem
            }
        return ConsoleExamination.Finding(
            level, about: .mail, finding.subject, seen: finding.seen, advice: finding.advice)
    }
}

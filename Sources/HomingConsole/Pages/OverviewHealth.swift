// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts

/// Whether people come in and emails go out, as this server knows it without asking anybody; and what the newest checks
/// have found of its public URL.
struct OverviewHealth {
    private struct Line {
        let level: ConsoleExamination.Level?
        let subject: HTML
        let seen: HTML
        var advice: HTML = ""
    }

    private let context: ConsoleContext
    private let lines: [Line]

    /// An email that waits for so many seconds is worth a look; and for so many more, something is wrong.
    private static let slow: Int64 = 300
    private static let tooSlow: Int64 = 1_800

    init(_ project: Project, _ queue: MailQueue, _ context: ConsoleContext) async throws {
        self.context = context
        let certificates = try await context.reports.examination?.certificates(of: project.projectID) ?? []
        var lines = Self.publicURL(context) + certificates.map(Self.line)
        if context.homing.store.mails(project) {
            lines += [Self.mail(context), Self.queue(queue, context)].compactMap(\.self)
        }
        self.lines = lines.enumerated()
            .sorted { ($0.element.level?.order ?? 3, $0.offset) < ($1.element.level?.order ?? 3, $1.offset) }
            .map(\.element)
    }

    var html: HTML {
        let items = lines.map { line -> HTML in
            """
            <li>\(line.level?.tag ?? "<span class=\"tag plain\">Unknown</span>")<div><strong>\(line.subject)</strong>: \(line.seen)\
            \(line.advice.isEmpty ? "" : "<p class=\"soft\">\(line.advice)</p>" as HTML)</div></li>
            """
        }
        return """
            <section id="health"><h2>Health</h2><ul class="steps">\(HTML(joining: items))</ul>\(elsewhere)\
            \(DoctorFindings.checkNow(context))</section>
            """
    }

    /// What the newest checks have found that stands on other pages.
    private var elsewhere: HTML {
        guard let report = DoctorFindings.report(context) else { return "" }
        let items = ConsoleSection.allCases.filter { $0 != .overview }.compactMap { section -> HTML? in
            let count = DoctorFindings.count(in: section, context)
            guard count > 0 else { return nil }
            return "<li><a href=\"\(context.path(of: section))#findings\">\(count) in \(section.rawValue)</a></li>"
        }
        let list: HTML = items.isEmpty ? "" : "<ul>\(HTML(joining: items))</ul>"
        return "\(list)<p class=\"hint\">Checked \(ConsoleTime(report.at).html).</p>"
    }

    // MARK: Lines

    private static func line(_ finding: ConsoleExamination.Finding) -> Line {
        Line(
            level: finding.level, subject: "\(finding.subject)", seen: "\(finding.seen)", advice: "\(finding.advice)")
    }

    /// What was found wrong with it, or that nothing was; what asks other hosts is for operators of all projects.
    private static func publicURL(_ context: ConsoleContext) -> [Line] {
        guard context.person.projects == nil else { return [] }
        let subject: HTML = "<code>\(context.homing.publicURL)</code>"
        let found = DoctorFindings.shown(context).filter { $0.area == .server }
        guard !found.isEmpty else {
            let seen: HTML = "the public URL has not been checked since this server's start"
            return [Line(level: nil, subject: subject, seen: seen)]
        }
        let open = found.filter { $0.level != .ok }.map(line)
        return open.isEmpty
            ? [Line(level: .ok, subject: subject, seen: "the public URL answers as it should")] : open
    }

    /// Nil until delivery has begun.
    private static func mail(_ context: ConsoleContext) -> Line? {
        guard let state = MailStateLines.state(context) else { return nil }
        let level: ConsoleExamination.Level? =
            switch state.away?.fault {
            case .silent, .refuses: .problem
            case .asksToWait: .warning
            case nil: state.hasAnswered ? .ok : nil
            }
        return Line(
            level: level, subject: "<a href=\"\(context.path(of: .mail))\">Mail</a>",
            seen: """
                \(state.transport)\(state.host.map { " at <code>\($0)</code>" as HTML } ?? "") \(MailStateLines.words(state)); \
                sender <bdi>\(state.sender)</bdi>
                """,
            advice: MailStateLines.why(state, context))
    }

    private static func queue(_ queue: MailQueue, _ context: ConsoleContext) -> Line {
        let subject: HTML = "<a href=\"\(context.path(of: .mail))?status=queued\">Queue</a>"
        guard let oldest = queue.oldest else { return Line(level: .ok, subject: subject, seen: "empty") }
        let age = context.homing.system.now().seconds - oldest.seconds
        let level: ConsoleExamination.Level = age >= tooSlow ? .problem : age >= slow ? .warning : .ok
        return Line(
            level: level, subject: subject,
            seen: """
                \(queue.count < MailQueue.most ? "\(queue.count)" : "\(MailQueue.most)+") \(queue.count == 1 ? "email" : "emails"), \
                the oldest asked for \(ConsoleTime(oldest).html)
                """,
            advice: level == .ok ? "" : "The last response of the relay stands beside each email.")
    }
}

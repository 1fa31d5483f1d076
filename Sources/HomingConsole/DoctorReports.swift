// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Synchronization

/// What one run of the checks has found.
struct DoctorReport: Sendable {
    let at: Moment
    let findings: [ConsoleExamination.Finding]
}

/// The newest run of the checks of each project, as long as this server runs: checks ask other hosts, so no page runs
/// them by itself.
final class DoctorReports: Sendable {
    /// By the numbers of the projects: one that is made anew has another number, and is told nothing of the one before.
    private let newest = Mutex<[String: DoctorReport]>([:])
    /// Nil where nobody can run the checks.
    let examination: ConsoleExamination?

    init(_ examination: ConsoleExamination?) {
        self.examination = examination
    }

    func report(of project: Project) -> DoctorReport? { newest.withLock { $0[project.number] } }

    func keep(_ report: DoctorReport, of project: Project) { newest.withLock { $0[project.number] = report } }
}

/// The findings of the newest checks, on the pages that they are about.
enum DoctorFindings {
    /// Below `link-domains`, where the checks run.
    static func path(_ context: ConsoleContext) -> String { context.path(of: .linkDomains) + "/check" }

    static func report(_ context: ConsoleContext) -> DoctorReport? {
        context.ofProject.flatMap { context.reports.report(of: $0) }
    }

    /// What this person may read of the newest checks: what other hosts have answered is for operators of all projects.
    static func shown(_ context: ConsoleContext) -> [ConsoleExamination.Finding] {
        (report(context)?.findings ?? []).filter { context.person.projects == nil || $0.area.isOfOwnData }
    }

    /// How many things are to be mended or looked at, for a section of the navigation.
    static func count(in section: ConsoleSection, _ context: ConsoleContext) -> Int {
        guard context.ofProject?.tenant == nil else { return 0 }
        return shown(context).count { $0.area.section == section && $0.level != .ok }
    }

    /// What is to be mended or looked at of an area; one line where nothing is. Nothing where nobody has checked.
    static func section(_ context: ConsoleContext, _ area: ConsoleExamination.Area) -> HTML {
        guard let report = report(context), context.ofProject?.tenant == nil else { return "" }
        let findings = shown(context).filter { $0.area == area }
        guard !findings.isEmpty else { return "" }
        let open = findings.filter { $0.level != .ok }.sorted { $0.level.order < $1.level.order }
        let list: HTML =
            open.isEmpty
            ? "<p><span class=\"tag good\">OK</span> Nothing to fix.</p>"
            : "<ul class=\"steps\">\(HTML(joining: open.map(item)))</ul>"
        return """
            <section class="findings" aria-labelledby="findings"><h2 id="findings">Checks</h2>\(list)
            <p class="hint">Checked \(ConsoleTime(report.at).html).</p>\(checkNow(context))</section>
            """
    }

    static func item(_ finding: ConsoleExamination.Finding) -> HTML {
        """
        <li>\(finding.level.tag)<div><strong>\(finding.subject)</strong>: \(finding.seen)\
        \(finding.advice.isEmpty ? "" : "<p class=\"soft\">\(finding.advice)</p>" as HTML)</div></li>

        """
    }

    /// A button that runs the checks; nothing for whoever may not.
    static func checkNow(_ context: ConsoleContext) -> HTML {
        guard context.mayExamine, context.reports.examination != nil else { return "" }
        let label = report(context) == nil ? "Check now" : "Check again"
        return context.form(to: path(context), button: label, .quiet)
    }
}

extension ConsoleExamination.Area {
    /// The page that shows its findings.
    var section: ConsoleSection {
        switch self {
        case .apps: .apps
        case .linkDomains: .linkDomains
        case .links: .links
        case .mail: .mail
        case .server: .overview
        }
    }

    /// Whether its findings are made of the project's own data, without asking other hosts.
    var isOfOwnData: Bool { self == .apps || self == .links }
}

extension ConsoleExamination.Level {
    /// The most urgent first.
    var order: Int {
        switch self {
        case .problem: 0
        case .warning: 1
        case .ok: 2
        }
    }

    var tag: HTML {
        switch self {
        case .problem: "<span class=\"tag bad\">Fix</span>"
        case .warning: "<span class=\"tag warn\">Warning</span>"
        case .ok: "<span class=\"tag good\">OK</span>"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/sign-in`: ways to sign in, the password policy, lifetimes of codes, and the page that handles links.
enum SignInSettingsPage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        try page(context, form(of: try context.project, at: context.homing.system.now()))
    }

    private struct Edited {
        var name: String
        var settings: ProjectSettings

        init(_ project: Project) {
            name = project.name
            settings = project.settings
        }
    }

    private static func form(of project: Project, at now: Moment) -> ConsoleForm<Edited> {
        // The project's name stands among its settings and is none of them.
        let name = ConsoleField<Edited>("Name", displayName, \.name, hint: "What mails and pages call your app.") {
            text in
            guard (try? Projects.checkedName(text)) != nil else {
                throw ConsoleFault("A name has 1 to 100 characters, and no control characters.")
            }
        }
        let settings = ProjectSetting.all.map { setting -> ConsoleField<Edited> in
            var hint = Self.hint(setting)
            if setting.name.utf8.elementsEqual(ProjectSetting.signUpQuota.name.utf8),
                let note = project.settings.quotaNote(at: now)
            {
                hint = "\(hint ?? "") <strong>\(note)</strong>"
            }
            return ConsoleField(
                label: setting.label, name: setting.name, hint: hint, input: input(of: setting),
                text: { $0.settings[setting] },
                set: { edited, text in
                    guard (try? edited.settings.set(setting.name, to: text)) != nil else {
                        throw ConsoleFault("\(setting.label) takes \(setting.accepts).")
                    }
                })
        }
        return ConsoleForm(Edited(project), remembersSeen: true, [name] + settings)
    }

    private static let displayName = "displayName"

    private static func names(in group: ProjectSetting.Group) -> [String] {
        (group == .app ? [displayName] : []) + ProjectSetting.all.filter { $0.group == group }.map(\.name)
    }

    private static func page(_ context: ConsoleContext, _ form: ConsoleForm<Edited>) throws -> Response {
        let sections: [HTML] = ProjectSetting.Group.allCases.map { group in
            "<section><h2>\(group.title)</h2>\(form.html(of: names(in: group)))</section>"
        }
        let settings: HTML =
            context.mayEdit
            ? context.form(HTML(joining: sections), button: "Save")
            : "<fieldset disabled><legend>Settings</legend>\(sections)</fieldset>"
        return ConsolePage(
            .signIn,
            """
            \(settings)
            \(limits(context))
            """, problem: form.problem, status: form.status
        ).answer(in: context)
    }

    /// What a field is for, what it takes, and what holds where nobody says anything.
    private static func hint(_ setting: ProjectSetting) -> HTML? {
        let words: HTML? = setting.hint.isEmpty ? nil : withCode(setting.hint)
        guard !setting.standard.isEmpty else { return words }
        let unit = setting.group.unit
        var standard = setting.words(for: setting.standard)
        if setting.group == .lifetimes, let seconds = Int(setting.standard) {
            standard += " (\(Texts.of(.english).lifetime(seconds: seconds)))"
        }
        let range = setting.kind == .number && !unit.isEmpty ? "\(unit), \(setting.accepts). " : ""
        let before: HTML = words.map { "\($0) " } ?? ""
        return "\(before)\(range)Default: \(standard)."
    }

    /// A text with its code, which stands between backticks.
    private static func withCode(_ text: String) -> HTML {
        HTML(
            joining: text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
                index.isMultiple(of: 2) ? "\(String(part))" : "<code>\(String(part))</code>"
            })
    }

    /// The limits of the server.
    private static func limits(_ context: ConsoleContext) -> HTML {
        let limits = context.homing.limits
        let rows = Limits.rows.map { row -> [HTML] in
            let number = limits[keyPath: row.value]
            return [
                withCode(row.meaning), number == 0 ? "no limit" : "\(number)",
                "<code>limits.\(row.name)</code> <code>\(row.variable)</code>",
            ]
        }
        return """
            <section><h2>Limits</h2>
            <p>They hold for all projects of this server, but for the sign-ups of a project that has its own number. \
            Whoever runs it sets them in <code>homing.yaml</code> or in the environment, and says \
            <code>homing reload</code>; those of connections and of passwords want a restart.</p>
            \(ConsoleTable("Limits of this server", ["What is counted", "At most", "Setting and variable"], rows).html)
            </section>
            """
    }

    private static func input(of setting: ProjectSetting) -> ConsoleInput {
        switch setting.kind {
        case .flag: .check
        case .number, .int64: .line("number")
        default: setting.choices.isEmpty ? .line("text") : .choice(setting.choices)
        }
    }

    static func change(_ sent: SentForm) async throws -> Response {
        let project = try sent.context.project
        let now = sent.homing.system.now()
        var form = Self.form(of: project, at: now)
        if try form.take(sent) {
            let (shortest, longest) = (ProjectSetting.leastLength.name, ProjectSetting.greatestLength.name)
            let (trial, policy) = (form.value.settings, form.value.settings.passwordPolicy)
            if policy.minimumLength > policy.maximumLength {
                form.faults[form.seen[longest] == nil ? shortest : longest] =
                    "No password is at least \(policy.minimumLength) and at most \(policy.maximumLength) characters long."
            } else if (try? trial.check()) == nil {
                form.faults[ProjectSetting.signUpQuotaStart.name] =
                    "A number of sign-ups that lasts a time has a beginning."
            }
            let home = ProjectSetting.linksHome
            if (try? sent.homing.projects.check(home: trial[home], of: project)) == nil {
                form.faults[home.name] = "\(home.label) takes \(home.accepts)."
            }
        }
        guard !form.isRefused else { return try page(sent.context, form) }
        do {
            let changes = form.changes.map { SettingChange($0.name, to: $0.text, expected: $0.seen) }
            try await sent.homing.projects.set(changes, of: project.projectID, by: sent.author)
            return sent.saved()
        } catch Refusal.Code.changedMeanwhile {
            // What this person typed stands in the fields; with what is in force now beside it, saving again is a
            // choice.
            let context = try await sent.context.renewed()
            form.isOvertaken(
                by: Edited(try context.project),
                """
                Somebody else has changed a setting meanwhile. Yours is in the form, and nothing is saved yet: saving \
                again replaces theirs.
                """)
            return try page(context, form)
        }
    }
}

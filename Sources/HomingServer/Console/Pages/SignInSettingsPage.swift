// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/sign-in`: ways to sign in, the password policy, lifetimes of codes, and the page that handles links.
enum SignInSettingsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    /// The project's name stands among its settings and is none of them.
    private static let displayName = (name: "displayName", label: "Name", hint: "What mails and pages call your app.")

    /// One field of the form; nil is the project's name.
    private static func fields(of group: ProjectSetting.Group) -> [ProjectSetting?] {
        (group == .app ? [nil] : []) + ProjectSetting.all.filter { $0.group == group }
    }

    private static func value(_ name: String, of project: Project) -> String {
        name == displayName.name ? project.name : project.settings.value(name)
    }

    private static func page(
        _ context: ConsoleContext, typed: [String: String] = [:], seen: [String: String] = [:],
        faults: [String: String] = [:], problem: String? = nil
    ) throws -> Response {
        let project = try context.project
        let sections = ProjectSetting.Group.allCases.map { group -> HTML in
            let fields = fields(of: group).map { setting -> HTML in
                let name = setting?.name ?? displayName.name
                let shown = typed[name] ?? value(name, of: project)
                var hint: HTML? = if let setting { Self.hint(setting) } else { "\(displayName.hint)" }
                if name.utf8.elementsEqual(ProjectSetting.signUpQuota.name.utf8),
                    let note = project.settings.quotaNote(at: context.homing.system.now())
                {
                    hint = "\(hint ?? "") <strong>\(note)</strong>"
                }
                let kind: ConsoleField.Kind =
                    switch setting?.kind {
                    case .flag?: .check
                    case .number?, .int64?: .line("number")
                    default: setting.flatMap { $0.choices.isEmpty ? nil : .choice($0.choices) } ?? .line("text")
                    }
                let control = ConsoleField(
                    setting?.label ?? displayName.label, name, value: shown, hint: hint, fault: faults[name],
                    kind: kind)
                // What the author of the form saw, so that nobody's change is written over unseen.
                let was = seen[name] ?? value(name, of: project)
                return control.html() + "<input type=\"hidden\" name=\"was:\(name)\" value=\"\(was)\">"
            }
            return "<section><h2>\(group.title)</h2>\(fields)</section>"
        }
        let form: HTML =
            context.mayEdit
            ? context.form(HTML(joining: sections), button: "Save")
            : "<fieldset disabled><legend>Settings</legend>\(sections)</fieldset>"
        return ConsolePage(
            .signIn,
            """
            \(form)
            \(limits(context))
            """, problem: problem.map { "\($0)" },
            status: problem != nil ? .conflict : faults.isEmpty ? .ok : .badRequest
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

    /// A setting's value as the page shows it.
    private static func words(_ value: String, of name: String) -> String {
        ProjectSetting.named(name)?.words(for: value) ?? (value.isEmpty ? "nothing" : value)
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let project = try form.context.project
        var typed: [String: String] = [:]
        var seenBefore: [String: String] = [:]
        var faults: [String: String] = [:]
        var changes: [SettingChange] = []
        var trial = project.settings
        for setting in ProjectSetting.Group.allCases.flatMap(fields) {
            let name = setting?.name ?? displayName.name
            guard let seen = form.fields["was:\(name)"] else { continue }
            let text = setting?.kind == .flag ? (form.text(name) == "true" ? "true" : "false") : form.text(name)
            guard !text.utf8.elementsEqual(seen.utf8) else { continue }
            typed[name] = text
            seenBefore[name] = seen
            changes.append(SettingChange(name, to: text, expected: seen))
            if let setting {
                if (try? trial.set(name, to: text)) == nil {
                    faults[name] = "\(setting.label) takes \(setting.accepts)."
                }
            } else if (try? Projects.checkedName(text)) == nil {
                faults[name] = "A name has 1 to 100 characters, and no control characters."
            }
        }
        let policy = trial.passwordPolicy
        if faults.isEmpty, policy.minimumLength > policy.maximumLength {
            let (shortest, longest) = (ProjectSetting.leastLength.name, ProjectSetting.greatestLength.name)
            faults[typed[longest] == nil ? shortest : longest] =
                "No password is at least \(policy.minimumLength) and at most \(policy.maximumLength) characters long."
        }
        if faults.isEmpty, (try? trial.check()) == nil {
            faults[ProjectSetting.signUpQuotaStart.name] = "A number of sign-ups that lasts a time has a beginning."
        }
        guard faults.isEmpty else { return try page(form.context, typed: typed, seen: seenBefore, faults: faults) }
        do {
            try await form.homing.projects.set(changes, of: project.id, by: form.author)
            return form.saved()
        } catch Refusal.Code.changedMeanwhile {
            // What this person typed stands in the fields; with what is in force now beside it, saving again is a choice.
            let context = try await form.context.renewed()
            let current = try context.project
            for (name, seen) in seenBefore {
                let now = value(name, of: current)
                guard !now.utf8.elementsEqual(seen.utf8) else { continue }
                faults[name] = "This is \(words(now, of: name)) by now, it was \(words(seen, of: name)) when you began."
            }
            return try page(
                context, typed: typed, faults: faults,
                problem:
                    "Somebody else has changed a setting meanwhile. Yours is in the form, and nothing is saved yet: "
                    + "saving again replaces theirs.")
        }
    }
}

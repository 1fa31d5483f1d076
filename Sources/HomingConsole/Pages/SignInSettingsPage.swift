// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/sign-in`: the settings of a project in groups, each a form of its own. `…/sign-in/advanced`: those that are set
/// once, if ever, and the limits of the server.
struct SignInSettingsPage: Sendable {
    let isAdvanced: Bool

    private var groups: [ProjectSetting.Group] {
        ProjectSetting.Group.allCases.filter { $0.isAdvanced == isAdvanced }
    }

    func show(_ context: ConsoleContext) async throws -> Response {
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

    private func form(of project: Project, at now: Moment) -> ConsoleForm<Edited> {
        // The project's name stands among its settings and is none of them.
        let name = ConsoleField<Edited>("Name", Self.displayName, \.name, hint: "What emails and pages call your app.")
        {
            text in
            guard (try? Projects.checkedName(text)) != nil else {
                throw ConsoleFault("A name has 1 to 100 characters, and no control characters.")
            }
        }
        let settings = ProjectSetting.all.filter { $0.group.isAdvanced == isAdvanced }.map { setting in
            var hint = Self.hint(setting)
            if setting.name.utf8.elementsEqual(ProjectSetting.signUpQuota.name.utf8),
                let note = project.settings.quotaNote(at: now)
            {
                hint = "\(hint ?? "") <strong>\(note)</strong>"
            }
            // Settings of one part have one hint.
            return Self.field(of: setting, setting.part == nil ? hint : nil)
        }
        return ConsoleForm(Edited(project), remembersSeen: true, (isAdvanced ? [] : [name]) + settings)
    }

    private static func field(of setting: ProjectSetting, _ hint: HTML?) -> ConsoleField<Edited> {
        ConsoleField(
            label: setting.label, name: setting.name, hint: hint, input: input(of: setting),
            text: { $0.settings[setting] },
            set: { edited, text in
                guard (try? edited.settings.set(setting.name, to: text)) != nil else {
                    throw ConsoleFault("This takes \(setting.acceptsInWords).")
                }
            })
    }

    private static let displayName = "displayName"

    private static func names(in group: ProjectSetting.Group) -> [String] {
        (group == .app ? [displayName] : []) + ProjectSetting.all.filter { $0.group == group }.map(\.name)
    }

    /// The group whose form was sent: each form sends the fields of one.
    private func group(of fields: QueryString) -> ProjectSetting.Group? {
        groups.first { group in
            Self.names(in: group).contains { fields["was:\($0)"] != nil || fields[$0] != nil }
        }
    }

    // MARK: The page

    private func page(_ context: ConsoleContext, _ form: ConsoleForm<Edited>) throws -> Response {
        let path = context.path(of: .signIn)
        let body: HTML = """
            <ul class="orders" aria-label="On this page">\
            \(groups.map { "<li><a href=\"#\($0.rawValue)\">\($0.title)</a></li>" as HTML })</ul>
            \(groups.map { Self.section($0, form, context) })
            """
        let page =
            isAdvanced
            ? ConsolePage(
                "Advanced settings", in: .signIn, back: ("Sign-in", path),
                lead: "What is set once, if ever, and the limits of this server.",
                "\(body)\(Self.limits(context))", of: form)
            : ConsolePage(
                .signIn, lead: "Who may sign in and how, and what emailed links do.",
                actions: "<a class=\"button quiet\" href=\"\(path)/advanced\">Advanced settings</a>", body, of: form)
        return page.answer(in: context)
    }

    /// A group of settings with its own button: what is typed into the other groups is not sent.
    private static func section(
        _ group: ProjectSetting.Group, _ form: ConsoleForm<Edited>, _ context: ConsoleContext
    ) -> HTML {
        let fields = fields(of: group, form)
        let settings: HTML =
            context.mayEdit
            ? context.form(
                fields, buttons: "<button type=\"submit\">Save<span class=\"away\"> \(group.title)</span></button>")
            : "<fieldset disabled><legend class=\"away\">\(group.title)</legend>\(fields)</fieldset>"
        return """
            <section id="\(group.rawValue)"><h2>\(group.title)</h2>\(context.done(in: group.rawValue))\(settings)</section>
            """
    }

    /// Settings of one part stand below its title, in two columns, and so do numbers that follow each other.
    private static func fields(of group: ProjectSetting.Group, _ form: ConsoleForm<Edited>) -> HTML {
        var (html, rest): (HTML, ArraySlice<String>) = ("", names(in: group)[...])
        while let name = rest.first {
            let first = ProjectSetting.named(name)
            let alike = rest.dropFirst().prefix { isAlike(first, ProjectSetting.named($0)) }
            let fields = form.html(of: [name] + alike)
            let pair: HTML = alike.isEmpty ? fields : "<div class=\"pair\">\(fields)</div>"
            html.append(first.flatMap { titled($0, pair) } ?? pair)
            rest = rest.dropFirst(1 + alike.count)
        }
        return html
    }

    private static func isAlike(_ one: ProjectSetting?, _ other: ProjectSetting?) -> Bool {
        guard let one, let other, one.part == other.part else { return false }
        return one.part != nil || one.kind == .number && other.kind == .number
    }

    /// The fields of a part below what they say together; nil where they are of none.
    private static func titled(_ setting: ProjectSetting, _ fields: HTML) -> HTML? {
        setting.part.map { title in
            let hint: HTML = "<p class=\"hint\">\(hint(setting) ?? "")</p>"
            return "<fieldset class=\"part\"><legend>\(title)</legend>\(hint)\(fields)</fieldset>"
        }
    }

    /// What a field is for, what it takes, and what holds where nobody says anything.
    private static func hint(_ setting: ProjectSetting) -> HTML? {
        let words = setting.hintInWords
        guard !setting.standard.isEmpty else { return words }
        let unit = setting.group.unit
        let range = setting.kind == .number && !unit.isEmpty ? "\(unit), \(setting.accepts). " : ""
        let before: HTML = words.map { "\($0) " } ?? ""
        return "\(before)\(range)Default: \(setting.words(for: setting.standard))."
    }

    /// A text with its code, which stands between backticks.
    ///
    /// - Parameter label: what the page calls a piece of code; nil for one that it shows as code.
    fileprivate static func withCode(_ text: String, label: (String) -> String? = { _ in nil }) -> HTML {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        return HTML(
            joining: parts.enumerated().map { index, part -> HTML in
                guard !index.isMultiple(of: 2) else { return "\(part)" }
                return label(part).map { "“\($0)”" } ?? "<code>\(part)</code>"
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
            <section><details><summary>Limits of this server</summary>
            <p>They hold for all projects of this server, but for the sign-ups of a project that has its own number. \
            Whoever runs it sets them in <code>homing.yaml</code> or in the environment, and says \
            <code>homing reload</code>; those of connections and of passwords want a restart.</p>
            \(ConsoleTable("Limits of this server", ["What is counted", "At most", "Setting and variable"], rows,
                areCards: false
            ).html)
            </details></section>
            """
    }

    private static func input(of setting: ProjectSetting) -> ConsoleInput {
        switch setting.kind {
        case _ where setting.seconds != nil: .duration(suffix: setting.suffix)
        case .flag: setting.isNegated ? .negatedCheck : .check
        case .number, .int64: .line("number")
        case .time: .time
        case .text, .language: setting.choices.isEmpty ? .line("text") : .choice(setting.choices)
        }
    }

    // MARK: Changing

    func change(_ sent: SentForm) async throws -> Response {
        let project = try sent.context.project
        let now = sent.homing.system.now()
        var form = self.form(of: project, at: now)
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
                form.faults[home.name] = "This takes \(home.accepts)."
            }
        }
        guard !form.isRefused else { return try page(sent.context, form) }
        do {
            let changes = form.changes.map { SettingChange($0.name, to: $0.text, expected: $0.seen) }
            try await sent.homing.projects.set(changes, of: project.projectID, by: sent.author)
            return sent.saved(in: group(of: sent.fields)?.rawValue)
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

extension ProjectSetting {
    /// What else there is to know, where values have the names that the page gives them; nil for nothing.
    var hintInWords: HTML? {
        hint.isEmpty
            ? nil
            : SignInSettingsPage.withCode(hint) { code in
                choices.first { $0.value.utf8.elementsEqual(code.utf8) }?.label
            }
    }
}

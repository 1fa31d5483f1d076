// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/sign-in`: ways to sign in, the password policy, lifetimes of codes, and the page that handles links.
enum SignInSettingsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    private struct Group {
        let title: String
        /// What the numbers of the group count.
        var unit = ""
        let fields: [(name: String, label: String, hint: HTML?)]
    }

    private static let groups = [
        Group(
            title: "The app",
            fields: [
                ("displayName", "Name", "What mails and pages call your app."),
                (
                    "notification.defaultLocale", "Language",
                    "For readers whose own is not known, such as <code>de</code>. Homing's words are in \(TemplatesPage.ours)."
                ),
                (
                    "notification.sendEmail.callbackUri", "Action page",
                    "The https URL of your own page, or nothing for Homing's."
                ),
                (
                    "mobileLinksConfig.domain", "Links that open an app",
                    "Their form where an app's request names no link domain."
                ),
                (
                    "links.unopenedDays", "Days until a short link that nobody opens is deleted",
                    "Of those that apps made without a name; 30 at least. Nothing or 0: they stay."
                ),
            ]),
        Group(
            title: "Ways to sign in",
            fields: [
                ("signIn.email.enabled", "Sign in with an address", nil),
                (
                    "signIn.email.passwordRequired", "Passwords only",
                    "Otherwise a mailed link signs in, too."
                ),
                ("signIn.anonymous.enabled", "Sign in without an address", nil),
                ("client.permissions.disabledUserSignup", "Nobody signs up from an app", nil),
                ("client.permissions.disabledUserDeletion", "Nobody deletes an account from an app", nil),
                (
                    "autodeleteAnonymousUsers", "Delete anonymous accounts that nobody uses",
                    "Thirty days after the last use, and thirty days after this is switched on at the earliest."
                ),
                (
                    "emailPrivacyConfig.enableImprovedEmailPrivacy", "Hide whether an address has an account",
                    "Otherwise whoever asks is told."
                ),
                ("idToken.algorithm", "Signature of ID tokens", "RS256 is what Firebase's clients know."),
                (
                    "idToken.issuer", "Issuer of ID tokens",
                    "Firebase's name, or this server's own, whose keys OpenID Connect finds by itself."
                ),
            ]),
        Group(
            title: "Sign-ups of one client address",
            fields: [
                (
                    "quota.signUpQuotaConfig.quota", "At most in an hour",
                    "For a launch or a school, where many people share one address. Nothing: the server's limit, below."
                ),
                (
                    "quota.signUpQuotaConfig.startTime", "Begins",
                    "A time, as 2026-12-24T18:00:00Z. Nothing: at once."
                ),
                (
                    "quota.signUpQuotaConfig.quotaDuration", "Lasts",
                    "Seconds from the beginning, as 604800s for a week. Nothing: for good."
                ),
            ]),
        Group(
            title: "Password policy", unit: "Characters",
            fields: [
                (
                    "passwordPolicyConfig.passwordPolicyEnforcementState", "The policy is in force",
                    "Otherwise six characters are enough."
                ),
                ("passwordPolicyConfig.minPasswordLength", "Least length", nil),
                ("passwordPolicyConfig.maxPasswordLength", "Greatest length", nil),
                ("passwordPolicyConfig.containsLowercaseCharacter", "A lower case letter", nil),
                ("passwordPolicyConfig.containsUppercaseCharacter", "An upper case letter", nil),
                ("passwordPolicyConfig.containsNumericCharacter", "A digit", nil),
                ("passwordPolicyConfig.containsNonAlphanumericCharacter", "A symbol", nil),
                ("passwordPolicyConfig.refuseGuessablePasswords", "Refuse passwords that are easy to guess", nil),
                (
                    "passwordPolicyConfig.forceUpgradeOnSignin", "Refuse sign-ins with passwords that break the policy",
                    nil
                ),
            ]),
        Group(
            title: "Lifetimes of mailed links", unit: "Seconds",
            fields: ActionCodeKind.allCases.map { ("actionCodes.lifetimeSeconds.\($0.name)", label(of: $0), nil) }),
    ]

    private static func label(of kind: ActionCodeKind) -> String {
        switch kind {
        case .passwordReset: "Reset of a password"
        case .verifyEmail: "Verification of an address"
        case .signIn: "Sign-in"
        case .verifyAndChangeEmail: "Change of an address"
        case .recoverEmail: "Way back to the old address"
        }
    }

    private static func value(_ name: String, of project: Project) -> String {
        name == "displayName" ? project.name : project.settings.value(name)
    }

    private static func page(
        _ context: ConsoleContext, typed: [String: String] = [:], seen: [String: String] = [:],
        faults: [String: String] = [:], problem: String? = nil
    ) throws -> Response {
        let project = try context.project
        let keys = Dictionary(uniqueKeysWithValues: ProjectSettings.keys.map { ($0.name, $0) })
        let sections = groups.map { group -> HTML in
            let fields = group.fields.map { field -> HTML in
                let shown = typed[field.name] ?? value(field.name, of: project)
                let key = keys[field.name]
                var hint = Self.hint(field.hint, key, unit: group.unit)
                if field.name == "quota.signUpQuotaConfig.quota",
                    let note = project.settings.quotaNote(at: context.homing.system.now())
                {
                    hint = "\(hint ?? "") <strong>\(note)</strong>"
                }
                let control: ConsoleField
                if key?.kind == .flag {
                    control = .check(
                        field.label, field.name, isOn: shown == "true", hint: hint, fault: faults[field.name])
                } else if let options = options(of: field.name) {
                    control = ConsoleField(
                        field.label, field.name, value: shown, hint: hint, fault: faults[field.name],
                        kind: .choice(options))
                } else {
                    control = ConsoleField(
                        field.label, field.name, value: shown, hint: hint, fault: faults[field.name],
                        kind: .line([.number, .int64].contains(key?.kind) ? "number" : "text"))
                }
                // What the author of the form saw, so that nobody's change is written over unseen.
                let was = seen[field.name] ?? value(field.name, of: project)
                return control.html() + "<input type=\"hidden\" name=\"was:\(field.name)\" value=\"\(was)\">"
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
    private static func hint(_ words: HTML?, _ key: ProjectSettings.Key?, unit: String) -> HTML? {
        guard let key, !key.standard.isEmpty else { return words }
        var standard = Self.words(key.standard, of: key.name)
        if unit == "Seconds", let seconds = Int(key.standard) {
            standard += " (\(Texts.of(.english).lifetime(seconds: seconds)))"
        }
        let range = key.kind == .number ? "\(unit), \(key.accepts). " : ""
        let before: HTML = words.map { "\($0) " } ?? ""
        return "\(before)\(range)Default: \(standard)."
    }

    /// The limits of the server.
    private static func limits(_ context: ConsoleContext) -> HTML {
        let limits = context.homing.limits
        let rows = Limits.rows.map { row -> [HTML] in
            let number = limits[keyPath: row.value]
            let parts = row.meaning.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
            let meaning = parts.enumerated().map { index, text -> HTML in
                index.isMultiple(of: 2) ? "\(text)" : "<code>\(text)</code>"
            }
            return [
                HTML(joining: meaning), number == 0 ? "no limit" : "\(number)",
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

    private static func options(of name: String) -> [(value: String, label: String)]? {
        switch name {
        case "passwordPolicyConfig.passwordPolicyEnforcementState": [("ENFORCE", "yes"), ("OFF", "no")]
        case "idToken.algorithm": [("RS256", "RS256"), ("ES256", "ES256")]
        case "mobileLinksConfig.domain":
            [
                ("HOSTING_DOMAIN", "as Firebase Hosting's"),
                ("FIREBASE_DYNAMIC_LINK_DOMAIN", "as Firebase Dynamic Links'"),
            ]
        case "idToken.issuer": [("firebase", "Firebase's"), ("own", "our own")]
        default: nil
        }
    }

    /// A setting's value as the page shows it.
    private static func words(_ value: String, of name: String) -> String {
        if value.isEmpty { return "nothing" }
        if flags.contains(name) { return value == "true" ? "on" : "off" }
        return options(of: name)?.first { $0.value.utf8.elementsEqual(value.utf8) }?.label ?? value
    }

    private static let flags = Set(ProjectSettings.keys.filter { $0.kind == .flag }.map(\.name))
    private static let shortest = "passwordPolicyConfig.minPasswordLength"
    private static let longest = "passwordPolicyConfig.maxPasswordLength"

    static func change(_ form: ConsoleForm) async throws -> Response {
        let project = try form.context.project
        var typed: [String: String] = [:]
        var seenBefore: [String: String] = [:]
        var faults: [String: String] = [:]
        var changes: [SettingChange] = []
        var trial = project.settings
        for (name, label, _) in groups.flatMap(\.fields) {
            guard let seen = form.fields["was:\(name)"] else { continue }
            let text = flags.contains(name) ? (form.text(name) == "true" ? "true" : "false") : form.text(name)
            guard !text.utf8.elementsEqual(seen.utf8) else { continue }
            typed[name] = text
            seenBefore[name] = seen
            changes.append(SettingChange(name, to: text, expected: seen))
            if name == "displayName" {
                if (try? Projects.checkedName(text)) == nil {
                    faults[name] = "A name has 1 to 100 characters, and no control characters."
                }
            } else if (try? trial.set(name, to: text)) == nil,
                let key = ProjectSettings.keys.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
            {
                faults[name] = "\(label) takes \(key.accepts)."
            }
        }
        let policy = trial.passwordPolicy
        if faults.isEmpty, policy.minimumLength > policy.maximumLength {
            faults[typed[longest] == nil ? shortest : longest] =
                "No password is at least \(policy.minimumLength) and at most \(policy.maximumLength) characters long."
        }
        if faults.isEmpty, (try? trial.check()) == nil {
            faults["quota.signUpQuotaConfig.startTime"] = "A number of sign-ups that lasts a time has a beginning."
        }
        guard faults.isEmpty else { return try page(form.context, typed: typed, seen: seenBefore, faults: faults) }
        do {
            try await form.homing.projects.set(changes, of: project.id, by: form.author)
            return form.saved()
        } catch Refusal.changedMeanwhile {
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

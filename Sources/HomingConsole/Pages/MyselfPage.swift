// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingLinkRules
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/me`: the reader's own password, second factor and sessions, and the way out.
enum MyselfPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    enum Action: String, ConsoleAction {
        case password, enrol, confirm, remove, end
        case endOthers = "end-others"
    }

    private static var newPassword: ConsoleForm<String> {
        ConsoleForm(
            "New password", "password", hint: "At least 10 characters. Other sessions of yours end.",
            .line("password"), autocomplete: "new-password")
    }

    /// What proves an authenticator app, and the second factor that is in force.
    private struct Codes {
        var new = ""
        var present = ""
    }

    private static func confirmation(of person: Operator) -> ConsoleForm<Codes> {
        let code = ConsoleField(
            "Code that the app shows", "code", \Codes.new, isRequired: true, autocomplete: "one-time-code")
        return ConsoleForm(Codes(), scope: "replace-", person.hasSecondFactor ? [code, present] : [code])
    }

    private static func removal(of person: Operator) -> ConsoleForm<Codes> {
        ConsoleForm(Codes(), scope: "remove-", person.hasSecondFactor ? [present] : [])
    }

    private static var present: ConsoleField<Codes> {
        ConsoleField("Code of the app that you have now, or a recovery code", "present", \.present, isRequired: true)
    }

    /// What a form of the page has done or was refused.
    private struct Outcome {
        var password = newPassword
        /// An authenticator app that is being set up.
        var enrolment: (app: TOTP, form: ConsoleForm<Codes>)?
        var removal: ConsoleForm<Codes>?
        var note: HTML = ""
        /// The reader as the form has left them.
        var person: Operator?

        /// The form that was refused.
        var sent: (any ConsoleFormOutcome)? {
            let forms: [(any ConsoleFormOutcome)?] = [password, enrolment?.form, removal]
            return forms.compactMap(\.self).first { $0.isRefused }
        }
    }

    private static func page(_ context: ConsoleContext, _ outcome: Outcome = Outcome()) async throws -> Response {
        let person = outcome.person ?? context.person
        let leaving = context.form(to: AdminSignIn.signOutPath, button: "Sign out", .quiet)
        let sessions = try await sessions(context)
        guard !person.isOfServer else {
            return ConsolePage(
                "Your sign-in",
                """
                <section><p>You came with a link that the server printed. Add yourself under \
                <a href="/console/operators">Operators</a>; from then on you sign in with a link that is mailed to \
                you.</p>\(leaving)</section>
                \(sessions)
                """
            ).answer(in: context)
        }
        let isRequired = try await context.homing.operators.requiresSecondFactor()
        let mustHave = isRequired.bySettings || isRequired.byOwners
        return ConsolePage(
            "Your sign-in",
            """
            \(outcome.note)
            \(mustHave && !person.hasSecondFactor
                ? "<p class=\"problem\" role=\"alert\">Every operator of this server must have a second factor. Set up an authenticator app below; then the console opens.</p>" as HTML
                : "")
            <section><p>You are <bdi>\(person.address)</bdi>, \(person.role.rawValue) of \
            \(person.projects?.map(\.text).joined(separator: ", ") ?? "all projects").</p>\(leaving)</section>
            \(sessions)
            <section><h2>Password</h2>
            <p>\(person.hasPassword ? "You have one." : "You have none, and sign in with a mailed link.")</p>
            \(context.form(hidden: [Action.password.hidden], outcome.password.html, button: "Set the password"))</section>
            <section><h2>Second factor</h2>\(secondFactor(context, person, outcome))</section>
            \(mustHave ? "" : removal(context, person, outcome))
            """, of: outcome.sent
        ).answer(in: context)
    }

    // MARK: The second factor

    private static func secondFactor(_ context: ConsoleContext, _ person: Operator, _ outcome: Outcome) -> HTML {
        guard let (app, form) = outcome.enrolment else {
            return """
                <p>\(person.hasSecondFactor ? "It is on: behind a mailed link and behind a password a code of your authenticator app is asked for." : "None. With an authenticator app a code is asked for behind a mailed link and behind a password.")</p>
                \(context.form(hidden: [Action.enrol.hidden], button: person.hasSecondFactor ? "Set up another app" : "Set up an authenticator app", .quiet))
                """
        }
        return """
            <p>Point your authenticator app at this picture, or type the key into it. Then type the code that it shows.</p>
            \(picture(of: app.url(account: person.address)))
            \(ConsoleLines("key", app.secretInWords).html)
            \(context.form(
                hidden: [Action.confirm.hidden, ("secret", Base64URL.encode(app.secret))], form.html,
                button: "Confirm"))
            """
    }

    private static func removal(_ context: ConsoleContext, _ person: Operator, _ outcome: Outcome) -> HTML {
        guard person.hasPassword || person.hasSecondFactor else { return "" }
        let form = outcome.removal ?? removal(of: person)
        return """
            <section><h2>Back to mailed links only</h2>
            \(context.confirmation(
                "Remove password and second factor", "From then on only mailed links sign you in.",
                hidden: [Action.remove.hidden], form.html, button: "Remove both", isOpen: form.isRefused))</section>
            """
    }

    private static func picture(of url: String) -> HTML {
        guard let code = try? QRCode(url) else { return "" }
        let bytes = Data(code.svg.utf8).base64EncodedString()
        return
            "<p><img src=\"data:image/svg+xml;base64,\(bytes)\" width=\"220\" height=\"220\" alt=\"QR code of the key\"></p>"
    }

    // MARK: Sessions

    private static func sessions(_ context: ConsoleContext) async throws -> HTML {
        let open = try await context.homing.adminSessions.list(of: context.person)
        let rows = open.map { session -> [HTML] in
            let isThis = context.session.isSame(as: session)
            let began = ConsoleTime(session.beganAt)
            return [
                began.html, ConsoleTime(session.endsAt).html, method(session),
                session.caller.map { "<code>\($0)</code>" } ?? "",
                isThis
                    ? "<span class=\"tag plain\">this session</span>"
                    : context.form(
                        hidden: [Action.end.hidden, ("session", session.id)],
                        button: "End the session of \(began.words)", .quiet),
            ]
        }
        let others: HTML =
            open.count > 1
            ? context.form(hidden: [Action.endOthers.hidden], button: "Sign out everywhere else", .danger) : ""
        let headings = ["Signed in", "Ends", "Method", "IP address", "Actions"]
        let list: HTML =
            rows.isEmpty
            ? "<p>No active sessions.</p>" : ConsoleTable("Your active sessions", headings, rows).html
        return "<section><h2>Sessions</h2>\(list)\(others)</section>"
    }

    private static func method(_ session: OpenAdminSession) -> HTML {
        switch session.firstFactor {
        case .link: "one-time link"
        case .password: "password"
        case nil: ""
        }
    }

    // MARK: Forms

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let sessions = sent.homing.adminSessions
        switch action {
        case .end:
            try await sessions.end(sent.text("session"), of: sent.context.person)
            return sent.saved(nil, .ended)
        case .endOthers:
            try await sessions.endOthers(than: sent.context.session, of: sent.context.person)
            return sent.saved(nil, .ended)
        case .password, .enrol, .confirm, .remove: return try await changeCredentials(action, sent)
        }
    }

    private static func changeCredentials(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (context, operators, person) = (sent.context, sent.homing.operators, sent.context.person)
        guard !person.isOfServer else { throw ConsoleRefusal.notFound }
        guard context.session.isFresh(at: sent.homing.system.now()) else { throw ConsoleRefusal.needsFreshSession }
        switch action {
        case .enrol:
            let enrolment = (app: operators.newSecondFactor(), form: confirmation(of: person))
            return try await page(context, Outcome(enrolment: enrolment))
        case .confirm: return try await confirm(sent)
        case .remove:
            let typed = try typed(removal(of: person), sent)
            var form = removal(of: person)
            do {
                let isRemoved = try await operators.removeCredentials(
                    of: person.address, code: typed.present, keeping: context.session, by: sent.author)
                if isRemoved { return sent.saved() }
                form.faults["present"] = wrongCode(sent)
            } catch let refusal as Refusal {
                form.faults["present"] = refusal.consoleSentence
            }
            return try await page(context, Outcome(removal: form))
        default:
            var form = newPassword
            _ = try form.take(sent)
            do {
                try await operators.setPassword(form.value, of: person.address, keeping: context.session)
                return sent.saved()
            } catch let refusal as Refusal {
                form.faults["password"] = refusal.consoleSentence
                return try await page(context, Outcome(password: form))
            }
        }
    }

    /// The codes that were typed. A page that asks for them again does not show them.
    private static func typed(_ form: ConsoleForm<Codes>, _ sent: SentForm) throws -> Codes {
        var form = form
        _ = try form.take(sent)
        return form.value
    }

    private static let notTheCode =
        "This is not the code of now. Type the newest one; is the clock of your phone right?"

    /// Reports that the second factor in force was not shown.
    private static func wrongCode(_ sent: SentForm) -> String {
        sent.homing.system.report(SecurityEvent(.operatorCodeWrong, subject: sent.context.person.address))
        return notTheCode
    }

    private static func confirm(_ sent: SentForm) async throws -> Response {
        let (context, operators, person) = (sent.context, sent.homing.operators, sent.context.person)
        guard let secret = Base64URL.decode(sent.text("secret")), secret.count == TOTP.secretLength else {
            throw ConsoleRefusal.foreignForm
        }
        let app = TOTP(secret: secret)
        let typed = try typed(confirmation(of: person), sent)
        var form = confirmation(of: person)
        guard operators.isCode(typed.new, of: app) else {
            form.faults["code"] = notTheCode
            return try await page(context, Outcome(enrolment: (app, form)))
        }
        // Only who has a second factor has the field of its code.
        let blamed = person.hasSecondFactor ? "present" : "code"
        do {
            let codes = try await operators.setSecondFactor(
                app, code: typed.new, of: person.address, replacing: typed.present, keeping: context.session)
            guard let codes else {
                form.faults[blamed] = wrongCode(sent)
                return try await page(context, Outcome(enrolment: (app, form)))
            }
            return try await page(
                context,
                Outcome(
                    note: """
                        <section class="note" role="status"><h2>The second factor is on</h2>
                        <p>From now on a code of your app is asked for at every sign-in. <a href="/console/">Go on to the \
                        console</a></p>
                        <h3>Recovery codes, shown this once</h3>
                        <p>Each one stands in for the app, once. Keep them where the phone is not.</p>
                        \(ConsoleLines("recovery codes", codes.joined(separator: "\n")).html)</section>
                        """, person: try await operators.find(person.address)))
        } catch let refusal as Refusal {
            form.faults[blamed] = refusal.consoleSentence
            return try await page(context, Outcome(enrolment: (app, form)))
        }
    }
}

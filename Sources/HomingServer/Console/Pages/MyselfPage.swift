// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/me`: the reader's own password, second factor and sessions, and the way out.
enum MyselfPage {
    static let path = "/console/me"

    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    /// What a form of the page has done or was refused.
    private struct Outcome {
        var fault: (field: String, sentence: String)?
        /// An authenticator app that is being set up.
        var enrolment: TOTP?
        var note: HTML = ""
        /// The reader as the form has left them.
        var person: Operator?
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
        let password = ConsoleField(
            "New password", "password", hint: "At least 10 characters. Other sessions of yours end.",
            fault: outcome.fault?.field == "password" ? outcome.fault?.sentence : nil, kind: .line("password"),
            isRequired: true, autocomplete: "new-password")
        return ConsolePage(
            "Your sign-in",
            """
            \(outcome.note)
            \(mustHave && !person.hasSecondFactor
                ? "<p class=\"problem\" role=\"alert\">Every operator of this server must have a second factor. Set up an authenticator app below; then the console opens.</p>" as HTML
                : "")
            <section><p>You are <bdi>\(person.address)</bdi>, \(person.role.rawValue) of \
            \(person.projects?.joined(separator: ", ") ?? "all projects").</p>\(leaving)</section>
            <section><h2>Password</h2>
            <p>\(person.hasPassword ? "You have one." : "You have none, and sign in with a mailed link.")</p>
            \(context.form(hidden: [("do", "password")], password.html(), button: "Set the password"))</section>
            <section><h2>Second factor</h2>\(secondFactor(context, person, outcome))</section>
            \(removal(context, person, outcome, mustHave: mustHave))
            \(sessions)
            """, status: outcome.fault == nil ? .ok : .badRequest
        ).answer(in: context)
    }

    // MARK: The second factor

    private static func secondFactor(_ context: ConsoleContext, _ person: Operator, _ outcome: Outcome) -> HTML {
        guard let enrolment = outcome.enrolment else {
            return """
                <p>\(person.hasSecondFactor ? "It is on: behind a mailed link and behind a password a code of your authenticator app is asked for." : "None. With an authenticator app a code is asked for behind a mailed link and behind a password.")</p>
                \(context.form(hidden: [("do", "enrol")], button: person.hasSecondFactor ? "Set up another app" : "Set up an authenticator app", .quiet))
                """
        }
        let code = ConsoleField(
            "Code that the app shows", "code", fault: outcome.fault?.field == "code" ? outcome.fault?.sentence : nil,
            isRequired: true, autocomplete: "one-time-code")
        let present = person.hasSecondFactor ? presentCode(outcome, for: "replace").html(scope: "replace-") : ""
        return """
            <p>Point your authenticator app at this picture, or type the key into it. Then type the code that it shows.</p>
            \(picture(of: enrolment.url(account: person.address)))
            \(ConsoleLines("key", enrolment.secretInWords).html)
            \(context.form(hidden: [("do", "confirm"), ("secret", Base64URL.encode(enrolment.secret))], code.html() + present, button: "Confirm"))
            """
    }

    private static let presentCodeField = "present"

    /// What proves the second factor that is in force.
    private static func presentCode(_ outcome: Outcome, for form: String) -> ConsoleField {
        ConsoleField(
            "Code of the app that you have now, or a recovery code", presentCodeField,
            fault: outcome.fault?.field == form ? outcome.fault?.sentence : nil, isRequired: true)
    }

    private static func removal(
        _ context: ConsoleContext, _ person: Operator, _ outcome: Outcome, mustHave: Bool
    ) -> HTML {
        guard person.hasPassword || person.hasSecondFactor, !mustHave else { return "" }
        let code = person.hasSecondFactor ? presentCode(outcome, for: "remove").html(scope: "remove-") : ""
        return """
            <section><h2>Back to mailed links only</h2>
            <details class="act"\(outcome.fault?.field == "remove" ? " open" as HTML : "")>\
            <summary>Remove password and second factor</summary><p>From then on only mailed links sign you in.</p>\
            \(context.form(hidden: [("do", "remove")], code, button: "Remove both", .danger))</details></section>
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
            return [
                "\(time(session.beganAt))", "\(time(session.endsAt))", "\(session.firstFactor?.rawValue ?? "")",
                "\(session.caller ?? "")",
                isThis
                    ? "this one"
                    : context.form(
                        hidden: [("do", "end"), ("session", session.id)],
                        button: "End the session of \(time(session.beganAt))",
                        .quiet),
            ]
        }
        let others: HTML =
            open.count > 1 ? context.form(hidden: [("do", "end-others")], button: "End all others", .danger) : ""
        return """
            <section><h2>Sessions</h2>
            \(ConsoleTable("Your open sessions", ["Began", "Ends", "With", "From", ""], rows).html)\(others)</section>
            """
    }

    private static func time(_ moment: Moment) -> String {
        Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000).formatted(.iso8601)
    }

    // MARK: Forms

    static func change(_ form: ConsoleForm) async throws -> Response {
        let sessions = form.homing.adminSessions
        switch form.text("do") {
        case "end":
            try await sessions.end(form.text("session"), of: form.context.person)
            return form.saved(nil, .ended)
        case "end-others":
            try await sessions.endOthers(than: form.context.session, of: form.context.person)
            return form.saved(nil, .ended)
        default: return try await changeCredentials(form)
        }
    }

    private static func changeCredentials(_ form: ConsoleForm) async throws -> Response {
        let operators = form.homing.operators
        let person = form.context.person
        guard !person.isOfServer else { throw ConsoleRefusal.notFound }
        guard form.context.session.isFresh(at: form.homing.system.now()) else { throw ConsoleRefusal.needsFreshSession }
        switch form.text("do") {
        case "password":
            do {
                try await operators.setPassword(
                    form.fields["password"] ?? "", of: person.address, keeping: form.context.session)
            } catch let refusal as Refusal {
                return try await page(form.context, Outcome(fault: ("password", refusal.consoleSentence)))
            }
            return form.saved()
        case "enrol":
            return try await page(form.context, Outcome(enrolment: operators.newSecondFactor()))
        case "confirm": return try await confirm(form)
        case "remove":
            do {
                let isRemoved = try await operators.removeCredentials(
                    of: person.address, code: form.text(presentCodeField), keeping: form.context.session,
                    by: form.author)
                guard isRemoved else { return try await wrongCode(form, Outcome(fault: ("remove", Self.wrongCode))) }
            } catch let refusal as Refusal {
                return try await page(form.context, Outcome(fault: ("remove", refusal.consoleSentence)))
            }
            return form.saved()
        default: throw ConsoleRefusal.notFound
        }
    }

    private static let wrongCode =
        "This is not the code of now. Type the newest one; is the clock of your phone right?"

    private static func wrongCode(_ form: ConsoleForm, _ outcome: Outcome) async throws -> Response {
        form.homing.system.report(SecurityEvent(.operatorCodeWrong, subject: form.context.person.address))
        return try await page(form.context, outcome)
    }

    private static func confirm(_ form: ConsoleForm) async throws -> Response {
        let operators = form.homing.operators
        let address = form.context.person.address
        guard let secret = Base64URL.decode(form.text("secret")), secret.count == TOTP.secretLength else {
            throw ConsoleRefusal.foreignForm
        }
        let totp = TOTP(secret: secret)
        guard operators.isCode(form.text("code"), of: totp) else {
            return try await page(form.context, Outcome(fault: ("code", wrongCode), enrolment: totp))
        }
        do {
            let codes = try await operators.setSecondFactor(
                totp, code: form.text("code"), of: address, replacing: form.text(presentCodeField),
                keeping: form.context.session)
            guard let codes else {
                return try await wrongCode(form, Outcome(fault: ("replace", wrongCode), enrolment: totp))
            }
            return try await page(
                form.context,
                Outcome(
                    note: """
                        <section class="note" role="status"><h2>The second factor is on</h2>
                        <p>From now on a code of your app is asked for at every sign-in. <a href="/console/">Go on to the \
                        console</a></p>
                        <h3>Recovery codes, shown this once</h3>
                        <p>Each one stands in for the app, once. Keep them where the phone is not.</p>
                        \(ConsoleLines("recovery codes", codes.joined(separator: "\n")).html)</section>
                        """, person: try await operators.find(address)))
        } catch let refusal as Refusal {
            return try await page(
                form.context, Outcome(fault: ("replace", refusal.consoleSentence), enrolment: totp))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `/console/me`: the reader's own password and second factor, and the way out.
enum MyselfPage {
    static func show(_ context: ConsoleContext) async throws -> Response { page(context) }

    private static func page(
        _ context: ConsoleContext, fault: (field: String, sentence: String)? = nil, enrolment: TOTP? = nil,
        note: HTML = ""
    ) -> Response {
        let person = context.person
        let status: HTTPResponse.Status = fault == nil ? .ok : .badRequest
        let leaving = context.form(to: AdminSignIn.signOutPath, button: "Sign out", .quiet)
        guard !person.isOfServer else {
            return ConsolePage(
                "Your sign-in",
                """
                <section><p>You came with a link that the server printed. Add yourself under \
                <a href="/console/operators">Operators</a>; from then on you sign in with a link that is mailed to \
                you.</p>\(leaving)</section>
                """
            ).answer(in: context)
        }
        let password = ConsoleField(
            "New password", "password", hint: "At least 10 characters. Other sessions of yours end.",
            fault: fault?.field == "password" ? fault?.sentence : nil, kind: .line("password"), isRequired: true,
            autocomplete: "new-password")
        return ConsolePage(
            "Your sign-in",
            """
            \(note)
            <section><p>You are <bdi>\(person.address)</bdi>, \(person.role.rawValue) of \
            \(person.projects?.joined(separator: ", ") ?? "all projects").</p>\(leaving)</section>
            <section><h2>Password</h2>
            <p>\(person.hasPassword ? "You have one." : "You have none, and sign in with a mailed link.")</p>
            \(context.form(hidden: [("do", "password")], password.html(), button: "Set the password"))</section>
            <section><h2>Second factor</h2>\(secondFactor(context, enrolment, fault))</section>
            \(person.hasPassword || person.hasSecondFactor
                ? "<section><h2>Back to mailed links only</h2>\(context.confirmation("Remove password and second factor", "From then on only mailed links sign you in.", hidden: [("do", "remove")], button: "Remove both"))</section>" as HTML
                : "")
            """, status: status
        ).answer(in: context)
    }

    private static func secondFactor(
        _ context: ConsoleContext, _ enrolment: TOTP?, _ fault: (field: String, sentence: String)?
    ) -> HTML {
        guard let enrolment else {
            return """
                <p>\(context.person.hasSecondFactor ? "Codes of your authenticator app are asked for." : "None. It is asked for beside a password.")</p>
                \(context.form(hidden: [("do", "enrol")], button: context.person.hasSecondFactor ? "Set up another app" : "Set up an authenticator app", .quiet))
                """
        }
        let code = ConsoleField(
            "Code that the app shows", "code", fault: fault?.field == "code" ? fault?.sentence : nil,
            isRequired: true, autocomplete: "one-time-code")
        return """
            <p>Point your authenticator app at this picture, or type the key into it. Then type the code that it shows.</p>
            \(picture(of: enrolment.url(account: context.person.address)))
            \(ConsoleLines("key", enrolment.secretInWords).html)
            \(context.form(hidden: [("do", "confirm"), ("secret", Base64URL.encode(enrolment.secret))], code.html(), button: "Confirm"))
            """
    }

    private static func picture(of url: String) -> HTML {
        guard let code = try? QRCode(url) else { return "" }
        let bytes = Data(code.svg.utf8).base64EncodedString()
        return
            "<p><img src=\"data:image/svg+xml;base64,\(bytes)\" width=\"220\" height=\"220\" alt=\"QR code of the key\"></p>"
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
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
                return page(form.context, fault: ("password", refusal.consoleSentence))
            }
            return form.saved()
        case "enrol":
            return page(form.context, enrolment: operators.newSecondFactor())
        case "confirm":
            guard let secret = Base64URL.decode(form.text("secret")), secret.count == TOTP.secretLength else {
                throw ConsoleRefusal.foreignForm
            }
            let totp = TOTP(secret: secret)
            let codes = try await operators.setSecondFactor(
                totp, code: form.text("code"), of: person.address, keeping: form.context.session)
            guard let codes else {
                return page(
                    form.context,
                    fault: (
                        "code", "This is not the code of now. Type the newest one; is the clock of your phone right?"
                    ),
                    enrolment: totp)
            }
            return page(
                form.context,
                note: """
                    <section class="note" role="status"><h2>Recovery codes, shown this once</h2>
                    <p>Each one stands in for the app, once. Keep them where the phone is not.</p>
                    \(ConsoleLines("recovery codes", codes.joined(separator: "\n")).html)</section>
                    """)
        case "remove":
            try await operators.removeCredentials(
                of: person.address, keeping: form.context.session, by: form.author)
            return form.saved()
        default: throw ConsoleRefusal.notFound
        }
    }
}

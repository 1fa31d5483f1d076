// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// The pages where an operator signs in: by a link that is mailed, or with a password; and the code of the authenticator
/// app behind either, where there is one.
struct ConsoleSignIn: Sendable {
    static let path = "/console/sign-in"
    static let codePath = "\(path)/code"

    let homing: Homing
    let signIn: AdminSignIn

    private var cookie: AdminCookie { signIn.cookie }

    func show(_ request: Request) async throws -> Response {
        if try await cookie.session(of: request.headers, homing)?.opens(.console) == true {
            return PageAnswer.redirect(to: AdminPage.console.path)
        }
        return page()
    }

    func act(_ request: Request, caller: String) async throws -> Response {
        guard AdminFormContext.beginsOnOwnPage(request) else { return AdminSignIn.foreignForm(request, homing) }
        let form = try await Routes.formFields(of: request)
        let address = form["address"] ?? ""
        do {
            guard form["way"] == "password" else {
                let browser = try await homing.operators.mailLink(to: address, caller: caller)
                var response = document("Look into your mail", mailed(address))
                response.headers[.setCookie] = cookie.remembering(browser: browser)
                return response
            }
            let code = form["code"] ?? ""
            let entry = try await homing.operators.signIn(
                address, password: form["password"] ?? "", code: code, caller: caller)
            guard let entry else {
                report(code.isEmpty ? .operatorSignInFailed : .operatorCodeWrong, address)
                return page(
                    address, passwordFault: "Address, password or code is wrong. Try again, or have a link mailed.",
                    status: .forbidden)
            }
            guard !entry.awaitsCode else {
                var response = codePage(status: .forbidden)
                response.headers[.setCookie] = cookie.waiting(entry.secret)
                return response
            }
            try await signIn.begun(address, instead: request)
            return cookie.answer(entry, to: request)
        } catch let refusal as Refusal {
            if refusal.code == .tooManyAttempts { report(.operatorLocked, address) }
            let isPassword = form["way"] == "password"
            return page(
                address, linkFault: isPassword ? nil : refusal.consoleSentence,
                passwordFault: isPassword ? refusal.consoleSentence : nil, status: WireError(refusal).status)
        }
    }

    /// - Parameter typed: what was typed as an address: a line of the log names nothing else that somebody typed.
    private func report(_ kind: SecurityEvent.Kind, _ typed: String) {
        homing.system.report(SecurityEvent(kind, subject: (try? EmailAddress(parsing: typed))?.text))
    }

    // MARK: The code behind a first factor

    func askForCode(_ request: Request) async throws -> Response {
        guard let secret = cookie.waiting(of: request.headers), try await homing.adminSessions.awaitsCode(secret) else {
            return PageAnswer.redirect(to: Self.path, status: .seeOther)
        }
        return codePage()
    }

    func takeCode(_ request: Request) async throws -> Response {
        guard AdminFormContext.beginsOnOwnPage(request) else { return AdminSignIn.foreignForm(request, homing) }
        let form = try await Routes.formFields(of: request)
        do {
            let answer = try await homing.operators.pass(
                form["code"] ?? "", after: cookie.waiting(of: request.headers) ?? "")
            switch answer {
            case .passed(let entry, let address):
                try await signIn.begun(address, instead: request)
                return cookie.answer(entry, to: request)
            case .wrong(let address):
                report(.operatorCodeWrong, address)
                return codePage(fault: "This is not the code of now. Type the newest one.", status: .forbidden)
            case .ended:
                return page(
                    linkFault: "A code is waited for for a quarter of an hour. Begin again.", status: .forbidden)
            }
        } catch let refusal as Refusal {
            if refusal.code == .tooManyAttempts { homing.system.report(SecurityEvent(.operatorLocked)) }
            return codePage(fault: refusal.consoleSentence, status: WireError(refusal).status)
        }
    }

    private func codePage(fault: String? = nil, status: HTTPResponse.Status = .ok) -> Response {
        let code = ConsoleField(
            "Code that your authenticator app shows, or a recovery code", "code", fault: fault, isRequired: true,
            autocomplete: "one-time-code")
        return document(
            "One more step",
            """
            <section><form method="post" action="\(Self.codePath)">\(code.html())<button type="submit">Go on</button></form>
            <p class="hint">Phone and recovery codes are lost? On the server <code>homing operator link ADDRESS \
            --forget</code> takes the app away.</p></section>
            <p><a href="\(Self.path)">Begin again</a></p>
            """, status: status)
    }

    // MARK: Views

    private func page(
        _ address: String = "", linkFault: String? = nil, passwordFault: String? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        func field(_ label: String, _ name: String, _ kind: String, _ autocomplete: String, fault: String? = nil)
            -> ConsoleField
        {
            ConsoleField(
                label, name, value: name == "address" ? address : "", fault: fault, kind: .line(kind),
                isRequired: name != "code", autocomplete: autocomplete)
        }
        let password = [
            field("Address", "address", "email", "username"),
            field("Password", "password", "password", "current-password", fault: passwordFault),
            field("Code of your authenticator app, if you have set one up", "code", "text", "one-time-code"),
        ]
        let link = field("Address", "address", "email", "email", fault: linkFault)
        return document(
            "Sign in",
            """
            <section><h2>With a link by mail</h2>
            <form method="post" action="\(Self.path)"><input type="hidden" name="way" value="link">\(link.html())\
            <button type="submit">Mail me a link</button></form></section>
            <section><details\(passwordFault == nil ? "" : " open" as HTML)><summary>With a password</summary>
            <form method="post" action="\(Self.path)"><input type="hidden" name="way" value="password">\
            \(password.map { $0.html(scope: "password-") })<button type="submit">Sign in</button></form></details></section>
            <p class="hint">Are you here for the first time? Open the link that <code>homing operator add</code> prints on the \
            server.</p>
            """, status: status)
    }

    private func mailed(_ address: String) -> HTML {
        """
        <section><p>If <bdi>\(address)</bdi> belongs to an operator, a link is on its way. It opens in this browser, once, \
        for a quarter of an hour.</p></section>
        """
    }

    private func document(_ title: String, _ body: HTML, status: HTTPResponse.Status = .ok) -> Response {
        var response = PageAnswer.html(
            ConsoleLayout.document(
                title: title,
                navigation: """
                    <header><a class="home" href="/console/"><span class="mark" aria-hidden="true">H</span> Homing \
                    console</a></header>
                    """, body: "<h1>\(title)</h1>\(body)", isSignedOut: true),
            status: status, policy: ConsoleLayout.contentSecurityPolicy)
        response.headers[.referrerPolicy] = AdminFormContext.signInReferrerPolicy
        return response
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// The pages where an operator signs in: by a link that is mailed, or with a password; and the code of the
/// authenticator app behind either, where there is one.
struct ConsoleSignIn: ConsoleSignInPages {
    let homing: Homing
    let signIn: AdminSignIn

    private var cookie: AdminCookie { signIn.cookie }

    private enum Way: String, ConsoleAction {
        case link, password

        static let field = "way"
        static let unnamed: Way? = .link
    }

    private struct Credentials {
        var address: String
        var password = ""
        var code = ""
    }

    func show(_ request: Request) async throws -> Response {
        if try await cookie.session(of: request.headers, homing)?.opens(.console) == true {
            return PageAnswer.redirect(to: AdminPage.console.path)
        }
        return page()
    }

    func act(_ request: Request, caller: String) async throws -> Response {
        guard AdminFormContext.beginsOnOwnPage(request) else { return AdminSignIn.foreignForm(request, homing) }
        let form = try await Routes.formFields(of: request)
        let (way, address) = (Way(in: form) ?? .link, form["address"] ?? "")
        do {
            guard way == .password else {
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
            let sentence = refusal.consoleSentence
            return page(
                address, linkFault: way == .link ? sentence : nil, passwordFault: way == .password ? sentence : nil,
                status: WireError(refusal).status)
        }
    }

    /// - Parameter typed: what was typed as an address: a line of the log names nothing else that somebody typed.
    private func report(_ kind: SecurityEvent.Kind, _ typed: String) {
        homing.system.report(SecurityEvent(kind, subject: (try? EmailAddress(parsing: typed))?.text))
    }

    // MARK: The code behind a first factor

    func askForCode(_ request: Request) async throws -> Response {
        guard let secret = cookie.waiting(of: request.headers), try await homing.adminSessions.awaitsCode(secret) else {
            return PageAnswer.redirect(to: ConsolePath.signIn, status: .seeOther)
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
        var code = ConsoleForm(
            "Code that your authenticator app shows, or a recovery code", "code", autocomplete: "one-time-code")
        code.faults["code"] = fault
        return document(
            "One more step",
            """
            <section>\(ConsoleContext.form(to: ConsolePath.code, code.html, buttons: "<button type=\"submit\">Go on</button>"))
            <p class="hint">Phone and recovery codes are lost? On the server <code>homing operator link ADDRESS \
            --forget</code> takes the app away.</p></section>
            <p><a href="\(ConsolePath.signIn)">Begin again</a></p>
            """, status: status)
    }

    // MARK: Views

    private func page(
        _ address: String = "", linkFault: String? = nil, passwordFault: String? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        var link = ConsoleForm("Address", "address", holding: address, .line("email"), autocomplete: "email")
        link.faults["address"] = linkFault
        var password = ConsoleForm(
            Credentials(address: address), scope: "password-",
            ConsoleField(
                "Address", "address", \.address, .line("email"), isRequired: true, autocomplete: "username"),
            ConsoleField(
                "Password", "password", \.password, .line("password"), isRequired: true,
                autocomplete: "current-password"),
            ConsoleField(
                "Code of your authenticator app, if you have set one up", "code", \.code,
                autocomplete: "one-time-code"))
        password.faults["password"] = passwordFault
        return document(
            "Sign in",
            """
            \(password.summary ?? "")<section><h2>With a link by mail</h2>
            \(ConsoleContext.form(
                to: ConsolePath.signIn, hidden: [Way.link.hidden], link.html,
                buttons: "<button type=\"submit\">Mail me a link</button>"))</section>
            <section><details\(passwordFault == nil ? "" : " open" as HTML)><summary>With a password</summary>
            \(ConsoleContext.form(
                to: ConsolePath.signIn, hidden: [Way.password.hidden], password.html,
                buttons: "<button type=\"submit\">Sign in</button>"))</details></section>
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
                navigation: "<header>\(ConsoleNavigation.home)</header>", body: "<h1>\(title)</h1>\(body)",
                isSignedOut: true),
            status: status, policy: ConsoleLayout.contentSecurityPolicy)
        response.headers[.referrerPolicy] = AdminFormContext.signInReferrerPolicy
        return response
    }
}

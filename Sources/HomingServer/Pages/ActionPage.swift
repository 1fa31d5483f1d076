// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingPages
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/__/auth/action`: GET reads the code and shows what a tap would do; POST does it. GET changes nothing.
struct ActionPage: Sendable {
    let homing: Homing

    static let path = "/__/auth/action"

    // MARK: GET

    func show(_ request: Request) async throws -> Response {
        let visit = Visit(QueryString(readableIn: request.uri.query ?? ""), request: request, homing: homing)
        guard let mode = visit.mode, !visit.code.isEmpty else { return visit.incomplete }
        guard let project = visit.project else { return visit.withoutProject }
        guard mode != .revertSecondFactorAddition else {
            return PageAnswer.page(
                DeadLinkView(reason: .secondFactorNotOffered, kind: mode), in: visit.frame, status: .gone)
        }
        do {
            let code = try await homing.actionCodes.inspect(visit.code, in: project)
            guard code.kind.mode == mode else { throw Refusal.codeInvalid(.malformed) }
            let page = PageAnswer.page(view(of: code, visit, project), in: visit.frame)
            if visit.isByPerson { homing.outbox.mailCounts.opened(code, in: project) }
            return page
        } catch let refusal as Refusal {
            return try await dead(refusal, visit, project)
        }
    }

    /// What was wrong with the form that the page has sent.
    private struct Sent {
        /// The two digits, where they are any.
        var digits = ""
        var number: NumberField.Problem?
        var password: ResetPasswordView.Problem?
    }

    private func view(
        of code: ActionCode, _ visit: Visit, _ project: Project, after sent: Sent = Sent()
    ) -> any PageView {
        let form = visit.form(.apply, project, homing)
        let number = numberField(of: code, project, after: sent)
        let decline = code.isBound ? visit.form(.decline, project, homing) : nil
        func confirm(_ kind: ConfirmView.Kind) -> ConfirmView {
            ConfirmView(kind: kind, form: form, number: number, declineForm: decline)
        }
        switch code.kind {
        case .passwordReset:
            return ResetPasswordView(
                address: code.address.text, form: form, rules: project.settings.passwordPolicy.rules,
                problem: sent.password, number: number, declineForm: decline)
        case .verifyEmail: return confirm(.verifyEmail(address: code.address.text))
        case .verifyAndChangeEmail:
            return confirm(
                .verifyAndChangeEmail(current: code.address.text, newAddress: code.newAddress?.text ?? ""))
        case .recoverEmail: return confirm(.recoverEmail(address: code.address.text))
        case .signIn:
            return SignInView(
                continueHref: signInHref(code, visit, project),
                question: number.map { .init(number: $0, form: form, declineForm: decline) })
        }
    }

    /// What the page asks for before a tap counts; nil where the tap is enough.
    private func numberField(of code: ActionCode, _ project: Project, after sent: Sent) -> NumberField? {
        let place: NumberField.Place
        switch homing.actionCodes.question(of: code, in: project) {
        case nil: return nil
        case .ofMail: place = .mail
        case .ofAskingDevice:
            place = .askingDevice(
                AskedFacts(code.asked, secondsAgo: Int(homing.system.now().seconds - code.createdAt.seconds)))
        }
        return NumberField(place: place, given: sent.digits, problem: sent.number)
    }

    /// The page of a code that was typed where it was asked for: the number is filled in.
    func goOn(_ code: String, number: String, _ visit: Visit, _ project: Project) async throws -> Response {
        let found = try await homing.actionCodes.inspect(code, in: project)
        let visit = visit.on(code, found.kind)
        return PageAnswer.page(view(of: found, visit, project, after: Sent(digits: number)), in: visit.frame)
    }

    /// The link to the app, which finishes the sign-in: its query carries the code, which is not used here.
    private func signInHref(_ code: ActionCode, _ visit: Visit, _ project: Project) -> String? {
        guard let url = allowed(code.settings.continueURL, project) else { return nil }
        return QueryString.merging(
            parameters: [
                ("mode", ActionMode.signIn.rawValue), ("oobCode", visit.code), ("apiKey", project.linkKey),
            ] + (code.language.map { [("lang", $0)] } ?? [])
                + (project.tenant.map { [("tenantId", $0.id.text)] } ?? []),
            into: url)
    }

    // MARK: POST

    func act(_ request: Request, form: QueryString, call: CallContext) async throws -> Response {
        let visit = Visit(form, request: request, homing: homing)
        guard let step = visit.step, visit.mode != nil, !visit.code.isEmpty else { return visit.incomplete }
        guard let project = visit.project else { return visit.withoutProject }
        do {
            guard try visit.isOurs(step, project, homing) else { return visit.expired }
            switch step {
            case .apply: return try await apply(visit, form, project, caller: call.caller)
            case .decline: return try await decline(visit, project)
            case .renew, .resetAfterRecovery: return try await mailAgain(step, visit, project, call)
            // These steps belong to other pages, which have no code.
            case .requestReset, .type, .resend: throw Refusal.codeInvalid(.malformed)
            }
        } catch let refusal as Refusal {
            return try await dead(refusal, visit, project)
        }
    }

    private func apply(
        _ visit: Visit, _ form: QueryString, _ project: Project, caller: String
    ) async throws -> Response {
        // A form without the field counts as one with nothing in it, so that leaving it out gets nobody past it.
        let typed = form.repeats(NumberField.name) ? "" : form[NumberField.name] ?? ""
        do {
            switch visit.mode {
            case .resetPassword: return try await reset(visit, form, number: typed, project, caller: caller)
            case .signIn: return try await signIn(visit, number: typed, project)
            default:
                let (code, _) = try await homing.actionCodes.apply(
                    visit.code, proof: .number(typed), in: project, language: visit.chosenLanguage,
                    orElse: visit.browserLanguage, on: visit.device)
                return finished(done(code, visit, project), code, visit, project)
            }
        } catch let refusal as Refusal {
            var sent = Sent(digits: TypedDigits.read(typed, count: 2) ?? "")
            if case .wrongNumber = refusal, let triesLeft = refusal.triesLeft, triesLeft > 0 {
                sent.number = sent.digits.isEmpty ? .missing : .wrong(triesLeft: triesLeft)
                sent.digits = ""
            } else if let problem = ResetPasswordView.Problem(refusal) {
                sent.password = problem
            } else {
                throw refusal
            }
            // Neither a wrong number nor a password that the rules refuse has ended the code.
            let code = try await homing.actionCodes.inspect(visit.code, in: project)
            return PageAnswer.page(
                view(of: code, visit, project, after: sent), in: visit.frame, status: .unprocessableContent)
        }
    }

    private func reset(
        _ visit: Visit, _ form: QueryString, number: String, _ project: Project, caller: String
    ) async throws -> Response {
        // Forms send a space as a plus sign (URL Standard, application/x-www-form-urlencoded).
        let password = form["newPassword"] ?? ""
        let code = try await homing.actionCodes.resetPassword(
            visit.code, to: password, proof: .number(number), in: project, language: visit.chosenLanguage,
            orElse: visit.browserLanguage, from: caller, on: visit.device)
        return finished(.passwordReset, code, visit, project)
    }

    /// Approves the sign-in of the device that asked. With the number of the mail it leads on to the app, which uses the
    /// code.
    private func signIn(_ visit: Visit, number: String, _ project: Project) async throws -> Response {
        let code = try await homing.actionCodes.inspect(visit.code, in: project)
        switch homing.actionCodes.question(of: code, in: project) {
        case nil: throw Refusal.codeInvalid(.malformed)
        case .ofAskingDevice:
            try await homing.actionCodes.approve(visit.code, number: number, in: project, on: visit.device)
            return PageAnswer.page(
                DoneView(kind: .approved(declineForm: visit.form(.decline, project, homing))), in: visit.frame)
        case .ofMail:
            let code = try await homing.actionCodes.check(
                visit.code, number: number, in: project, on: visit.device)
            return PageAnswer.page(SignInView(continueHref: signInHref(code, visit, project)), in: visit.frame)
        }
    }

    /// Ends what the person did not ask for.
    private func decline(_ visit: Visit, _ project: Project) async throws -> Response {
        let code = try await homing.actionCodes.decline(visit.code, in: project)
        let reset = MailedLink(project: project, publicURL: homing.publicURL)
            .resetRequest(language: visit.frame.language.tag)
        return PageAnswer.page(
            DoneView(
                kind: .declined(
                    ofChange: code.kind == .verifyAndChangeEmail,
                    resetHref: project.settings.allowsEmail ? reset : nil)), in: visit.frame)
    }

    private func finished(
        _ kind: DoneView.Kind, _ code: ActionCode, _ visit: Visit, _ project: Project
    ) -> Response {
        PageAnswer.page(
            DoneView(
                kind: kind, continueHref: continueHref(code, project),
                report: ReturnReport.query(code, visit, project, homing)), in: visit.frame)
    }

    private func done(_ code: ActionCode, _ visit: Visit, _ project: Project) -> DoneView.Kind {
        switch code.kind {
        case .passwordReset, .signIn: .passwordReset
        case .verifyEmail: .emailVerified(address: code.address.text)
        case .verifyAndChangeEmail: .emailChanged(address: code.newAddress?.text ?? code.address.text)
        case .recoverEmail:
            .emailRecovered(
                address: code.address.text, resetForm: visit.form(.resetAfterRecovery, project, homing))
        }
    }

    /// Mails a new link to the address that the old one went to: the page learns nothing about the account.
    private func mailAgain(
        _ step: Visit.Step, _ visit: Visit, _ project: Project, _ call: CallContext
    ) async throws -> Response {
        guard let code = try await homing.actionCodes.remember(visit.code, in: project) else {
            throw Refusal.codeInvalid(.malformed)
        }
        let isReset = step == .resetAfterRecovery
        guard isReset ? project.settings.allowsEmail : canRenew(code, in: project) else {
            throw Refusal.codeInvalid(.malformed)
        }
        var settings = isReset ? ActionCodeSettings() : code.settings
        if allowed(settings.continueURL, project) == nil { settings.continueURL = nil }
        try await homing.actionCodes.allowMail(from: call.caller, in: project)
        var request = ActionCodes.Request(
            project: project, kind: isReset ? .passwordReset : code.kind, subject: .address(code.address),
            settings: settings, language: visit.chosenLanguage ?? code.language ?? visit.browserLanguage)
        if project.settings.requiresBinding(of: request.kind) || !isReset && code.isBound {
            try request.bindToPage(AskedFrom(device: visit.device, address: call.client), homing.system)
        }
        var done = isReset ? DoneView.Kind.resetMailSent : .newLinkSent
        switch try await homing.actionCodes.requestQuietly(request) {
        case .asked(let waiting?): return visit.waiting(for: waiting)
        case .asked(nil): break
        case .askedBefore: done = .alreadySent
        }
        return PageAnswer.page(DoneView(kind: done, continueHref: continueHref(code, project)), in: visit.frame)
    }

    // MARK: Dead links

    private func dead(_ refusal: Refusal, _ visit: Visit, _ project: Project) async throws -> Response {
        homing.refused(refusal, at: Self.path)
        if let wait = visit.wait(after: refusal) { return wait }
        var reason: DeadLinkView.Reason
        switch refusal {
        case .codeExpired: reason = .expired
        case .codeInvalid(.used): reason = .used
        case .codeInvalid(.replaced): reason = .replaced
        case .codeInvalid(.declined): reason = .declined
        case .wrongNumber: reason = .wrongNumbers
        case .codeInvalid(.accountGone), .userNotFound, .emailNotFound: reason = .accountGone
        case .codeInvalid(.malformed), .missingCode: reason = .malformed
        case .userDisabled: reason = .accountDisabled
        case .emailExists: reason = .addressTaken
        default: reason = .malformed
        }
        var view = DeadLinkView(reason: reason, kind: visit.mode)
        if [.expired, .used, .replaced, .declined].contains(reason),
            let code = try await homing.actionCodes.remember(visit.code, in: project)
        {
            switch (reason, code.endedBy) {
            case (.declined, .numbers): reason = .wrongNumbers
            case (.used, .elsewhere), (.used, .typed): if code.kind == .signIn { reason = .approved }
            default: break
            }
            view.reason = reason
            if reason == .used { view.continueHref = continueHref(code, project) }
            if reason == .approved, try await isUncollected(visit, project) {
                view.declineForm = visit.form(.decline, project, homing)
            }
            // A person who verified an address is done; every other link may be wanted once more.
            if [.expired, .used, .replaced].contains(reason), canRenew(code, in: project),
                code.kind != .verifyEmail || reason != .used
            {
                view.renewForm = visit.form(.renew, project, homing)
            }
        }
        return PageAnswer.page(view, in: visit.frame, status: reason == .malformed ? .badRequest : .gone)
    }

    /// Whether the device that asked has not collected the sign-in yet that was approved for it.
    private func isUncollected(_ visit: Visit, _ project: Project) async throws -> Bool {
        let context = ActionCode.context(.signIn, project: project.scope)
        guard
            let opened = try SealedID.open(
                visit.code, for: .actionCode, contexts: [context], ring: homing.keys.ring),
            let id = try homing.actionCodes.numbers(of: opened.sealed, .signIn, in: project).requestID()
        else { return false }
        return try await homing.actionCodes.waiting(requestID: id, in: project).state == .approved
    }

    /// Whether the holder of an old link, which proves that a mail of ours went to that address, may get a new one. A
    /// change of address needs a sign-in, and a recovery is offered only once. A bound sign-in happens where it was asked
    /// for, and nobody would wait for the new one.
    private func canRenew(_ code: ActionCode, in project: Project) -> Bool {
        let settings = project.settings
        return switch code.kind {
        case .passwordReset: settings.allowsEmail
        case .verifyEmail: true
        case .signIn: settings.allowsEmailLink && !code.isBound && !settings.requiresBinding(of: .signIn)
        case .verifyAndChangeEmail, .recoverEmail: false
        }
    }

    // MARK: Continue

    private func continueHref(_ code: ActionCode, _ project: Project) -> String? {
        code.kind == .recoverEmail ? nil : continueHref(code.settings, project)
    }

    /// The target of Continue: the URL of the code's row, checked again, never the URL of the query.
    func continueHref(_ settings: ActionCodeSettings, _ project: Project) -> String? {
        guard allowed(settings.continueURL, project) != nil else { return nil }
        return MailedLink(project: project, publicURL: homing.publicURL).continueURL(settings)
    }

    private func allowed(_ url: String?, _ project: Project) -> String? {
        let rule = homing.projects.linkRules(of: project).continueRule
        return url.flatMap { try? ContinueURL(parsing: $0, by: rule) }?.text
    }
}

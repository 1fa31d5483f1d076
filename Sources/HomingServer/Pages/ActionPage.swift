// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingPages
import HomingPasswords
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
            let page = PageAnswer.page(try await view(of: code, visit, project), in: visit.frame)
            if visit.isByPerson { homing.outbox.mailCounts.opened(code, in: project) }
            return page
        } catch let refusal as Refusal {
            return try await dead(refusal, visit, project)
        }
    }

    private func view(of code: ActionCode, _ visit: Visit, _ project: Project) async throws -> any PageView {
        let form = visit.form(.apply, project, homing)
        switch code.kind {
        case .passwordReset:
            return ResetPasswordView(
                address: code.address.text, form: form, rules: project.settings.passwordPolicy.rules)
        case .verifyEmail: return ConfirmView(kind: .verifyEmail(address: code.address.text), form: form)
        case .verifyAndChangeEmail:
            return ConfirmView(
                kind: .verifyAndChangeEmail(
                    current: code.address.text, newAddress: code.newAddress?.text ?? ""), form: form)
        case .recoverEmail: return ConfirmView(kind: .recoverEmail(address: code.address.text), form: form)
        case .signIn: return SignInView(continueHref: signInHref(code, visit, project))
        }
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

    func act(_ request: Request, form: QueryString, caller: String) async throws -> Response {
        let visit = Visit(form, request: request, homing: homing)
        guard let step = visit.step, visit.mode != nil, !visit.code.isEmpty else { return visit.incomplete }
        guard let project = visit.project else { return visit.withoutProject }
        do {
            guard try visit.isOurs(step, project, homing) else { return visit.expired }
            switch step {
            case .apply: return try await apply(visit, form, project, caller: caller)
            case .renew, .resetAfterRecovery: return try await mailAgain(step, visit, project, caller: caller)
            // This step belongs to another page, which has no code.
            case .requestReset: throw Refusal.codeInvalid(.malformed)
            }
        } catch let refusal as Refusal {
            return try await dead(refusal, visit, project)
        }
    }

    private func apply(
        _ visit: Visit, _ form: QueryString, _ project: Project, caller: String
    ) async throws -> Response {
        guard visit.mode == .resetPassword else {
            let (code, _) = try await homing.actionCodes.apply(
                visit.code, in: project, language: visit.chosenLanguage, orElse: visit.browserLanguage,
                on: visit.device)
            return PageAnswer.page(
                DoneView(
                    kind: done(code, visit, project), continueHref: continueHref(code, project),
                    report: ReturnReport.query(code, visit, project, homing)), in: visit.frame)
        }
        // Forms send a space as a plus sign (URL Standard, application/x-www-form-urlencoded).
        let password = form["newPassword"] ?? ""
        do {
            let code = try await homing.actionCodes.resetPassword(
                visit.code, to: password, in: project, language: visit.chosenLanguage, orElse: visit.browserLanguage,
                from: caller, on: visit.device)
            return PageAnswer.page(
                DoneView(
                    kind: .passwordReset, continueHref: continueHref(code, project),
                    report: ReturnReport.query(code, visit, project, homing)), in: visit.frame)
        } catch let refusal as Refusal {
            guard let problem = ResetPasswordView.Problem(refusal) else { throw refusal }
            return try await formAgain(problem, visit, project)
        }
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

    /// Shows the form again. A password that the rules refuse leaves the code alive.
    private func formAgain(
        _ problem: ResetPasswordView.Problem, _ visit: Visit, _ project: Project
    ) async throws -> Response {
        let code = try await homing.actionCodes.inspect(visit.code, in: project)
        let view = ResetPasswordView(
            address: code.address.text, form: visit.form(.apply, project, homing),
            rules: project.settings.passwordPolicy.rules, problem: problem)
        return PageAnswer.page(view, in: visit.frame, status: .unprocessableContent)
    }

    /// Mails a new link to the address that the old one went to: the page learns nothing about the account.
    private func mailAgain(
        _ step: Visit.Step, _ visit: Visit, _ project: Project, caller: String
    ) async throws -> Response {
        guard let code = try await homing.actionCodes.remember(visit.code, in: project) else {
            throw Refusal.codeInvalid(.malformed)
        }
        let kind: ActionCodeKind = step == .resetAfterRecovery ? .passwordReset : code.kind
        guard canRenew(kind, in: project) else { throw Refusal.codeInvalid(.malformed) }
        var settings = step == .resetAfterRecovery ? ActionCodeSettings() : code.settings
        if allowed(settings.continueURL, project) == nil { settings.continueURL = nil }
        try await homing.actionCodes.allowMail(from: caller, in: project)
        var done = DoneView.Kind.newLinkSent
        if step == .resetAfterRecovery { done = .resetMailSent }
        let isFirst = try await homing.actionCodes.requestQuietly(
            ActionCodes.Request(
                project: project, kind: kind, subject: .address(code.address), settings: settings,
                language: visit.chosenLanguage ?? code.language ?? visit.browserLanguage))
        if !isFirst { done = .alreadySent }
        return PageAnswer.page(DoneView(kind: done, continueHref: continueHref(code, project)), in: visit.frame)
    }

    // MARK: Dead links

    private func dead(_ refusal: Refusal, _ visit: Visit, _ project: Project) async throws -> Response {
        homing.refused(refusal, at: Self.path)
        let reason: DeadLinkView.Reason
        switch refusal {
        case .codeExpired: reason = .expired
        case .codeInvalid(.used): reason = .used
        case .codeInvalid(.replaced): reason = .replaced
        case .codeInvalid(.accountGone), .userNotFound, .emailNotFound: reason = .accountGone
        case .codeInvalid(.malformed), .missingCode: reason = .malformed
        case .userDisabled: reason = .accountDisabled
        case .emailExists: reason = .addressTaken
        case .tooManyAttempts: return visit.overLimit
        case .tooManyRequests:
            return PageAnswer.wait(.tooManyAttempts, seconds: refusal.retryAfter ?? 1, in: visit.frame)
        case .overloaded:
            return PageAnswer.wait(
                .serverFault, seconds: refusal.retryAfter ?? 1, in: visit.frame, status: .serviceUnavailable)
        default: reason = .malformed
        }
        var view = DeadLinkView(reason: reason, kind: visit.mode)
        if [.expired, .used, .replaced].contains(reason),
            let code = try await homing.actionCodes.remember(visit.code, in: project)
        {
            if reason == .used { view.continueHref = continueHref(code, project) }
            // A person who verified an address is done; every other link may be wanted once more.
            if canRenew(code.kind, in: project), code.kind != .verifyEmail || reason != .used {
                view.renewForm = visit.form(.renew, project, homing)
            }
        }
        return PageAnswer.page(view, in: visit.frame, status: reason == .malformed ? .badRequest : .gone)
    }

    /// Whether the holder of an old link, which proves that a mail of ours went to that address, may get a new one. A
    /// change of address needs a sign-in, and a recovery is offered only once.
    private func canRenew(_ kind: ActionCodeKind, in project: Project) -> Bool {
        switch kind {
        case .passwordReset: project.settings.allowsEmail
        case .verifyEmail: true
        case .signIn: project.settings.allowsEmailLink
        case .verifyAndChangeEmail, .recoverEmail: false
        }
    }

    // MARK: Continue

    /// The target of Continue: the URL of the code's row, checked again, never the URL of the query.
    private func continueHref(_ code: ActionCode, _ project: Project) -> String? {
        guard code.kind != .recoverEmail, allowed(code.settings.continueURL, project) != nil else { return nil }
        return MailedLink(project: project, publicURL: homing.publicURL).continueURL(code.settings)
    }

    private func allowed(_ url: String?, _ project: Project) -> String? {
        let rule = homing.projects.linkRules(of: project).continueRule
        return url.flatMap { try? ContinueURL(parsing: $0, by: rule) }?.text
    }
}

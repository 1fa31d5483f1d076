// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/__/auth/wait`: where a person waits who has asked for a mail, by the id of the bound request. GET changes nothing.
struct WaitPage: Sendable {
    let homing: Homing
    let actionPage: ActionPage

    static let path = "/__/auth/wait"

    // MARK: GET

    func show(_ request: Request, _ call: CallContext) async throws -> Response {
        let query = QueryString(readableIn: request.uri.query ?? "")
        let visit = visit(query, request)
        guard !visit.code.isEmpty else { return visit.incomplete }
        guard let project = visit.project else { return visit.withoutProject }
        let isLook = query[Self.look] != nil
        do {
            guard !isLook else { return try await state(visit, project, isHeld: request.method == .get) }
            return try await page(visit, project, call)
        } catch let refusal as Refusal {
            return isLook ? Answer.refusal(refusal) : refused(refusal, visit)
        }
    }

    /// The parameter by which the page's script asks for the state alone.
    private static let look = "look"

    /// - isHeld: whether the answer comes as soon as something has become of the request; else it comes at once.
    private func state(_ visit: Visit, _ project: Project, isHeld: Bool) async throws -> Response {
        let codes = homing.actionCodes
        let found =
            isHeld
            ? try await codes.look(requestID: visit.code, in: project)
            : try await codes.waiting(requestID: visit.code, in: project).state
        let state: JSON =
            switch found {
            case .pending: "PENDING"
            case .approved: "APPROVED"
            case .done: "DONE"
            case .declined: "DECLINED"
            case .expired: "EXPIRED"
            }
        return Answer.json(.object([("state", state)]))
    }

    private func page(
        _ visit: Visit, _ project: Project, _ call: CallContext, _ news: WaitView.News? = nil
    ) async throws -> Response {
        let request = try await homing.actionCodes.waiting(requestID: visit.code, in: project)
        let facts = AskedFacts(
            request.asked, secondsAgo: Int(homing.system.now().seconds - request.createdAt.seconds))
        // Whoever asked in somebody's name would send them here, where they trust the host.
        let isElsewhere =
            request.asked?.isElsewhere(than: AskedFrom(device: visit.device, address: call.client)) ?? false
        let view =
            switch request.state {
            case .pending where isElsewhere: WaitView(state: .elsewhere(facts))
            case .pending:
                WaitView(
                    state: .pending(
                        .init(
                            number: try number(visit, project), facts: facts,
                            codeForm: visit.form(.type, project, homing),
                            resendForm: visit.form(.resend, project, homing), againHref: visit.link,
                            lookHref: "\(visit.link)&\(Self.look)=1", news: news)),
                    backHref: back(request, visit, project))
            case .approved, .done:
                WaitView(state: .finished, backHref: actionPage.continueHref(request.settings, project))
            case .declined: WaitView(state: .declined, backHref: back(request, visit, project))
            case .expired: WaitView(state: .expired, backHref: back(request, visit, project))
            }
        let isProblem = news.map { $0 != .resent } ?? false
        return PageAnswer.page(view, in: visit.frame, status: isProblem ? .unprocessableContent : .ok)
    }

    private func number(_ visit: Visit, _ project: Project) throws -> String? {
        let (sealed, kind) = try homing.actionCodes.request(withID: visit.code, in: project)
        return try homing.actionCodes.numbers(of: sealed, kind, in: project).matchNumber()
    }

    /// Where the person has asked: the app, else our own page.
    private func back(_ request: WaitingRequest, _ visit: Visit, _ project: Project) -> String? {
        if let href = actionPage.continueHref(request.settings, project) { return href }
        guard request.kind == .passwordReset else { return nil }
        return MailedLink(project: project, publicURL: homing.publicURL)
            .resetRequest(language: visit.frame.language.tag)
    }

    // MARK: POST

    func act(_ request: Request, form: QueryString, call: CallContext) async throws -> Response {
        let visit = visit(form, request)
        guard let step = visit.step, !visit.code.isEmpty else { return visit.incomplete }
        guard let project = visit.project else { return visit.withoutProject }
        do {
            guard try visit.isOurs(step, project, homing) else { return visit.expired }
            switch step {
            case .type: return try await type(form, visit, project, call)
            case .resend: return try await resend(visit, project, call)
            // These steps belong to other pages.
            case .apply, .decline, .renew, .resetAfterRecovery, .requestReset: return visit.incomplete
            }
        } catch let refusal as Refusal {
            return refused(refusal, visit)
        }
    }

    /// The code in the mail finishes a sign-in for the app that waits, and leads on to the page of any other kind.
    private func type(
        _ form: QueryString, _ visit: Visit, _ project: Project, _ call: CallContext
    ) async throws -> Response {
        let typed = form.repeats("typedCode") ? "" : form["typedCode"] ?? ""
        do {
            switch try await homing.actionCodes.finish(requestID: visit.code, typed: typed, in: project) {
            case .approved: return try await page(visit, project, call)
            case .goesOn(let code):
                return try await actionPage.goOn(code, number: try number(visit, project) ?? "", visit, project)
            }
        } catch let refusal as Refusal {
            guard case .wrongTypedCode = refusal, let triesLeft = refusal.triesLeft else { throw refusal }
            let isMissing = triesLeft > 0 && TypedDigits.read(typed, count: FinishNumbers.typedLength) == nil
            return try await page(visit, project, call, isMissing ? .codeMissing : .codeWrong(triesLeft: triesLeft))
        }
    }

    /// Known and unknown addresses are counted alike, so that the page tells nothing of them.
    private func resend(_ visit: Visit, _ project: Project, _ call: CallContext) async throws -> Response {
        do {
            try await homing.actionCodes.allowMail(from: call.caller, in: project)
            try await homing.actionCodes.resend(requestID: visit.code, in: project)
        } catch let refusal as Refusal where refusal.code == .tooManyAttempts || refusal.code == .tooManyRequests {
            homing.refused(refusal, at: Self.path)
            return try await page(visit, project, call, .resendLater(seconds: refusal.retryAfter ?? 3600))
        }
        return try await page(visit, project, call, .resent)
    }

    // MARK: Refusals

    private func refused(_ refusal: Refusal, _ visit: Visit) -> Response {
        homing.refused(refusal, at: Self.path)
        if let wait = visit.wait(after: refusal) { return wait }
        switch refusal {
        case .codeInvalid(.used): return PageAnswer.page(WaitView(state: .finished), in: visit.frame)
        case .codeInvalid(.declined):
            return PageAnswer.page(WaitView(state: .declined), in: visit.frame, status: .gone)
        case .codeExpired, .codeInvalid(.replaced), .codeInvalid(.accountGone):
            return PageAnswer.page(WaitView(state: .expired), in: visit.frame, status: .gone)
        default: return visit.incomplete
        }
    }

    private func visit(_ query: QueryString?, _ request: Request) -> Visit {
        Visit(query, request: request, homing: homing, path: Self.path, about: .request)
    }
}

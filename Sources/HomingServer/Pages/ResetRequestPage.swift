// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPages
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `/__/auth/reset`: the page where the reader of a notice asks for a password reset. The notice's link carries no
/// code; anybody with the app can do what the page does.
struct ResetRequestPage: Sendable {
    let homing: Homing

    func show(_ request: Request) -> Response {
        let visit = visit(QueryString(readableIn: request.uri.query ?? ""), request)
        guard let project = visit.project else { return visit.withoutProject }
        return PageAnswer.page(ResetRequestView(form: form(visit, project)), in: visit.frame)
    }

    /// Mails a link to the typed address, and answers the same whether somebody has the address or not.
    func act(_ request: Request, form: QueryString, call: CallContext) async throws -> Response {
        let visit = visit(form, request)
        guard let project = visit.project else { return visit.withoutProject }
        guard try visit.isOurs(.requestReset, project, homing) else { return visit.expired }
        let typed = form.repeats("email") ? "" : form["email"] ?? ""
        guard let address = try? EmailAddress(parsing: typed) else {
            return PageAnswer.page(
                ResetRequestView(form: self.form(visit, project), refused: typed), in: visit.frame,
                status: .unprocessableContent)
        }
        do {
            try await homing.actionCodes.allowMail(from: call.caller, in: project)
        } catch Refusal.Code.tooManyAttempts {
            return visit.overLimit
        }
        var reset = ActionCodes.Request(
            project: project, kind: .passwordReset, subject: .address(address), settings: ActionCodeSettings(),
            language: visit.chosenLanguage ?? visit.browserLanguage)
        if project.settings.requiresBinding(of: .passwordReset) {
            try reset.bindToPage(AskedFrom(device: visit.device, address: call.client), homing.system)
        }
        switch try await homing.actionCodes.requestQuietly(reset) {
        case .asked(let waiting?): return visit.waiting(for: waiting)
        case .asked(nil):
            return PageAnswer.page(DoneView(kind: .resetRequested(address: address.text)), in: visit.frame)
        case .askedBefore: return PageAnswer.page(DoneView(kind: .alreadySent), in: visit.frame)
        }
    }

    private func visit(_ query: QueryString?, _ request: Request) -> Visit {
        Visit(query, request: request, homing: homing, path: MailedLink.resetRequestPath)
    }

    private func form(_ visit: Visit, _ project: Project) -> PageForm {
        visit.form(.requestReset, project, homing)
    }
}

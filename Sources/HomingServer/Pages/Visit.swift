// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingPages
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// The parameters of a visit to the action page, from the query of a GET or the form of a POST.
struct Visit: Sendable {
    /// The action of a form on the page.
    enum Step: String {
        case apply
        case renew
        case resetAfterRecovery
        case requestReset
        /// The person did not ask for this.
        case decline
        /// The code in the mail was typed.
        case type
        case resend
    }

    /// What a page is about, by its parameter.
    enum Subject: String {
        /// The code of a mailed link.
        case code = "oobCode"
        /// The request that somebody waits for.
        case request
    }

    let project: Project?
    private(set) var mode: ActionMode?
    /// The code, or the id of the request.
    private(set) var code: String
    let step: Step?
    private(set) var frame: PageFrame
    /// The visitor's device, where the User-Agent header tells.
    let device: Device?
    /// ``Request/isByPerson``.
    let isByPerson: Bool
    /// The language tag in the URL or the form, where there is one.
    private let asked: LanguageTag?
    private let acceptLanguage: String?
    /// What names the project: the key, and the tenant where there is one.
    private let place: [(name: String, value: String)]
    /// Whether the tenant that it names, if any, can be read.
    private let isReadable: Bool
    private var path: String
    private var subject: Subject
    private let token: String

    /// - Parameters:
    ///   - query: nil where there is no such page, in any language.
    ///   - path: the path of the page, for its form and its other languages.
    init(
        _ query: QueryString?, request: Request, homing: Homing, path: String = ActionPage.path,
        about subject: Subject = .code
    ) {
        func value(_ name: String) -> String {
            guard let query, !query.repeats(name), let value = query[name], value.utf8.count <= 2048 else { return "" }
            return value
        }
        self.path = path
        self.subject = subject
        device = Device(userAgent: request.headers.first(.userAgent))
        // The list of languages is no look at the page.
        isByPerson = request.isByPerson && value(LanguageChoice.name).isEmpty
        let (apiKey, tenant) = (value("apiKey"), value("tenantId"))
        place = [("apiKey", apiKey)] + (tenant.isEmpty ? [] : [("tenantId", tenant)])
        // What cannot be read names a tenant that is not there, never the project.
        isReadable = query.map { !$0.repeats("tenantId") && ($0["tenantId"] ?? "").utf8.count <= 2048 } ?? true
        project = isReadable ? homing.projects.project(linkKey: apiKey, tenant: TenantID(tenant)) : nil
        mode = ActionMode(rawValue: value("mode"))
        code = value(subject.rawValue)
        step = Step(rawValue: value("step"))
        token = value("token")
        asked = LanguageTag(parsing: value("lang"))
        acceptLanguage = request.headers[.acceptLanguage]
        let offered = project?.settings.offeredLanguages
        let language =
            asked.flatMap { Language($0, among: offered) }
            ?? acceptLanguage.flatMap { Language.best(acceptLanguage: $0, among: offered) }
            ?? project.flatMap { Language(tag: $0.settings.language) } ?? .english
        frame = PageFrame(
            appName: project?.name, language: language, texts: project?.texts.texts(in: language),
            brand: PageBrand(project))
        if request.method == .get, query != nil {
            let browser = acceptLanguage.map { LanguageTag.preferred(acceptLanguage: $0) } ?? []
            let likely = browser.compactMap { Language($0, among: offered) }
            let standard = [project.flatMap { Language(tag: $0.settings.language) }, .english].compactMap(\.self)
            frame.choice = LanguageChoice(
                path: path, parameters: parameters(mode: value("mode")), offered: offered ?? Language.allCases,
                likely: likely + standard, current: language, isList: value(LanguageChoice.name) == "all")
        }
    }

    /// The parameters of the link that led here, but the language; the continue URL stays in the code's row.
    private func parameters(mode: String) -> [(name: String, value: String)] {
        [("mode", mode), (subject.rawValue, code)] + place
    }

    /// The link that led here, as far as the page needs it.
    var link: String {
        "\(path)?\(Self.query(parameters(mode: mode?.rawValue ?? "") + [("lang", frame.language.tag)]))"
    }

    private static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.filter { !$0.value.isEmpty }.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&")
    }

    /// The answer to a link of no project: the app that it names is not known, or it has lost the name on its way.
    var withoutProject: Response {
        guard isReadable, place.first?.value.isEmpty == false else { return incomplete }
        return PageAnswer.page(ProblemView(reason: .unknownApp), in: frame, status: .badRequest)
    }

    /// The answer to a link of which a part is missing, or cannot be read.
    var incomplete: Response {
        PageAnswer.page(DeadLinkView(reason: .malformed, kind: mode), in: frame, status: .badRequest)
    }

    /// The answer to a form whose page was open for too long, or that is not ours: it has changed nothing, and leads on
    /// to the link that it knows.
    var expired: Response {
        PageAnswer.page(
            DeadLinkView(reason: .pageExpired, kind: mode, againHref: link), in: frame, status: .forbidden)
    }

    /// The answer to somebody over a limit; those of pages count by the hour.
    var overLimit: Response { PageAnswer.wait(.tooManyAttempts, seconds: 3600, in: frame) }

    /// The answer to somebody over a limit, or while the server has too much to do; nil for another refusal.
    func wait(after refusal: Refusal) -> Response? {
        switch refusal {
        case .tooManyAttempts: overLimit
        case .tooManyRequests: PageAnswer.wait(.tooManyAttempts, seconds: refusal.retryAfter ?? 1, in: frame)
        case .overloaded:
            PageAnswer.wait(
                .serverFault, seconds: refusal.retryAfter ?? 1, in: frame, status: .serviceUnavailable)
        default: nil
        }
    }

    /// The same visit on the page of a code.
    func on(_ code: String, _ kind: ActionCodeKind) -> Visit {
        var visit = self
        (visit.path, visit.subject, visit.code, visit.mode) = (ActionPage.path, .code, code, kind.mode)
        return visit
    }

    /// The page that waits for a request.
    func waiting(for request: String) -> Response {
        var visit = self
        (visit.path, visit.subject, visit.code, visit.mode) = (WaitPage.path, .request, request, nil)
        return PageAnswer.redirect(to: visit.link, status: .seeOther)
    }

    /// What names the project, as a part of a query.
    var placeQuery: String { Self.query(place) }

    /// A form that only this page could have made.
    func form(_ step: Step, _ project: Project, _ homing: Homing) -> PageForm {
        let token = PageToken(ring: homing.keys.ring)
            .make(step: step.rawValue, code: code, project: project.scope, at: homing.system.now())
        return PageForm(
            action: path,
            fields: [
                .init("mode", mode?.rawValue ?? ""), .init(subject.rawValue, code),
            ] + place.map { .init($0.name, $0.value) } + (asked.map { [.init("lang", $0.text)] } ?? []) + [
                .init("step", step.rawValue), .init("token", token),
            ])
    }

    // MARK: The language of mails

    /// The language that the link names or the person chose on the page, in whose words mails can be; else the
    /// browser's.
    var chosenLanguage: String? {
        asked.flatMap { isSpoken($0) ? $0.text : browserLanguage }
    }

    /// The language that the browser asks for, of those that mails can be in.
    var browserLanguage: String? {
        acceptLanguage.flatMap { LanguageTag.preferred(acceptLanguage: $0).first(where: isSpoken)?.text }
    }

    private func isSpoken(_ tag: LanguageTag) -> Bool {
        Language(tag, among: project?.settings.offeredLanguages) != nil || project?.templates.speaks(tag) == true
    }

    func isOurs(_ step: Step, _ project: Project, _ homing: Homing) throws(Refusal) -> Bool {
        let isOurs = try PageToken(ring: homing.keys.ring)
            .isValid(token, step: step.rawValue, code: code, project: project.scope, at: homing.system.now())
        if !isOurs { homing.system.report(SecurityEvent(.formRefused, project: project.scope, subject: path)) }
        return isOurs
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
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
    }

    let project: Project?
    let mode: ActionMode?
    let code: String
    let step: Step?
    let frame: PageFrame
    /// The visitor's device, where the User-Agent header tells.
    let device: Device?
    /// Whether a person's browser asks for the page, to show it: not a scanner of mails, as far as it says so, and not a
    /// browser that looks ahead.
    let isByPerson: Bool
    /// What names the project: the key, and the tenant where there is one.
    private let place: [(name: String, value: String)]
    private let path: String
    private let token: String

    /// - Parameters:
    ///   - query: nil where there is no such page, in any language.
    ///   - path: the path of the page, for its form and its other languages.
    init(_ query: QueryString?, request: Request, homing: Homing, path: String = ActionPage.path) {
        func value(_ name: String) -> String {
            guard let query, !query.repeats(name), let value = query[name], value.utf8.count <= 2048 else { return "" }
            return value
        }
        self.path = path
        device = Device(userAgent: request.headers.first(.userAgent))
        isByPerson =
            request.method == .get && Visitor(userAgent: request.headers.first(.userAgent)).isPerson
            && request.headers[.purpose] == nil && request.headers[.secPurpose] == nil
        let (apiKey, tenant) = (value("apiKey"), value("tenantId"))
        place = [("apiKey", apiKey)] + (tenant.isEmpty ? [] : [("tenantId", tenant)])
        // What cannot be read names a tenant that is not there, never the project.
        let isReadable = query.map { !$0.repeats("tenantId") && ($0["tenantId"] ?? "").utf8.count <= 2048 } ?? true
        project = isReadable ? homing.projects.project(linkKey: apiKey, tenant: tenant) : nil
        mode = ActionMode(rawValue: value("mode"))
        code = value("oobCode")
        step = Step(rawValue: value("step"))
        token = value("token")
        let language =
            Language(tag: value("lang"))
            ?? request.headers[.acceptLanguage].flatMap { Language.best(acceptLanguage: $0) }
            ?? project.flatMap { Language(tag: $0.settings.language) } ?? .english
        frame = PageFrame(
            appName: project?.name, language: language,
            languageLinks: request.method == .get && query != nil
                ? Self.links(path, mode: value("mode"), code: code, place) : [],
            brand: PageBrand(project))
    }

    /// The same page in every language; the continue URL stays in the code's row.
    private static func links(
        _ path: String, mode: String, code: String, _ place: [(name: String, value: String)]
    ) -> [LanguageLink] {
        Language.allCases.map { language in
            let query = [("mode", mode), ("oobCode", code)] + place + [("lang", language.tag)]
            return LanguageLink(language, href: "\(path)?\(Self.query(query))")
        }
    }

    private static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.filter { !$0.value.isEmpty }.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&")
    }

    /// What names the project, as a part of a query.
    var placeQuery: String { Self.query(place) }

    /// A form that only this page could have made.
    func form(_ step: Step, _ project: Project, _ homing: Homing) -> PageForm {
        let token = PageToken(ring: homing.keys.ring)
            .make(step: step.rawValue, code: code, project: project.id, at: homing.system.now())
        return PageForm(
            action: path,
            fields: [
                .init("mode", mode?.rawValue ?? ""), .init("oobCode", code),
            ] + place.map { .init($0.name, $0.value) } + [
                .init("lang", frame.language.tag), .init("step", step.rawValue), .init("token", token),
            ])
    }

    func isOurs(_ step: Step, _ project: Project, _ homing: Homing) throws(Refusal) -> Bool {
        try PageToken(ring: homing.keys.ring)
            .isValid(token, step: step.rawValue, code: code, project: project.id, at: homing.system.now())
    }
}

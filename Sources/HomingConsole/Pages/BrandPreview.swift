// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingMail
import HomingPages
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/brand/preview`: a page or an email as they look with the project's brand, or with what a query says of it, for
/// frames that follow what is typed.
enum BrandPreview {
    /// What is shown.
    enum Part: String, CaseIterable {
        case page, email

        var title: String {
            switch self {
            case .page: "A page"
            case .email: "An email"
            }
        }
    }

    /// The frames beside the form; a script gives them what is typed.
    static func frames(_ context: ConsoleContext) -> HTML {
        let frames = Part.allCases.map { part -> HTML in
            // The page's logo is asked for with the reader's cookie, and nothing in either of them runs.
            """
            <figure><figcaption>\(part.title)</figcaption><iframe title="\(part.title)" class="look \(part.rawValue)" \
            src="\(context.path(of: .brand))/preview?part=\(part.rawValue)" sandbox="allow-same-origin"></iframe></figure>
            """
        }
        return "<section id=\"frames\"><h2>Preview</h2>\(frames)</section>"
    }

    static func show(_ context: ConsoleContext) async throws -> Response {
        let sample = branded(try context.project, typed(over: try context.project.brand, context.query))
        return switch context.query?["part"].flatMap(Part.init(rawValue:)) ?? .page {
        case .page: page(of: sample, context)
        case .email: email(of: sample, context)
        }
    }

    /// The brand with what the query has; what cannot be taken changes nothing.
    private static func typed(over brand: Brand, _ query: QueryString?) -> Brand {
        var brand = brand
        if let color = query?["color"] {
            brand.color = color.isEmpty ? nil : BrandColor(parsing: color) ?? brand.color
        }
        if let support = query?["support"] {
            brand.supportAddress =
                support.isEmpty ? nil : (try? EmailAddress(parsing: support)) ?? brand.supportAddress
        }
        if let postal = query?["postal"] { brand.postalLine = postal.isEmpty ? nil : postal }
        return brand
    }

    private static func branded(_ project: Project, _ brand: Brand) -> Project {
        Project(
            scope: project.scope, number: project.number, name: project.name, settings: project.settings,
            allKeys: project.allKeys, authorizedDomains: project.authorizedDomains, apps: project.apps,
            linkDomains: project.linkDomains, templates: project.templates,
            texts: project.texts, brand: brand)
    }

    private static func page(of project: Project, _ context: ConsoleContext) -> Response {
        let frame = PageFrame(appName: project.name, language: .english, brand: PageBrand(project))
        var html = DoneView(kind: .passwordReset, continueHref: "https://www.example.com/").page(in: frame).utf8Text
        if let logo = project.brand.logo {
            // The pages' own path is on the other listener.
            let here = "\(context.path(of: .brand))/logo?v=\(logo.digest)"
            html = html.replacing("src=\"\(PageBrand.path(of: logo, project.projectID))\"", with: "src=\"\(here)\"")
        }
        let policy = frame.contentSecurityPolicy
        var response = PageAnswer.html(
            HTML(trusted: html),
            policy: policy.replacing("frame-ancestors 'none'", with: "frame-ancestors 'self'"))
        response.headers[.frameOptions] = "SAMEORIGIN"
        return response
    }

    private static func email(of project: Project, _ context: ConsoleContext) -> Response {
        let voice = LetterVoice(.passwordReset, in: project, for: Language.english.tag)
        let letter = Letter(
            sample: .passwordReset, of: project, in: voice, publicURL: context.homing.publicURL,
            at: context.homing.system.now())
        return MailboxPages.letterAnswer(letter.html, of: project)
    }
}

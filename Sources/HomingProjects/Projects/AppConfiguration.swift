// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingLinkRules
package import HomingStore
import HomingTexts
import HomingWire

/// What an app, or a web page, needs to know of its project and its server: files to add, and lines for files that it
/// has already. Pure: the command prints it, and the console shows it.
package struct AppConfiguration: Sendable {
    package enum Platform: String, Sendable, CaseIterable {
        case apple, android, web
    }

    /// A file, or lines for one.
    package struct Part: Sendable, Equatable {
        /// The file's name, or the language's.
        package let name: String
        /// Where it goes, as the end of a heading.
        package let place: String
        package let text: String
    }

    package let platform: Platform
    /// The bundle id or the package name; nil of web pages.
    package let app: String?
    package let parts: [Part]

    /// - Parameter publicURL: as apps reach the server.
    package init(of app: RegisteredApp, in project: Project, publicURL: String) {
        self.app = app.id
        switch app.platform {
        case .apple:
            platform = .apple
            parts =
                [Self.appleFile(project, publicURL), Self.swift] + Self.entitlements(app, project)
                + [Self.appleProperties(app, project, publicURL)]
        case .android:
            platform = .android
            parts = [Self.androidFile(project, publicURL), Self.kotlin(project, publicURL)] + Self.manifest(project)
        }
    }

    /// Those of web pages, which need no registration.
    package init(ofWebPagesIn project: Project, publicURL: String) {
        platform = .web
        app = nil
        parts = [
            Part(
                name: "JavaScript", place: "a module of a page on an authorised domain",
                text: """
                    import { Homing } from "\(publicURL)/__/homing/1/homing.js"

                    const homing = Homing({ apiKey: "\(project.linkKey)" })
                    """)
        ]
    }

    /// Those of every app of a project, and of web pages.
    ///
    /// - Parameters:
    ///   - id: a bundle id or a package name, which an Apple app and an Android app may share; nil for all.
    ///   - platform: nil for all.
    /// - Throws: ``Refusal/notFound(_:)`` where no such app is registered.
    package static func all(
        in project: Project, app id: String?, platform: Platform?, publicURL: String
    ) throws(Refusal) -> [AppConfiguration] {
        let apps = project.apps.map { AppConfiguration(of: $0, in: project, publicURL: publicURL) }
        let web = id == nil ? [AppConfiguration(ofWebPagesIn: project, publicURL: publicURL)] : []
        let wanted = (apps + web).filter { each in
            (platform == nil || each.platform == platform)
                && (id == nil || each.app?.utf8.elementsEqual((id ?? "").utf8) == true)
        }
        guard wanted.isEmpty else { return wanted }
        throw Refusal.notFound(
            "\(id.map { "\(Printable.given($0)) is not" } ?? "no such app is") registered in \(project.projectID)",
            remedy: .meant(by: id ?? "", among: project.apps.map(\.id), else: .listApps(project: project.projectID)))
    }
}

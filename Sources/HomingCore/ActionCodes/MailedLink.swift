// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// The links around an action code, built from stored configuration only: no request header is ever an input.
package struct MailedLink: Sendable {
    let project: Project
    /// Scheme, host and port of the public listener, without a slash at the end.
    let publicURL: String

    package init(project: Project, publicURL: String) {
        self.project = project
        self.publicURL = publicURL
    }

    /// The page that handles codes: the operator's own page, or ours.
    package var handler: String { ActionHandler.url(of: project, publicURL: publicURL) }

    /// The path of the page where a person without a link asks for a reset.
    package static let resetRequestPath = "/__/auth/reset"

    /// The page where the reader of a notice asks for a reset: ours, which always exists. Its URL carries no code and
    /// names nobody, so that whoever sees the URL can do no more than anybody who knows the address.
    package func resetRequest(language: String?) -> String {
        "\(publicURL)\(Self.resetRequestPath)?apiKey=\(percentEncoded(project.linkKey))"
            + (language.map { "&lang=\(percentEncoded($0))" } ?? "")
            + (project.tenant.map { "&tenantId=\($0.id)" } ?? "")
    }

    /// Where a mail leads that carries no code: to the page that asks for a reset, or to the project's web site, in
    /// place of which that page stands where no site is set. Nil for a mail that leads nowhere.
    package func target(of kind: MailKind, language: String?) -> String? {
        if kind.leadsToSite, let site = project.settings.website { return site }
        return kind.leadsToReset || kind.leadsToSite ? resetRequest(language: language) : nil
    }

    /// The URL that goes into the mail (docs/wire.md).
    ///
    /// - Parameter language: nil where nobody named one: the page then follows the browser.
    package func url(
        code: String, kind: ActionCodeKind, settings: ActionCodeSettings, language: String?
    ) -> String {
        let carriesContinueURL = kind != .recoverEmail
        let link = ActionLink(
            handler: handler, mode: kind.mode, code: code, apiKey: project.linkKey,
            continueURL: carriesContinueURL ? continueURL(settings) : nil, language: language,
            tenantID: project.tenant?.id.text)
        guard settings.handlesCodeInApp else { return link.url(order: .web) }
        return wrapped(link.url(order: .inApp), settings)
    }

    /// The target of Continue: the caller's URL, inside a link that opens the app when one was named and the page acts.
    package func continueURL(_ settings: ActionCodeSettings) -> String? {
        guard let url = settings.continueURL else { return nil }
        return settings.handlesCodeInApp || isLink(url) ? url : wrapped(url, settings)
    }

    /// Whether a URL is on a link domain. It opens the app as it is; a link around a link would not be followed.
    private func isLink(_ url: String) -> Bool {
        guard !project.linkDomains.isEmpty, let url = try? WebURL(parsing: url) else { return false }
        return project.claims(url)
    }

    private func wrapped(_ url: String, _ settings: ActionCodeSettings) -> String {
        guard settings.namesApp, let name = settings.linkDomain,
            let domain = project.linkDomains.first(where: { $0.text.utf8.elementsEqual(name.utf8) })
        else { return url }
        guard settings.usesDynamicLinkForm else { return WrappedLink.authLink(url, base: domain.baseURL) }
        let link = WrappedLink.dynamicLink(
            url, base: domain.baseURL,
            apps: WrappedLink.Apps(
                androidPackageName: settings.androidPackageName,
                androidMinimumVersion: settings.androidMinimumVersion,
                installsAndroidApp: settings.installsAndroidApp, iosBundleID: settings.iosBundleID))
        // The form has the URL three times. One that no server would take gives way to the form that has it once.
        return WrappedLink.isCarried(link) ? link : WrappedLink.authLink(url, base: domain.baseURL)
    }
}

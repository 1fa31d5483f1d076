// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
internal import HomingWire

/// Judges the apps of a project by their registration.
package struct AppsCheck: Sendable {
    package let project: Examination.Project

    package init(project: Examination.Project) {
        self.project = project
    }

    private var subject: String { "project \(project.id)" }

    package func findings() -> [Finding] {
        var findings = project.apps.flatMap { app in
            switch app.platform {
            case .apple: apple(app)
            case .android: android(app)
            }
        }
        for app in project.unregisteredApps {
            findings.append(
                .warning(
                    "APP_NOT_REGISTERED", subject, "mails named \(Printable.ascii(app)), which is not registered",
                    "Register it with homing app add apple or android \(project.id), or correct the name in the app."))
        }
        if !project.linkDomains.isEmpty, project.apps.isEmpty {
            findings.append(
                .warning(
                    "APPS_MISSING", subject,
                    "the project has a link domain and no app, so that links open the web only",
                    "Register the apps: homing app add apple or android \(project.id)."))
        }
        return findings.about(.apps) + (googlesDomains + missingDomain).about(.linkDomains)
    }

    private var missingDomain: [Finding] {
        guard project.linkDomains.isEmpty, !project.apps.isEmpty else { return [] }
        return [
            .warning(
                "LINK_DOMAIN_MISSING", subject,
                "the project has apps and no link domain, so that a mailed link opens a page first",
                "Add one: homing link-domain add \(project.id) HOST.")
        ]
    }

    /// Google's domains. One is a problem where links are made on it because the project has no other.
    private var googlesDomains: [Finding] {
        let dead = project.linkDomains.filter { (try? LinkDomain(parsing: $0))?.isGoogles ?? false }
        let finding = dead.count == project.linkDomains.count ? Finding.problem : Finding.warning
        return dead.map { domain in
            finding(
                "LINK_DOMAIN_GOOGLES", subject, "\(domain) is Google's, and no link on it ever arrives here",
                "Add a host of your own, name it in the apps, and remove this one: homing link-domain remove "
                    + "\(project.id) \(domain).")
        }
    }

    private func apple(_ app: RegisteredApp) -> [Finding] {
        let findings = app.gaps.map { gap in
            gap.keepsAppClosed
                ? Finding.problem(
                    "APP_WITHOUT_TEAM_ID", subject, sentence(gap, of: app),
                    "Register it again: homing app add apple \(project.id) --bundle-id \(app.id) --team-id T.")
                : Finding.warning(
                    "APP_WITHOUT_STORE_ID", subject, sentence(gap, of: app),
                    "Once it is in the store, register it again with --app-store-id N.")
        }
        return findings.isEmpty ? [.ok("APP_OK", subject, "\(app.id) (Apple)")] : findings
    }

    private func android(_ app: RegisteredApp) -> [Finding] {
        guard let gap = app.gaps.first else { return [.ok("APP_OK", subject, "\(app.id) (Android)")] }
        return [
            .problem(
                "APP_WITHOUT_FINGERPRINT", subject, sentence(gap, of: app),
                "Register it again with --sha256, the app signing key's when Google Play signs the app.")
        ]
    }

    private func sentence(_ gap: RegisteredApp.Gap, of app: RegisteredApp) -> String {
        "\(app.id) has no \(gap.name), so that \(gap.consequence)"
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingStore
import Hummingbird

/// What password managers and people who have found a weakness look for on every host.
enum WellKnown {
    static let changePassword = "/.well-known/change-password"
    static let securityText = "/.well-known/security.txt"

    /// Leads to the page that mails a password reset (https://www.w3.org/TR/change-password-url/): the one of the
    /// host's project.
    ///
    /// - Returns: nil where nobody can tell whose passwords are meant.
    static func passwordPage(_ request: Request, _ homing: Homing) -> Response? {
        guard let host = request.head.authority, let project = homing.projects.project(host: host),
            project.settings.allowsEmail
        else { return nil }
        return PageAnswer.redirect(
            to: MailedLink(project: project, publicURL: homing.publicURL).resetRequest(language: nil))
    }

    /// Whom to tell of a weakness (RFC 9116), which is true for a year from the start of the day.
    ///
    /// - Returns: nil where the operator names nobody.
    static func securityContact(_ homing: Homing) -> Response? {
        guard let contact = homing.securityContact else { return nil }
        let end = homing.system.now().adding(seconds: 365 * 86_400).day
        return Answer.text("Contact: \(contact)\nExpires: \(end)T00:00:00Z\n")
    }
}

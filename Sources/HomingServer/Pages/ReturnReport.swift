// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingWire
import Hummingbird

/// Counts the people who follow Continue, the last step of a mail's life. The script of the page reports it; a page
/// without scripts reports nothing, so that the count is a lower bound.
struct ReturnReport: Sendable {
    let homing: Homing

    static let path = "/__/auth/returned"
    private static let step = "returned"

    /// What a page reports about the mail of a code that it has used: bound to the mail and the project, for two hours.
    ///
    /// - Returns: nil for a code that no mail carried.
    static func query(_ code: ActionCode, _ visit: Visit, _ project: Project, _ homing: Homing) -> String? {
        guard let mail = code.mail else { return nil }
        let token = PageToken(ring: homing.keys.ring)
            .make(step: step, code: mail, project: project.scope, at: homing.system.now())
        return "\(visit.placeQuery)&mail=\(mail)&token=\(token)"
    }

    /// Answers nothing, whatever is reported: nobody reads it.
    func take(_ form: QueryString) -> Response {
        if let key = form["apiKey"], let mail = form["mail"],
            let project = homing.projects.project(linkKey: key, tenant: TenantID(form["tenantId"] ?? "")),
            (try? PageToken(ring: homing.keys.ring).isValid(
                form["token"] ?? "", step: Self.step, code: mail, project: project.scope, at: homing.system.now()))
                == true
        {
            homing.outbox.mailCounts.returned(mail: mail, in: project)
        }
        return Response(status: .noContent)
    }
}

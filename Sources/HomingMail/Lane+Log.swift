// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingShortLinks
import Logging

/// What operators read of a mail's fate.
extension Lane {
    func log(_ mail: OutboxMail, _ settlement: Outbox.Settlement) {
        // Made only for what is logged: most mails are sent, and that is no news.
        var metadata: Logger.Metadata {
            ["mail": "\(mail.id)", "project": "\(mail.project)", "kind": "\(mail.kind.rawValue)"]
        }
        if case .sent = settlement, let project = homing.projects.projectOrTenant(mail.project) {
            for app in mail.settings.unregisteredApps(in: project) {
                logger.notice(
                    "a mailed link names an app that is not registered: homing app add",
                    metadata: metadata.merging(["app": "\(app)"]) { $1 })
            }
            for member in mail.settings.leftOut {
                logger.notice(
                    "a request had a value that cannot be used; its link was mailed without",
                    metadata: metadata.merging(["member": "\(member)"]) { $1 })
            }
            if mail.settings.lacksLinkDomain {
                logger.notice(
                    "a mailed link leads to the app by way of a page: homing link-domain add", metadata: metadata)
            }
        }
        switch settlement {
        case .sent, .dropped: logger.debug("email delivered to relay", metadata: metadata)
        case .expired(.codeDied): logger.info("email not sent: its link had died", metadata: metadata)
        case .expired(.projectGone): logger.info("email not sent: its project is gone", metadata: metadata)
        case .failed(let reply):
            logger.warning(
                "email refused for good by the relay", metadata: metadata.merging(["reply": "\(reply)"]) { $1 })
        case .suppressed(let reason):
            logger.notice(
                "email not sent: emails to its address came back",
                metadata: metadata.merging(["reason": "\(reason)"]) { $1 })
        case .retry(let reply), .postponed(let reply, _):
            logger.info("email not sent yet", metadata: metadata.merging(["reply": "\(reply)"]) { $1 })
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingStore
internal import HomingWire

/// Judges whether the link webhook of a project takes what it is told.
package struct LinkWebhookCheck: Sendable {
    package let project: Examination.Project

    package init(project: Examination.Project) {
        self.project = project
    }

    package func findings() -> [Finding] {
        guard let webhook = project.linkWebhook else { return [] }
        let subject = "project \(project.id)"
        guard let since = webhook.failingSince else {
            let told = Finding.ok("LINK_WEBHOOK_OK", subject, "clicks on links are told to \(webhook.url)")
            guard webhook.dropped > 0 else { return [told] }
            return [
                .warning(
                    "LINK_WEBHOOK_DROPPED", subject,
                    "\(webhook.dropped) events were not told to \(webhook.url) and are dropped",
                    "Have the receiver answer 2xx at once and work afterwards: docs/link-webhooks.md. Setting the URL "
                        + "again sets this number back.")
            ]
        }
        return [
            .problem(
                "LINK_WEBHOOK_FAILING", subject,
                "\(webhook.url) takes nothing since \(since): \(Printable.ascii(webhook.problem ?? "")); "
                    + "\(webhook.waiting) events wait",
                "Mend the receiver, then homing link webhook test \(project.id); or homing link webhook remove "
                    + "\(project.id).")
        ]
    }
}

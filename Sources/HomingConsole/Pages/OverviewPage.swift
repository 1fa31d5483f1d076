// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Hummingbird

/// `/console/projects/{project}/`: whether it works, at a glance; what is missing until an emailed link brings people
/// back; and the first lines of code.
enum OverviewPage {
    static func show(_ context: ConsoleContext) async throws -> Response {
        let project = try context.project
        let numbers = try await OverviewNumbers(project, context)
        let isMailed = try await context.homing.outbox.mailCounts.hasSent(in: project)
        let health = try await OverviewHealth(project, numbers.queue, context)
        let steps = SetUpSteps(project, isMailed: isMailed, context)
        return ConsolePage(
            .overview, lead: "Whether emails and links bring people back to \(project.name).",
            """
            \(numbers.tiles)
            <div class="columns"><div>
            \(steps.areAllDone ? "" : steps.html)\(numbers.charts)
            \(SetupSnippets(project, context).html)
            </div><aside>
            \(health.html)
            \(context.homing.store.mails(project) ? "" : MailPage.nothingLeaves)\(steps.areAllDone ? steps.html : "")
            </aside></div>
            """
        ).answer(in: context)
    }
}

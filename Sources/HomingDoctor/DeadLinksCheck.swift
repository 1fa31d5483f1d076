// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
import HomingProjects
import HomingShortLinks

/// Judges whether the links of a project lead anywhere.
package struct DeadLinksCheck: Sendable {
    package let project: Examination.Project

    package init(project: Examination.Project) {
        self.project = project
    }

    package func findings() -> [Finding] {
        guard let links = project.deadLinks, let sentence = links.sentence else { return [] }
        return [
            .problem(
                "LINKS_LEAD_NOWHERE", "project \(project.id)", sentence + (links.reason.map { " (\($0))" } ?? ""),
                "Give back what was removed (homing domain add, homing link-domain add, homing app add), or change where "
                    + "they lead: homing link edit \(project.id) LINK --link URL.")
        ]
    }
}

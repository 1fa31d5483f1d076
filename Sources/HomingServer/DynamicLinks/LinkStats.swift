// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `{short link}/linkStats` (Dynamic Links Analytics API).
extension DynamicLinks {
    /// - Parameters:
    ///   - link: the short link, decoded, of any project.
    ///   - days: `durationDays`, today included.
    static func linkStats(_ context: AdminContext, link: String, days: String?) async throws -> JSON {
        let homing = context.homing
        guard let days = Int64(days ?? "7"), (1...36_500).contains(days) else {
            throw Refusal.invalidArgument("durationDays is a whole number from 1 on")
        }
        let located = homing.projects.locate(link)
        if let located { try context.check(located.site.project) }
        guard let located, case .suffix(let suffix) = located.part,
            let stored = try await homing.links.stored(
                meantBy: suffix, on: located.site.domain, of: located.site.project)
        else { throw Refusal.notFound("there is no such short link") }
        let entries = try await homing.links.counts.entries(
            of: stored.suffix, on: located.site.domain.text, project: located.site.project.scope, days: days)
        guard !entries.isEmpty else { return .object([]) }
        return .object([
            (
                "linkEventStats",
                .array(
                    entries.map { entry in
                        .object([
                            ("platform", .string(entry.platform.rawValue)),
                            ("count", .string(String(entry.count))), ("event", .string(entry.event.wireName)),
                        ])
                    })
            )
        ])
    }
}

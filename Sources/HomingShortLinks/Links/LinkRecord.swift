// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
package import HomingStore
package import HomingWire

/// A short link as JSON: what `/v1/projects/{project}/links` answers, `--json` prints and an export has. What a link
/// does not have is absent.
package enum LinkRecord {
    package static func json(_ listed: ListedLink) throws -> JSON {
        let link = listed.link
        return .object(
            [("shortLink", .string(listed.url))] + members(try link.content(), on: listed.domain) + [
                ("state", .string(listed.state.rawValue)), ("version", .int(link.version)),
                ("createTime", .string(link.createdAt.timestamp)),
                ("updateTime", .string((link.updatedAt ?? link.createdAt).timestamp)), ("clicks", .int(listed.clicks)),
            ])
    }

    /// What a link was before it was changed, or is since.
    package static func json(_ version: LinkVersion, on domain: LinkDomain) -> JSON {
        .object(
            [
                ("version", .int(version.version)), ("createTime", .string(version.at.timestamp)),
                ("author", version.author.map { .string($0) }),
            ] + members(version.content, on: domain) + [
                ("state", .string((version.content.details.isOn ? LinkState.active : .disabled).rawValue))
            ])
    }

    private static func members(_ content: LinkContent, on domain: LinkDomain) -> [(String, JSON?)] {
        let details = content.details
        return [
            ("title", content.name.map { .string($0) }), ("dynamicLinkInfo", content.parameters.info(on: domain)),
            ("tags", details.tags.isEmpty ? nil : .array(details.tags.map { .string($0) })),
            (
                "languageLinks",
                details.languageLinks.isEmpty
                    ? nil : .object(details.languageLinks.map { ($0.tag, .string($0.link)) })
            ),
            ("startsAt", details.startsAt.map { .string($0.timestamp) }),
            ("endsAt", details.endsAt.map { .string($0.timestamp) }),
            ("maxClicks", details.maxClicks.map { .int($0) }), ("afterEnd", details.afterEnd.map { .string($0) }),
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingShortLinks
import HomingStore
import HomingWire
import Hummingbird

/// The short links of a project, of back ends (``LinkRecords``).
extension Endpoint {
    private static let links = "/v1/projects/{project}/links"
    private static let link = "\(links)/{domain}/{ending}"

    private static let suffix = Member.object(
        "suffix",
        [
            .choice("option", of: ["UNGUESSABLE", "SHORT", "CUSTOM"], "How long the ending is."),
            .text("customSuffix", "The ending, of `CUSTOM`."),
        ], "The ending of a new link, where `shortLink` has none.")

    private static let mask = Member.text(
        "updateMask", "The paths of what is changed, with commas between them; without it what the body has.")

    private static func operation(
        _ name: String, _ verb: HTTPRequest.Method, _ path: String, _ meaning: String,
        bodyLimit: Int = Routes.bodyLimit, query: Shape = [], request: Shape? = nil, answers: Shape,
        _ run: @escaping @Sendable (AdminProjectContext, DeclaredQuery) async throws -> JSON
    ) -> Endpoint {
        Endpoint(
            name, verb, [path], meaning, bodyLimit: bodyLimit, query: query,
            request: request.map { Shape(nil, $0.members + [tenant]) }, reply: .json(answers), .project(run))
    }

    private static let tenant = Member.text("tenantId", "A tenant, whose links these are not: they are its project's.")

    static let ofLinkRecords: [Endpoint] = [
        operation(
            "links", .get, links, "Finds links, or lists them, page by page.",
            query: [
                .text("search", "Words of the title, or the beginning of an ending."),
                .text("target", "The target or its beginning, in any spelling."), .text("tag", "A tag."),
                .text("domain", "A link domain."),
                .choice("state", of: LinkState.allCases.map(\.rawValue), "A state; all but the last two without it."),
                .text("createdFrom", "The earliest time of creation."),
                .text("createdBefore", "The time before which they were made."),
                .choice("orderBy", of: LinkQuery.Order.allCases.map(\.rawValue), "The order."),
                .int64("pageSize", "How many, 100 where it is missing, at most 1,000."),
                .text("pageToken", "`nextPageToken` of the page before, of the same query."),
            ],
            answers: [
                .objects("links", .link, "The links; absent where there is none."),
                .text("nextPageToken", "For the next page; the last page has none."),
            ], LinkRecords.list),
        operation(
            "links", .post, links, "Makes a link.",
            request: Shape(nil, newLink.members), answers: .link
        ) { context, _ in try await LinkRecords.create(context) },
        operation(
            "links", .post, "\(links):batch", "Makes, changes and deletes links, each by itself.",
            bodyLimit: Routes.batchLimit,
            request: [
                .objects(
                    "requests",
                    [
                        .object("create", newLink, "A link that is made."),
                        .object("update", existingLink, "A link that is changed, by its `shortLink`."),
                        mask, .text("delete", "The URL of a link that is deleted."),
                    ], "At most 1,000, each with one of `create`, `update` and `delete`.")
            ],
            answers: [
                .objects(
                    "results",
                    [
                        .object("link", .link, "The link, where the request was done."),
                        .object(
                            "error",
                            [
                                .integer("code", "The status that it would have alone."),
                                .text("message", "Why it was not done."), .text("status", "The status's name."),
                            ], "Why it was not, where nothing has changed."),
                    ], "One for each request, in their order.")
            ]
        ) { context, _ in try await LinkRecords.batch(context) },
        operation("links", .get, link, "Tells a link.", answers: .link) { context, _ in
            try await LinkRecords.get(context)
        },
        operation(
            "links", .patch, link, "Changes a link.", query: [mask],
            request: Shape(nil, existingLink.members), answers: .link
        ) { context, query in try await LinkRecords.update(context, mask: query.updateMask) },
        operation(
            "links", .delete, link, "Deletes a link, whose ending is never given away.", answers: .link
        ) { context, _ in try await LinkRecords.delete(context) },
        operation(
            "linkVersions", .get, "\(link)/versions", "Tells what a link is and was.",
            answers: [
                .objects(
                    "versions",
                    Shape(
                        "LinkVersion",
                        [
                            .int64("version", "From 1 on."), .text("createTime", "Since when."),
                            .text("author", "Who has made it; absent where an app did, or nobody knows."),
                        ] + Shape.changedLink.members), "The newest, which is in force, first.")
            ]
        ) { context, _ in try await LinkRecords.versions(context) },
        operation(
            "linkVersions", .post, "\(link):restore", "Makes a link again what it was in one of its versions.",
            request: [.int64("version", "The version.")], answers: .link
        ) { context, _ in try await LinkRecords.restore(context) },
        Endpoint(
            "linkQRCode", .get, ["\(link)/qr"], "Draws the QR code of a link, as SVG or PNG.",
            query: [
                .choice("format", of: ["svg", "png"], "The kind of picture, `svg` where it is missing."),
                .integer("size", "The pixels of a side, 64 to 2,048."),
            ],
            reply: .undescribed,
            .response { request, call, parts in
                let context = try AdminProjectContext(request, call, fields: Fields(), homing: parts.homing)
                let query = request.uri.queryParameters
                return try await LinkRecords.qrCode(
                    context, format: query.get("format"), size: query.get("size"))
            }),
    ]

    private static let shortLink = Member.text("shortLink", "The link's URL.")
    private static let version = Member.int64(
        "version", "The version that is in force; of a request the one that its author has seen.")
    private static let existingLink = Shape("ExistingLink", Shape.changedLink.members + [shortLink, version])
    private static let newLink = Shape("NewLink", existingLink.members + [suffix])
}

extension Shape {
    /// What can be changed of a link (``LinkChange``).
    static let changedLink = Shape(
        nil,
        [
            .text("title", "What the link is called in lists."),
            .object("dynamicLinkInfo", .dynamicLinkInfo, "What the link does."),
            .texts("tags", "Tags, at most 20."),
            .anything("languageLinks", "Where people go who speak a language, as `{\"de\": \"https://…\"}`."),
            .text("startsAt", "Until then nobody finds the link; as 2026-12-24T18:00:00Z."),
            .text("endsAt", "From then on the link leads nowhere, or to `afterEnd`."),
            .int64("maxClicks", "The number of clicks of people after which it does, too."),
            .text("afterEnd", "Where a link leads that has ended."),
            .choice("state", of: LinkState.allCases.map(\.rawValue), "`ENDED` and `DELETED` are told only."),
        ])

    /// ``LinkRecord``.
    static let link = Shape(
        "Link",
        [.text("shortLink", "The link's URL.")] + changedLink.members + [
            .int64("version", "The version that is in force."), .text("createTime", "When the link was made."),
            .text("updateTime", "When it was last changed."), .int64("clicks", "Clicks of people, ever."),
            .objects("warning", .linkWarnings, "What is odd about the link."),
        ])
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// The operations of back ends on the settings of a project and on its tenants, by an admin key.
extension Endpoint {
    /// Google's production answers these below `admin`, too, where the Firebase CLI asks.
    private static let prefixes = [OwnPath.identityToolkit, "\(OwnPath.identityToolkit)/admin", "", "/admin"]

    private static let mask = Member.text(
        "updateMask", "The paths of what is changed, with commas between them; without it what the body has.")

    private static func operation(
        _ name: String, _ method: GoogleMethod, _ meaning: String, query: Shape = [], request: Shape? = nil,
        answers: Shape, _ run: @escaping @Sendable (AdminProjectContext, DeclaredQuery) async throws -> JSON
    ) -> Endpoint {
        Endpoint(
            name, method, behind: prefixes, meaning, query: query, request: request, reply: .json(answers),
            .project(run))
    }

    static let ofSettings: [Endpoint] = [
        operation(
            "projectConfig", .getConfig, "Tells the settings of a project.", answers: ProjectConfigDocument.shape
        ) { context, _ in try IdentityToolkit.config(context) },
        operation(
            "projectConfig", .updateConfig, "Changes settings of a project.", query: [mask],
            request: ProjectConfigDocument.shape, answers: ProjectConfigDocument.shape
        ) { context, query in try await IdentityToolkit.updateConfig(context, mask: query.updateMask) },
        operation(
            "tenants", .createTenant, "Makes a tenant.", request: TenantDocument.shape, answers: TenantDocument.shape
        ) { context, _ in try await IdentityToolkit.createTenant(context) },
        operation(
            "tenants", .listTenants, "Lists tenants by their ids.",
            query: [
                .int64("pageSize", "How many, 20 where it is missing, at most 1,000."),
                .text("pageToken", "`nextPageToken` of the page before."),
            ],
            answers: [
                .objects("tenants", TenantDocument.shape, "The tenants; absent where there is none."),
                .text("nextPageToken", "For the next page, where there is one."),
            ]
        ) { context, query in
            try IdentityToolkit.listTenants(
                context, pageSize: query.first("pageSize"), after: query.first("pageToken"))
        },
        operation("tenants", .getTenant, "Tells a tenant.", answers: TenantDocument.shape) { context, _ in
            try IdentityToolkit.tenant(context)
        },
        operation(
            "tenants", .updateTenant, "Changes a tenant.", query: [mask], request: TenantDocument.shape,
            answers: TenantDocument.shape
        ) { context, query in try await IdentityToolkit.updateTenant(context, mask: query.updateMask) },
        operation(
            "tenants", .deleteTenant, "Deletes a tenant with its accounts, links and emails.", answers: .open
        ) { context, _ in try await IdentityToolkit.deleteTenant(context) },
    ]
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `projects/{project}:createSessionCookie`: a cookie of the operator's own site for an ID token.
    static func createSessionCookie(_ context: AdminProjectContext) async throws -> JSON {
        let fields = context.fields
        guard let token = try fields.text("idToken") else { throw Refusal.missingIDToken }
        let longest = Sessions.cookieLifetimes.upperBound
        let seconds = try fields.integer("validDuration") ?? longest
        guard Sessions.cookieLifetimes.contains(seconds) else { throw Refusal.invalidDuration }
        let cookie = try await context.homing.sessions.cookie(
            for: token, lasting: seconds, in: context.project, by: context.backEnd.author)
        return .object([("sessionCookie", .string(cookie))])
    }
}

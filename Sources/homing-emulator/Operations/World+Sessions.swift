// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension World {
    private static let cookieLifetimes: ClosedRange<Int64> = 300...1_209_600

    /// `projects/{project}:createSessionCookie`.
    mutating func createSessionCookie(_ call: Call) throws(Fault) -> JSON {
        guard let token = try call.body.text("idToken") else { throw Fault("MISSING_ID_TOKEN") }
        let given = try call.body.integer("validDuration") ?? 0
        let seconds = given == 0 ? Self.cookieLifetimes.upperBound : given
        guard Self.cookieLifetimes.contains(seconds) else { throw Fault("INVALID_DURATION") }
        _ = try signedIn(by: token, call)
        var claims = Tokens.claims(of: token) ?? JSON.Object()
        let audience = claims["aud"]?.stringValue ?? call.place.project
        claims["iat"] = .int(now / 1000)
        claims["exp"] = .int(now / 1000 + seconds)
        claims["iss"] = .string("https://session.firebase.google.com/\(audience)")
        return ["sessionCookie": .string(Tokens.unsigned(.object(claims)))]
    }

    /// `securetoken.googleapis.com/v1/token`: a new ID token for a refresh token, which nothing ends but the account's
    /// end.
    mutating func grantToken(_ call: Call) throws(Fault) -> JSON {
        let body = call.body
        guard let grant = try body.text("grantType") else { throw Fault("MISSING_GRANT_TYPE") }
        guard grant == "refresh_token" else { throw Fault("INVALID_GRANT_TYPE") }
        guard let token = try body.text("refreshToken") else { throw Fault("MISSING_REFRESH_TOKEN") }
        guard let session = RefreshToken(token), session.project == call.place.project,
            let account = self[call.place][session.account]
        else { throw Fault("INVALID_REFRESH_TOKEN") }
        guard account.isDisabled != true else { throw Fault("USER_DISABLED") }
        let tokens = issueTokens(
            for: account.id, provider: session.provider, extraClaims: session.extraClaims, in: call.place)
        let idToken = tokens.first { $0.0 == "idToken" }?.1
        return .object([
            ("id_token", idToken), ("access_token", idToken), ("expires_in", "3600"),
            ("refresh_token", .string(token)), ("token_type", "Bearer"), ("user_id", .string(account.id)),
            ("project_id", .string(Self.projectNumber)),
        ])
    }

    static let projectNumber = "12345"
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingStore
import HomingWire
import Hummingbird

/// Where the library behind an Admin SDK exchanges what a service account's file signs for an access token (RFC 7523,
/// section 2.1): the file's `token_uri`, and the same behind Google's host, for those that know Google's address alone.
enum AccessTokenGrant {
    static let paths = [AccessToken.path, OwnPath.oauth2 + AccessToken.path]
    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    static func answer(_ request: Request, _ homing: Homing) async throws -> Response {
        do {
            let form = try await Routes.formFields(of: request)
            if let twice = ["grant_type", "assertion"].first(where: form.repeats) {
                throw GrantRefusal("invalid_request", "\(twice) is given twice.")
            }
            guard form["grant_type"]?.utf8.elementsEqual(grantType.utf8) == true else {
                throw GrantRefusal("unsupported_grant_type", "grant_type is \(grantType).")
            }
            guard let assertion = form["assertion"] else {
                throw GrantRefusal("invalid_request", "assertion is what a service account has signed.")
            }
            // The gate has seen that the Host is a name of this listener.
            let audiences = ["http", "https"].flatMap { scheme in
                paths.map { "\(scheme)://\(request.head.authority ?? "")\($0)" }
            }
            let token = try await homing.accounts.serviceAccounts.accessToken(for: assertion, audiences: audiences)
            return Answer.json([
                "access_token": .string(token.text), "expires_in": .int(AccessToken.seconds), "token_type": "Bearer",
            ])
        } catch let refusal as GrantRefusal {
            return Answer.json(
                ["error": .string(refusal.code), "error_description": .string(refusal.sentence)], status: .badRequest)
        }
    }
}

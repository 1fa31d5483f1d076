// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire

/// Tokens that nobody has signed: whoever runs tests may make them, and nothing that matters may believe them.
enum Tokens {
    static func unsigned(_ claims: JSON) -> String {
        let header: JSON = ["alg": "none", "typ": "JWT"]
        return [header, claims].map { Base64URL.encode($0.write(pretty: false)) }.joined(separator: ".") + "."
    }

    /// The claims of a token, whatever stands behind them; nil where it is none.
    static func claims(of token: String) -> JSON.Object? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSON.parse(payload))?.objectValue
    }

    static func idToken(
        of account: Account, provider: String, extraClaims: JSON.Object, in place: Place, at now: Int64
    ) -> String {
        var claims = JSON.Object()
        claims["name"] = account.displayName.map { .string($0) }
        claims["picture"] = account.photoURL.map { .string($0) }
        let custom = account.customAttributes.flatMap { try? JSON.parse(Array($0.utf8)).objectValue }
        for member in (custom?.members ?? []) + extraClaims.members { claims[member.key] = member.value }
        claims["email"] = account.email.map { .string($0) }
        claims["email_verified"] = account.isEmailVerified.map { .bool($0) }
        claims["phone_number"] = account.phoneNumber.map { .string($0) }
        claims["provider_id"] = provider == "anonymous" ? "anonymous" : nil
        claims["auth_time"] = .int((account.lastLoginAt ?? now) / 1000)
        claims["user_id"] = .string(account.id)
        var identities = JSON.Object()
        identities["email"] = account.email.map { [.string($0)] }
        identities["phone"] = account.phoneNumber.map { [.string($0)] }
        for (name, id) in account.federated { identities[name] = [.string(id)] }
        var firebase = JSON.Object([("identities", .object(identities)), ("sign_in_provider", .string(provider))])
        firebase["tenant"] = place.tenant.map { .string($0) }
        claims["firebase"] = .object(firebase)
        claims["iat"] = .int(now / 1000)
        claims["exp"] = .int(now / 1000 + 3600)
        claims["aud"] = .string(place.project)
        claims["iss"] = .string("https://securetoken.google.com/\(place.project)")
        claims["sub"] = .string(account.id)
        return unsigned(.object(claims))
    }
}

/// A session as its token tells it. The form is that of Firebase's emulator, so that recorded ones work with both.
struct RefreshToken {
    private static let mark = "_AuthEmulatorRefreshToken"

    let account: String
    let provider: String
    let extraClaims: JSON.Object
    let project: String
    let tenant: String?

    init(account: String, provider: String, extraClaims: JSON.Object, place: Place) {
        self.account = account
        self.provider = provider
        self.extraClaims = extraClaims
        project = place.project
        tenant = place.tenant
    }

    init?(_ token: String) {
        guard let bytes = Data(base64Encoded: token), let object = (try? JSON.parse(Array(bytes)))?.objectValue,
            object[Self.mark]?.stringValue?.isEmpty == false, let account = object["localId"]?.stringValue,
            let provider = object["provider"]?.stringValue, let project = object["projectId"]?.stringValue
        else { return nil }
        self.account = account
        self.provider = provider
        self.project = project
        extraClaims = object["extraClaims"]?.objectValue ?? JSON.Object()
        tenant = object["tenantId"]?.stringValue
    }

    var text: String {
        let members = JSON.object([
            (Self.mark, "DO NOT MODIFY"), ("localId", .string(account)), ("provider", .string(provider)),
            ("extraClaims", .object(extraClaims)), ("projectId", .string(project)),
            ("tenantId", tenant.map { .string($0) }),
        ])
        return Data(members.write(pretty: false)).base64EncodedString()
    }
}

extension World {
    /// The members of an answer that signs somebody in.
    mutating func issueTokens(
        for id: String, provider: String, extraClaims: JSON.Object = JSON.Object(), in place: Place
    ) -> [(String, JSON?)] {
        guard var account = self[place][id] else { return [] }
        let now = now
        account.lastRefreshAt = Self.timestamp(now)
        self[place].put(account)
        let idToken = Tokens.idToken(of: account, provider: provider, extraClaims: extraClaims, in: place, at: now)
        let refresh = RefreshToken(account: id, provider: provider, extraClaims: extraClaims, place: place)
        return [
            ("idToken", .string(idToken)), ("refreshToken", .string(refresh.text)), ("expiresIn", "3600"),
        ]
    }

    static func timestamp(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(
            .iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true)
                .timeSeparator(.colon))
    }

    /// The account behind an ID token, and how it was signed in.
    func signedIn(by token: String, _ call: Call) throws(Fault) -> (account: Account, provider: String) {
        guard let claims = Tokens.claims(of: token), let firebase = claims["firebase"]?.objectValue,
            let id = claims["user_id"]?.stringValue ?? claims["sub"]?.stringValue
        else { throw Fault("INVALID_ID_TOKEN") }
        if let tenant = firebase["tenant"]?.stringValue, tenant != call.place.tenant {
            throw Fault("TENANT_ID_MISMATCH")
        }
        guard let account = self[call.place][id] else { throw Fault("USER_NOT_FOUND") }
        guard (claims["iat"]?.integerValue ?? 0) >= account.validSince ?? 0 else { throw Fault("TOKEN_EXPIRED") }
        guard account.isDisabled != true else { throw Fault("USER_DISABLED") }
        return (account, firebase["sign_in_provider"]?.stringValue ?? "password")
    }

    /// Operations of a place that is switched off do nothing.
    mutating func checkEnabled(_ call: Call) throws(Fault) {
        guard !rules(of: call.place).isDisabled else { throw Fault("PROJECT_DISABLED") }
    }
}

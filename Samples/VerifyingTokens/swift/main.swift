// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
//
// Verifies ID tokens, and session cookies by their ISSUER, with jwt-kit 5:
// verify-id-token JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN

import Foundation
import JWTKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Believes ID tokens of one project, or of one tenant in it: of nobody's else, because two tenants may have one id.
///
/// Keep one while the program runs: it keeps the key set for an hour. With the key set and the issuer of session
/// cookies it believes those, and no ID tokens.
actor IDTokenVerifier {
    /// The token is not to be believed: 401. Any other error means that the key set did not come: 503.
    struct Refused: Error { let reason: String }

    struct Claims: JWTPayload {
        let iss, aud, sub: String
        let exp, iat, authTime: Double
        let firebase: Firebase?
        struct Firebase: Codable { let tenant: String? }
        enum CodingKeys: String, CodingKey { case iss, aud, sub, exp, iat, authTime = "auth_time", firebase }

        /// The verifier looks at the claims itself.
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    private let keySet: URL
    private let project, issuer: String
    private let tenant: String?
    private var keys: [String: JWK] = [:]
    private var fetched, asked: ContinuousClock.Instant?
    private var fetching: Task<Void, any Error>?

    init(keySet: URL, project: String, issuer: String? = nil, tenant: String? = nil) {
        (self.keySet, self.project, self.tenant) = (keySet, project, tenant)
        self.issuer = issuer ?? "https://securetoken.google.com/\(project)"
    }

    func verify(_ token: String) async throws -> Claims {
        guard let header = try? DefaultJWTParser().parse(Array(token.utf8), as: Claims.self).header
        else { throw Refused(reason: "this is no token with iss, aud, sub, exp, iat and auth_time") }
        // Looked up here, because jwt-kit takes its default key for a kid that it does not know.
        guard let kid = header.kid, let key = try await key(kid) else { throw Refused(reason: "the kid is unknown") }
        // The key says what algorithm it is for. The token alone never does.
        guard let algorithm = key.algorithm, [.rs256, .es256].contains(algorithm), header.alg == algorithm.rawValue
        else { throw Refused(reason: "the alg is not the key's") }
        let collection = try await JWTKeyCollection().add(jwk: key)
        guard let claims = try? await collection.verify(token, as: Claims.self)
        else { throw Refused(reason: "the signature is wrong") }
        let (now, minute) = (Date().timeIntervalSince1970, 60.0)  // Clocks differ.
        let rules: KeyValuePairs = [
            "iss": claims.iss == issuer, "aud": claims.aud == project,
            "exp": claims.exp > now - minute, "iat": claims.iat < now + minute,
            "auth_time": claims.authTime < now + minute, "sub": !claims.sub.isEmpty,
            "tenant": claims.firebase?.tenant == tenant,
        ]
        for (name, holds) in rules where !holds { throw Refused(reason: "the claim \(name) is wrong") }
        return claims
    }

    /// A set is good for an hour. An unknown kid fetches it anew, at most once a minute.
    private func key(_ kid: String) async throws -> JWK? {
        let now = ContinuousClock.now
        if let fetched, now - fetched > .seconds(3600) { keys = [:] }
        if keys[kid] == nil, asked.map({ now - $0 > .seconds(60) }) ?? true {
            asked = now
            fetching = Task { try await fetch() }
        }
        if keys[kid] == nil { try await fetching?.value }
        return keys[kid]
    }

    private func fetch() async throws {
        let request = URLRequest(url: keySet, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 10)
        let (body, answer) = try await URLSession.shared.data(for: request)
        guard (answer as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        let set = try JSONDecoder().decode(JWKS.self, from: body)
        keys = Dictionary(set.keys.map { ($0.keyIdentifier?.string ?? "", $0) }, uniquingKeysWith: { $1 })
        fetched = .now
    }
}

let arguments = CommandLine.arguments.dropFirst()
guard [2, 3].contains(arguments.count), let keySet = URL(string: arguments[1]) else {
    FileHandle.standardError.write(Data("usage: verify-id-token JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN\n".utf8))
    exit(2)
}
do {
    let parts = arguments[2].split(separator: "/", maxSplits: 1).map(String.init)
    let verifier = IDTokenVerifier(
        keySet: keySet, project: parts[0], issuer: arguments.count == 3 ? arguments[3] : nil,
        tenant: parts.count == 2 ? parts[1] : nil)
    print(try await verifier.verify(readLine() ?? "").sub)
} catch {
    let reason = (error as? IDTokenVerifier.Refused)?.reason ?? error.localizedDescription
    FileHandle.standardError.write(Data("refused: \(reason)\n".utf8))
    exit(1)
}

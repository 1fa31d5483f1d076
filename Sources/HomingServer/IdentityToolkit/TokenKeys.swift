// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingStore
import HomingWire
import Hummingbird

/// The documents from which verifiers read the keys of ID tokens and session cookies: at our own paths, and at Google's
/// (https://firebase.google.com/docs/auth/admin/verify-id-tokens).
enum TokenKeys {
    static let keySetPath = "/.well-known/jwks.json"

    private static let google = OwnPath.googleAPIs
    private static let firebaseSigner = "securetoken@system.gserviceaccount.com"

    private typealias Document = @Sendable (SigningKeys) throws -> [UInt8]

    private static let idTokenKeys: Document = { Array($0.jsonWebKeySet().utf8) }
    private static let idTokenCertificates: Document = { byID(try $0.certificates) }
    private static let cookieKeys: Document = { Array($0.sessionCookieKeySet.utf8) }
    private static let cookieCertificates: Document = { byID(try $0.sessionCookieCertificates) }

    /// What answers each of them, on the public listener.
    static let endpoints: [Endpoint] = [
        Endpoint(
            "keys", .get, [keySetPath, "\(google)/service_accounts/v1/jwk/\(firebaseSigner)"],
            "Tells the keys that verify ID tokens.", reply: .json(.keySet), answering(idTokenKeys)),
        Endpoint(
            "keys", .get, ["\(google)/robot/v1/metadata/x509/\(firebaseSigner)"],
            "Tells the certificates that verify ID tokens signed with RSA, by their ids.", reply: .json(.open),
            answering(idTokenCertificates)),
        Endpoint(
            "keys", .getPublicKeys, behind: Endpoint.identityToolkit,
            "Tells the certificates that verify session cookies, by their ids.", reply: .json(.open),
            answering(cookieCertificates)),
        Endpoint(
            "keys", .getSessionCookiePublicKeys, behind: Endpoint.identityToolkit,
            "Tells the keys that verify session cookies.", reply: .json(.keySet), answering(cookieKeys)),
        Endpoint(
            "keys", .get, discoveryPaths,
            "Tells who signs a project's ID tokens and session cookies, and with which keys.",
            reply: .json([
                .text("issuer", "Who signs."), .text("jwks_uri", "Where the keys are."),
                .texts("response_types_supported", "`id_token`."), .texts("subject_types_supported", "`public`."),
                .texts("id_token_signing_alg_values_supported", "The algorithms."),
            ]), .elsewhere),
        Endpoint(
            "keys", .get, ["/{project}\(keySetPath)"],
            "Tells the keys that verify ID tokens, those of the project's algorithm first.", reply: .json(.keySet),
            .elsewhere),
    ]

    private static func answering(_ document: @escaping Document) -> Endpoint.Run {
        .anybody { _, _, parts in cacheable(try document(parts.homing.signingKeys)) }
    }

    /// The answer to `publicKeys` of version 3, as back ends ask for it.
    static func sessionCookieCertificates(_ homing: Homing) throws -> Response {
        cacheable(try cookieCertificates(homing.signingKeys))
    }

    private static func byID(_ certificates: [(id: String, pem: String)]) -> [UInt8] {
        JSON.object(certificates.map { ($0.id, .string($0.pem)) }).write()
    }

    private static func cacheable(_ document: [UInt8]) -> Response {
        var response = Answer.json(bytes: document)
        response.headers[.cacheControl] = "public, max-age=3600"
        return response
    }

    // MARK: Discovery

    private static let discoveryName: Substring = "openid-configuration"
    static let discoveryPath = "/{project}/.well-known/\(discoveryName)"
    private static let discoveryPaths = [discoveryPath, "/{project}/session/.well-known/\(discoveryName)"]

    /// OpenID Connect Discovery 1.0, section 4: `/{project}/.well-known/openid-configuration`, and below
    /// `/{project}/session` for session cookies. Nil for another path, or where there is no such project.
    ///
    /// It names `/{project}/.well-known/jwks.json`: the same keys as everywhere, those of the project's algorithm
    /// first. The issuer is the project's (`idToken.issuer`): libraries take the document only where that is our own.
    static func discovery(at path: String, _ homing: Homing) -> Response? {
        guard OwnPath.isDiscovery(path) else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let name = parts.first, let id = percentDecoded(name),
            let project = homing.projects.project(ProjectID(id))
        else { return nil }
        let issuers = TokenIssuers(of: project, publicURL: homing.publicURL)
        let own = project.settings.signingAlgorithm
        let isOfKeys = parts.last != discoveryName
        switch parts.dropFirst().first {
        case ".well-known" where parts.count == 3 && isOfKeys:
            return cacheable(Array(homing.signingKeys.jsonWebKeySet(first: own).utf8))
        case ".well-known" where parts.count == 3:
            return document(
                issuer: issuers.ofIDTokens, keys: "/\(project.projectID)\(keySetPath)",
                algorithms: [own] + SigningKeys.Algorithm.allCases.filter { $0 != own }, homing)
        case "session" where parts.count == 4 && !isOfKeys:
            return document(
                issuer: issuers.ofSessionCookies, keys: "/v1/sessionCookiePublicKeys", algorithms: [.rs256], homing)
        default: return nil
        }
    }

    private static func document(
        issuer: String, keys: String, algorithms: [SigningKeys.Algorithm], _ homing: Homing
    ) -> Response {
        cacheable(
            JSON.object([
                ("issuer", .string(issuer)), ("jwks_uri", .string(homing.publicURL + keys)),
                ("response_types_supported", .array(["id_token"])), ("subject_types_supported", .array(["public"])),
                (
                    "id_token_signing_alg_values_supported",
                    .array(algorithms.map { .string($0.rawValue) })
                ),
            ]).write())
    }
}

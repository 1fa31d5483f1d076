// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The members of requests, by operation, as ``OpenAPI`` tells them. Others are ignored, as everywhere.
enum OpenAPIMembers {
    private enum Kind {
        case text, flag, number, texts, objects, object

        var schema: JSON {
            switch self {
            case .text: ["type": "string"]
            case .flag: ["type": "boolean"]
            // int64 travels as a string.
            case .number: ["type": ["string", "integer"]]
            case .texts: ["type": "array", "items": ["type": "string"]]
            case .objects: ["type": "array", "items": ["type": "object"]]
            case .object: ["type": "object"]
            }
        }
    }

    private static let settings: [(String, Kind)] = [
        ("continueUrl", .text), ("canHandleCodeInApp", .flag), ("iOSBundleId", .text), ("androidPackageName", .text),
        ("androidInstallApp", .flag), ("androidMinimumVersion", .text), ("linkDomain", .text),
        ("dynamicLinkDomain", .text),
    ]
    private static let profile: [(String, Kind)] = [
        ("email", .text), ("password", .text), ("displayName", .text), ("photoUrl", .text),
    ]
    private static let privileged: [(String, Kind)] = [
        ("localId", .text), ("emailVerified", .flag), ("disableUser", .flag), ("validSince", .number),
        ("customAttributes", .text), ("phoneNumber", .text), ("linkProviderUserInfo", .object),
    ]

    private static let members: [String: [(String, Kind)]] = [
        "sendOobCode": [
            ("requestType", .text), ("email", .text), ("idToken", .text), ("newEmail", .text), ("returnOobLink", .flag),
        ] + settings,
        "resetPassword": [
            ("oobCode", .text), ("newPassword", .text), ("email", .text), ("oldPassword", .text),
        ],
        "update": [
            ("idToken", .text), ("oobCode", .text), ("deleteAttribute", .texts), ("deleteProvider", .texts),
            ("returnSecureToken", .flag),
        ] + profile + privileged,
        "signUp": [("idToken", .text), ("returnSecureToken", .flag)] + profile,
        "create": profile + privileged,
        "signInWithPassword": [("email", .text), ("password", .text), ("returnSecureToken", .flag)],
        "signInWithEmailLink": [("email", .text), ("oobCode", .text), ("idToken", .text)],
        "signInWithCustomToken": [("token", .text), ("returnSecureToken", .flag)],
        "lookup": [("idToken", .text)],
        "delete": [("idToken", .text), ("localId", .text)],
        "createAuthUri": [("identifier", .text), ("continueUri", .text), ("sessionId", .text)],
        "token": [("grantType", .text), ("refreshToken", .text), ("grant_type", .text), ("assertion", .text)],
        "createSessionCookie": [("idToken", .text), ("validDuration", .number)],
        "batchCreate": [
            ("users", .objects), ("hashAlgorithm", .text), ("sanityCheck", .flag), ("allowOverwrite", .flag),
        ],
        "batchDelete": [("localIds", .texts), ("force", .flag)],
        "query": [
            ("expression", .objects), ("returnUserInfo", .flag), ("limit", .number), ("offset", .number),
            ("sortBy", .text), ("order", .text),
        ],
        "shortLinks": [("longDynamicLink", .text), ("dynamicLinkInfo", .object), ("suffix", .object)],
        "managedShortLinks": [
            ("longDynamicLink", .text), ("dynamicLinkInfo", .object), ("suffix", .object), ("name", .text),
        ],
        "reopenAttribution": [("requestedLink", .text)],
        "installAttribution": [("uniqueMatchLinkToCheck", .text)],
    ]

    static func schema(of operation: String) -> JSON {
        let known = members[operation] ?? []
        return .object([
            ("type", "object"),
            ("properties", known.isEmpty ? nil : .object(JSON.Object(known.map { ($0.0, $0.1.schema) }))),
        ])
    }
}

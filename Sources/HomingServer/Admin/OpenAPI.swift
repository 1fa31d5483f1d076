// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingWire
import Hummingbird

/// The description of everything that programs may ask of both listeners (OpenAPI 3.1,
/// https://spec.openapis.org/oas/v3.1.1), made of the lists of routes: what is not routed is not in it. Pages for people, and
/// links, are left out.
enum OpenAPI {
    static let path = "/openapi.json"

    private struct Route {
        let method: HTTPRequest.Method
        let path: String
        let isOnAdminListener: Bool
    }

    static func document(
        publicRoutes: Router<CallContext>, adminRoutes: AdminRoutes, publicURL: String, version: String
    ) -> JSON {
        let routes =
            publicRoutes.routes.map { Route(method: $0.method, path: "\($0.path)", isOnAdminListener: false) }
            // They have no routes of their own.
            + TokenKeys.discoveryPaths.map { Route(method: .get, path: $0, isOnAdminListener: false) }
            + adminRoutes.operations.routes.map {
                Route(method: $0.method, path: "\($0.path)", isOnAdminListener: true)
            }
            + AccessTokenGrant.paths.map { Route(method: .post, path: $0, isOnAdminListener: true) }
        var paths: [String: [Route]] = [:]
        for route in routes where isForPrograms(route) { paths[route.path, default: []].append(route) }
        let items = paths.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object([
            ("openapi", "3.1.0"),
            (
                "info",
                [
                    "title": "Homing", "version": .string(version),
                    "description":
                        "Firebase's Identity Toolkit and Dynamic Links, and Homing's own. docs/wire.md says what differs.",
                ]
            ),
            ("servers", [["url": .string(publicURL)], ["url": "/", "description": "the admin listener"]]),
            ("paths", .object(JSON.Object(items.map { ($0.key, pathItem($0.value, publicURL)) }))),
            ("components", components),
        ])
    }

    private static func isForPrograms(_ route: Route) -> Bool {
        guard route.method != .head, !route.path.contains("*"), Operation(route: route.path) != .notOffered else {
            return false
        }
        if route.isOnAdminListener { return !route.path.hasPrefix("/mailbox") || route.path.hasSuffix("/messages") }
        let isFile = ["/healthz", "/readyz", "/apple-app-site-association"].contains(route.path)
        return (isFile || OwnPath.answersPrograms(route.path) || route.path.hasPrefix("/.well-known/"))
            && ![ChallengeAnswer.path, WellKnown.changePassword, WellKnown.securityText].contains(
                where: route.path.hasPrefix)
    }

    // MARK: Paths

    private static func pathItem(_ routes: [Route], _ publicURL: String) -> JSON {
        var item = JSON.Object()
        var servers: [JSON] = []
        if routes.contains(where: { !$0.isOnAdminListener }) { servers.append(["url": .string(publicURL)]) }
        if routes.contains(where: \.isOnAdminListener) {
            servers.append(["url": "/", "description": "the admin listener"])
        }
        item["servers"] = .array(servers)
        let names = (routes.first?.path ?? "").split(separator: "{").dropFirst().compactMap {
            $0.split(separator: "}").first
        }
        if !names.isEmpty {
            item["parameters"] = .array(
                names.map { name in
                    [
                        "name": .string(String(name)), "in": "path", "required": true,
                        "schema": ["type": "string", "minLength": 1],
                    ]
                })
        }
        for method in Set(routes.map(\.method.rawValue)).sorted() {
            let same = routes.filter { $0.method.rawValue == method }
            item[method.lowercased()] = operation(same)
        }
        return .object(item)
    }

    private static func operation(_ routes: [Route]) -> JSON {
        guard let route = routes.first else { return .null }
        let name = "\(Operation(route: route.path))"
        let takesBody = route.method == .post || route.method == .patch
        let isGrant = route.isOnAdminListener && AccessTokenGrant.paths.contains(route.path)
        var types: [(String, JSON)] = [("application/json", ["schema": OpenAPIMembers.schema(of: name)])]
        if name == "token" { types.append(("application/x-www-form-urlencoded", types[0].1)) }
        if isGrant { types.removeFirst() }
        return .object([
            ("operationId", .string("\(route.method.rawValue) \(route.path)")), ("tags", .array([.string(name)])),
            ("security", .array(routes.map { security(of: $0) })),
            ("requestBody", takesBody ? ["content": .object(JSON.Object(types))] : nil),
            (
                "responses",
                [
                    "200": ["description": "done", "content": content(of: route)],
                    "default": ["$ref": .string("#/components/responses/\(isGrant ? "GrantRefusal" : "Refusal")")],
                ]
            ),
        ])
    }

    private static func content(of route: Route) -> JSON {
        let texts = ["/metrics", "/healthz", "/readyz", "/integrity", ".d.ts"]
        if texts.contains(where: { route.path.hasSuffix($0) }) { return ["text/plain": .object(JSON.Object())] }
        if route.path.hasSuffix(".js") { return ["text/javascript": .object(JSON.Object())] }
        // Android's statement file is a list.
        return ["application/json": ["schema": ["type": ["object", "array"]]]]
    }

    private static func security(of route: Route) -> JSON {
        if route.isOnAdminListener {
            return AccessTokenGrant.paths.contains(route.path) ? .object(JSON.Object()) : ["adminKey": []]
        }
        let api = [
            "/v1/", "/v2/", OwnPath.identityToolkit, OwnPath.googleAPIs, OwnPath.secureToken, OwnPath.dynamicLinks,
        ]
        let isOpen = TokenKeys.paths.contains(route.path) || !api.contains { route.path.hasPrefix($0) }
        return isOpen ? .object(JSON.Object()) : ["apiKey": []]
    }

    // MARK: Components

    private static let components: JSON = [
        "securitySchemes": [
            "apiKey": ["type": "apiKey", "in": "query", "name": "key"],
            "adminKey": ["type": "http", "scheme": "bearer"],
        ],
        "responses": [
            "GrantRefusal": [
                "description": "why not (RFC 6749, section 5.2), or what the gate says",
                "content": [
                    "application/json": ["schema": ["type": "object", "required": ["error"]]],
                    "text/plain": .object(JSON.Object()),
                ],
            ],
            "Refusal": [
                "description": "why not",
                "content": [
                    "application/json": ["schema": ["$ref": "#/components/schemas/Refusal"]],
                    "text/plain": .object(JSON.Object()),
                    // Of the files that stand among pages for people.
                    "text/html": .object(JSON.Object()),
                ],
            ],
        ],
        "schemas": [
            "Refusal": [
                "type": "object", "required": ["error"],
                "properties": [
                    "error": [
                        "type": "object", "required": ["code", "message"],
                        "properties": [
                            "code": ["type": "integer"], "message": ["type": "string"],
                            "status": ["type": "string"], "errors": ["type": "array"], "details": ["type": "array"],
                        ],
                    ]
                ],
            ]
        ],
    ]
}

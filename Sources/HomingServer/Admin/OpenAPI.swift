// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingStore
import HomingWire

/// The description of everything that programs may ask of both listeners (OpenAPI 3.1,
/// https://spec.openapis.org/oas/v3.1.1), made of the declarations (``Endpoint``). Pages for people, links, and what is
/// left out on purpose have none.
enum OpenAPI {
    static let path = "/openapi.json"

    static func document(of endpoints: [Endpoint], publicURL: String, version: String) -> JSON {
        var paths: [String: [Endpoint]] = [:]
        for endpoint in endpoints where endpoint.isDescribed {
            for path in endpoint.allPaths { paths[path, default: []].append(endpoint) }
        }
        var shapes = Shapes()
        let items = paths.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, pathItem($0.key, $0.value, publicURL, &shapes)) }
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
            ("paths", .object(JSON.Object(items))), ("components", components(shapes.named)),
        ])
    }

    // MARK: Paths

    private static func pathItem(
        _ path: String, _ endpoints: [Endpoint], _ publicURL: String, _ shapes: inout Shapes
    ) -> JSON {
        var item = JSON.Object()
        var servers: [JSON] = []
        if endpoints.contains(where: \.isOnPublicListener) { servers.append(["url": .string(publicURL)]) }
        if !endpoints.allSatisfy(\.isOnPublicListener) {
            servers.append(["url": "/", "description": "the admin listener"])
        }
        item["servers"] = .array(servers)
        let names = path.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first }
        if !names.isEmpty {
            item["parameters"] = .array(
                names.map { name in
                    [
                        "name": .string(String(name)), "in": "path", "required": true,
                        "schema": ["type": "string", "minLength": 1],
                    ]
                })
        }
        for verb in Set(endpoints.map(\.verb.rawValue)).sorted() {
            let same = endpoints.filter { $0.verb.rawValue == verb }
            item[verb.lowercased()] = operation(path, same, &shapes)
        }
        return .object(item)
    }

    /// - Parameter endpoints: what one method of one path is: on one listener, or on each.
    private static func operation(_ path: String, _ endpoints: [Endpoint], _ shapes: inout Shapes) -> JSON {
        guard let first = endpoints.first else { return .null }
        let isGrant = endpoints.contains { $0.form == .only }
        let query = union(endpoints.map(\.query))
        return .object([
            ("operationId", .string("\(first.verb.rawValue) \(path)")), ("tags", .array([.string(first.name)])),
            ("summary", .string(first.meaning)), ("description", .string(description(of: endpoints))),
            ("security", .array(endpoints.map(\.security))),
            (
                "parameters",
                query.members.isEmpty
                    ? nil : .array(query.members.map { parameter($0, &shapes) })
            ),
            ("requestBody", body(endpoints, &shapes)),
            (
                "responses",
                [
                    "200": ["description": "done", "content": content(endpoints, &shapes)],
                    "default": ["$ref": .string("#/components/responses/\(isGrant ? "GrantRefusal" : "Refusal")")],
                ]
            ),
        ])
    }

    private static func description(of endpoints: [Endpoint]) -> String {
        endpoints.map { endpoint in
            let limits = Limits.rows.filter { row in endpoint.limits.contains { $0 == row.value } }
            let counted = limits.map { "`limits.\($0.name)`" }.joined(separator: ", ")
            return endpoint.meaning + " " + endpoint.caller + (limits.isEmpty ? "" : " It counts against \(counted).")
        }.joined(separator: "\n\n")
    }

    private static func parameter(_ member: Member, _ shapes: inout Shapes) -> JSON {
        [
            "name": .string(member.name), "in": "query", "description": .string(member.meaning),
            "schema": shapes.schema(of: member),
        ]
    }

    private static func body(_ endpoints: [Endpoint], _ shapes: inout Shapes) -> JSON? {
        let requests = endpoints.compactMap(\.request)
        guard !requests.isEmpty else { return nil }
        let schema: JSON = ["schema": shapes.reference(to: union(requests))]
        var types = JSON.Object()
        if endpoints.contains(where: { $0.form != .only }) { types["application/json"] = schema }
        if endpoints.contains(where: { $0.form != .no }) { types["application/x-www-form-urlencoded"] = schema }
        return ["content": .object(types)]
    }

    private static func content(_ endpoints: [Endpoint], _ shapes: inout Shapes) -> JSON {
        var answers: [Shape] = []
        for endpoint in endpoints {
            switch endpoint.reply {
            case .json(let shape): answers.append(shape)
            case .list: return ["application/json": ["schema": ["type": "array", "items": ["type": "object"]]]]
            case .text: return ["text/plain": .object(JSON.Object())]
            case .script: return ["text/javascript": .object(JSON.Object())]
            case .undescribed: break
            }
        }
        return ["application/json": ["schema": shapes.reference(to: union(answers))]]
    }

    /// The members of all: an operation may do more for a back end than for an app.
    private static func union(_ shapes: [Shape]) -> Shape {
        guard shapes.count > 1 else { return shapes.first ?? [] }
        var members: [Member] = []
        for member in shapes.flatMap(\.members) where !members.contains(where: { $0.name == member.name }) {
            members.append(member)
        }
        return Shape(nil, members)
    }

    // MARK: Schemas

    /// Writes schemas, and collects those that have a name.
    private struct Shapes {
        private(set) var named: [String: JSON] = [:]

        mutating func reference(to shape: Shape) -> JSON {
            guard let name = shape.name else { return schema(of: shape) }
            if named[name] == nil {
                named[name] = .null
                named[name] = schema(of: shape)
            }
            return ["$ref": .string("#/components/schemas/\(name)")]
        }

        private mutating func schema(of shape: Shape) -> JSON {
            var properties = JSON.Object()
            for member in shape.members {
                var schema = schema(of: member).objectValue ?? JSON.Object()
                schema["description"] = .string(member.meaning)
                properties[member.name] = .object(schema)
            }
            return .object([("type", "object"), ("properties", shape.members.isEmpty ? nil : .object(properties))])
        }

        mutating func schema(of member: Member) -> JSON {
            switch member.kind {
            case .text: ["type": "string"]
            case .flag: ["type": "boolean"]
            case .integer: ["type": "integer"]
            case .int64: ["type": ["string", "integer"]]
            case .texts: ["type": "array", "items": ["type": "string"]]
            case .choice(let words):
                ["type": ["string", "integer"], "examples": .array(words.map { .string($0) })]
            case .object(let shape): reference(to: shape)
            case .objects(let shape): ["type": "array", "items": reference(to: shape)]
            case .anything: .object(JSON.Object())
            }
        }
    }

    // MARK: Components

    private static func components(_ named: [String: JSON]) -> JSON {
        var schemas = JSON.Object([("Refusal", refusal)])
        for (name, schema) in named.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            schemas[name] = schema
        }
        return [
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
            "schemas": .object(schemas),
        ]
    }

    private static let refusal: JSON = [
        "type": "object", "required": ["error"],
        "properties": [
            "error": [
                "type": "object", "required": ["code", "message"],
                "properties": [
                    "code": ["type": "integer"], "message": ["type": "string"],
                    "status": ["type": "string"],
                    "errors": ["type": "array", "items": ["type": "object"]],
                    "details": ["type": "array", "items": ["type": "object"]],
                ],
            ]
        ],
    ]
}

extension Endpoint {
    fileprivate var isDescribed: Bool {
        if case .undescribed = reply { false } else { true }
    }

    /// Who may call it, in a sentence.
    fileprivate var caller: String {
        switch run {
        case .app, .appResponse: "An app calls it with its project's API key."
        case .signedIn: "An app calls it with its project's API key and a person's ID token."
        case .anybody, .elsewhere, .stranger: "Anybody calls it."
        case .project, .backEnd, .response, .person, .mailbox: "A back end calls it with an admin key."
        }
    }

    fileprivate var security: JSON {
        switch run {
        case .app, .appResponse, .signedIn: ["apiKey": []]
        case .anybody, .elsewhere, .stranger: .object(JSON.Object())
        case .project, .backEnd, .response, .person, .mailbox: ["adminKey": []]
        }
    }
}

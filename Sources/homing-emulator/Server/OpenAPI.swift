// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingWire

/// `/emulator/openapi.json`: every path that is answered, by method (OpenAPI 3.1). What members a body has stands in
/// Google's own description of the API.
enum OpenAPI {
    /// What is no operation of the API, beside ``Routes/all``.
    private static let own: [(HTTPRequest.Method, String)] = {
        let project = "/emulator/v1/projects/{project}"
        var own: [(HTTPRequest.Method, String)] = [
            (.get, "/"), (.get, ActionPage.path), (.get, "/emulator/openapi.json"), (.get, "\(project)/config"),
            (.patch, "\(project)/config"),
        ]
        for place in [project, "\(project)/tenants/{tenant}"] {
            own.append((.delete, "\(place)/accounts"))
            own.append((.get, "\(place)/oobCodes"))
            own.append((.get, "\(place)/verificationCodes"))
        }
        return own
    }()

    static let document: JSON = {
        var paths = JSON.Object()
        func add(_ method: HTTPRequest.Method, _ path: String, _ security: JSON) {
            var methods = paths[path]?.objectValue ?? JSON.Object()
            methods[method.rawValue.lowercased()] = [
                "parameters": .array(parameters(of: path)), "security": security,
                "responses": ["default": ["description": "The answer, or why there is none."]],
            ]
            paths[path] = .object(methods)
        }
        for (method, path) in own { add(method, path, []) }
        for route in Routes.all.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            // By any method it answers that it is left out: the document has Google's.
            let method = route.method ?? (route.path.contains(":") ? .post : .get)
            add(method, route.path, route.takesKeysOnly ? [["key": []]] : [["key": []], ["owner": []]])
        }
        return [
            "openapi": "3.1.0", "info": ["title": "homing-emulator", "version": "1"],
            "components": [
                "securitySchemes": [
                    "key": ["type": "apiKey", "in": "query", "name": "key"],
                    "owner": ["type": "http", "scheme": "bearer", "description": "The literal owner."],
                ]
            ],
            "paths": .object(paths),
        ]
    }()

    private static func parameters(of path: String) -> [JSON] {
        path.split(separator: "{").dropFirst().map { part in
            [
                "name": .string(String(part.prefix { $0 != "}" })), "in": "path", "required": true,
                "schema": ["type": "string"],
            ]
        }
    }
}

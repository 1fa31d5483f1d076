// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HTTPTypes
import HomingServer
import HomingTesting
import HomingWire
import Testing

@Suite struct EndpointTests {
    @Test func `each method of a path is declared once for a listener`() {
        var seen: Set<String> = []
        for endpoint in Endpoint.all {
            for path in endpoint.allPaths {
                let place = endpoint.isOnPublicListener ? "public" : "admin"
                #expect(
                    seen.insert("\(place) \(endpoint.verb.rawValue) \(path)").inserted,
                    "\(endpoint.verb.rawValue) \(path) on \(place)")
            }
        }
        #expect(seen.count > 150)
    }

    /// A row of the tables of docs/compatibility.md: the method, its path, and the server's listeners that answer it.
    private struct Row: Hashable {
        let method: String
        let path: String
        let places: Set<String>
    }

    @Test func `the tables of what is compatible have what is declared, where it is asked`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = try String(contentsOf: root.appending(path: "docs/compatibility.md"), encoding: .utf8)
        var written: Set<Row> = []
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, cells[3].hasPrefix("same as production") || cells[3].hasPrefix("differs on purpose")
            else { continue }
            let names = cells.prefix(2).map { $0.trimmingCharacters(in: ["`"]) }
            let places = cells[2].split(separator: ", ").map { String($0) }.filter { $0 != "emulator" }
            written.insert(Row(method: names[0], path: names[1], places: Set(places)))
        }
        var declared: [String: Row] = [:]
        func declare(_ method: String, _ path: String, _ endpoint: Endpoint) {
            let place = endpoint.isOnPublicListener ? "public" : "admin"
            let places = (declared[method]?.places ?? []).union([place])
            declared[method] = Row(method: method, path: "\(endpoint.verb.rawValue) \(path)", places: places)
        }
        for endpoint in Endpoint.all where endpoint.name != "notOffered" {
            for method in endpoint.methods where !endpoint.paths.isEmpty {
                if let path = method.path { declare(method.name, path, endpoint) }
            }
            if let name = endpoint.inVersion3, let method = endpoint.methods.first?.nameInVersion3 {
                declare(method, name, endpoint)
            }
        }
        let rows = Set(declared.values)
        #expect(written.subtracting(rows).map(\.method).sorted() == [], "written, and not declared so")
        #expect(rows.subtracting(written).map(\.method).sorted() == [], "declared, and not written so")
    }

    @Test func `the document tells what a back end and an app may say`() async throws {
        try await withHoming { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                let answer = try await server.admin.get("/openapi.json", headers: [("Authorization", "Bearer owner")])
                // It has more values than any request may have.
                let document = try JSON.parse(answer.body, mostValues: answer.body.count)
                func members(_ path: String) throws -> JSON.Object {
                    var value: JSON? = document
                    for name in [
                        "paths", path, "post", "requestBody", "content", "application/json", "schema", "properties",
                    ] { value = value?.objectValue?[name] }
                    return try #require(value?.objectValue, "\(path)")
                }
                let lookup = try members("/v1/projects/{project}/accounts:lookup")
                for name in ["localId", "email", "phoneNumber", "federatedUserId"] {
                    #expect(lookup[name] != nil, "\(name)")
                }
                #expect(lookup["idToken"] == nil)
                let imported = try members("/v1/projects/{project}/accounts:batchCreate")
                let awaited = try members("/v1/accounts:awaitOobCode")
                for name in ["requestId", "codeVerifier", "typedCode", "wait"] {
                    #expect(awaited[name] != nil, "\(name)")
                }
                for name in ["users", "hashAlgorithm", "signerKey", "rounds", "memoryCost", "argon2Parameters"] {
                    #expect(imported[name] != nil, "\(name)")
                }
            }
        }
    }

    @Test func `what an operation reads or answers and does not declare is told with its name`() {
        let shape: Shape = [.text("email", ""), .objects("inner", [.text("a", "")], "")]
        let reads = UndeclaredMembers()
        let watch = UndeclaredMembers.Watch("POST /x", shape, reads)
        watch.read("email", at: "")
        watch.inside("inner").read("a", at: "inner/")
        reads.check(["email": "a@b.example", "inner": [["a": "1"], ["a": "2"]]], of: "POST /x", as: shape)
        #expect(reads.sentences.isEmpty)
        watch.read("phone", at: "")
        watch.inside("inner").read("b", at: "inner/")
        reads.check(["inner": [["a": "1", "c": "2"]]], of: "POST /x", as: shape)
        #expect(
            reads.sentences == [
                "POST /x answers inner/c, which its declaration lacks",
                "POST /x reads inner/b, which its declaration lacks",
                "POST /x reads phone, which its declaration lacks",
            ])
    }
}

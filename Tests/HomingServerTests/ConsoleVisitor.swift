// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingStore
import HomingTesting
import Testing

/// An operator at a browser of the console.
struct ConsoleVisitor {
    let server: LiveServer
    let cookie: [(String, String)]
    let session: AdminSession
    let homing: TestHoming

    init(
        _ role: Operator.Role, of projects: [ProjectID]? = nil, _ homing: TestHoming, _ server: LiveServer
    ) async throws {
        let address = "\(role.rawValue)\(projects?.count ?? 0)@example.com"
        _ = try await homing.operators.add(address, role: role, projects: projects)
        let link = try await homing.operators.newLink(for: address)
        let entered = try await server.admin.post("/enter", form: [("ticket", link)])
        let secret = try #require(entered.header("Set-Cookie")).prefix { $0 != ";" }
        cookie = [("Cookie", String(secret))]
        let value = try #require(secret.split(separator: "=").last)
        session = try #require(try await homing.adminSessions.find(String(value)))
        self.server = server
        self.homing = homing
    }

    private static let root = "/console/projects/shop/"

    func get(_ path: String) async throws -> RESTAnswer {
        try await server.admin.get(path.hasPrefix("/") ? path : Self.root + path, headers: cookie)
    }

    /// Sends a form as the page with this path would.
    func send(_ path: String, _ fields: [(String, String)]) async throws -> RESTAnswer {
        let path = path.hasPrefix("/") ? path : Self.root + path
        let token = session.formToken(for: path, ring: homing.keys.ring, at: homing.clock.now)
        return try await server.admin.post(path, form: [("token", token)] + fields, headers: cookie)
    }
}

extension RESTAnswer {
    /// What a page says is wrong beside fields, by their names: only where the field says so to a screen reader, too.
    var faults: [String: String] {
        var faults: [String: String] = [:]
        for found in text.matches(of: /<p class="fault" id="(f-[^"]*)-fault">([^<]*)<\/p>/) {
            let (id, sentence) = (String(found.1), String(found.2))
            for control in text.matches(of: /<(?:input|select|textarea)[^>]* id="([^"]*)" name="([^"]*)"[^>]*>/)
            where control.1 == id {
                let tag = control.0
                guard tag.contains("aria-invalid=\"true\""),
                    tag.firstMatch(of: /aria-describedby="[^"]*"/)?.0.contains("\(id)-fault") == true
                else { continue }
                faults[String(control.2)] = sentence.replacing("&#39;", with: "'").replacing("&quot;", with: "\"")
            }
        }
        return faults
    }

    /// What a field of a page holds; of several with this name the first one.
    func value(of name: String) -> String? { values(of: name).first }

    /// What the fields of a page with this name hold: lines first, then areas.
    func values(of name: String) -> [String] {
        let lines = text.matches(of: /<input[^>]* name="([^"]*)" value="([^"]*)"/).filter { $0.1 == name }
        let areas = text.matches(of: /<textarea[^>]* name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea>/)
            .filter { $0.1 == name }
        return lines.map { String($0.2) } + areas.map { String($0.2) }
    }
}

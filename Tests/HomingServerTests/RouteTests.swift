// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingConsole
import HomingCore
import HomingServer
import HomingStore
import HomingTesting
import Hummingbird
import Testing

@Suite struct RouteTests {
    @Test func `every public route stands in the table of own paths, and every entry has a route`() async throws {
        try await withHoming { homing in
            let table = OwnPath.all.filter { $0.listener != .admin }
            // Without the bare host and the catch-all route, where links are.
            let paths = Set(Routes.publicRouter(homing.core).routes.map(\.path.description)).subtracting(["/", "/**"])
            #expect(paths.count > 60)
            for path in paths { #expect(table.contains { $0.covers(path) }, "\(path)") }
            for entry in table { #expect(paths.contains { entry.covers($0) }, "\(entry.pattern)") }
        }
    }

    @Test func `every admin route stands in the table, and every entry has a route`() async throws {
        try await withHoming { homing in
            let table = OwnPath.all.filter { $0.listener != .public }
            let routes = AdminRoutes(homing.core, console: Console())
            let paths = routes.open.paths + routes.operations.paths + routes.pages.paths + routes.consolePages.paths
            for path in paths { #expect(table.contains { $0.covers(path) }, "\(path)") }
            for entry in table { #expect(paths.contains { entry.covers($0) }, "\(entry.pattern)") }
        }
    }

    @Test func `without a key no admin route answers but the open ones`() async throws {
        try await withHoming(keepsMail: true) { homing in
            let routes = AdminRoutes(homing.core, console: Console())
            let tokens = ["/token", "/oauth2.googleapis.com/token"]
            #expect(
                Set(routes.open.paths)
                    == Set(
                        ["/healthz", "/enter", "/console/sign-in", "/console/sign-in/code", "/favicon.ico"] + tokens))
            let closed = routes.operations.requests + routes.pages.requests
            #expect(closed.count > 20)
            try await withServer(homing, showsMailbox: true) { server async throws in
                for (method, path) in closed {
                    #expect(try await server.admin.send(method, path).status == 401, "\(method) \(path)")
                }
            }
        }
    }

    @Test func `the cookie of a browser reaches the pages and no operation`() async throws {
        try await withHoming(keepsMail: true) { homing in
            let routes = AdminRoutes(homing.core, console: Console())
            let pages = Set(routes.pages.paths)
            let operations = routes.operations.requests.filter { !pages.contains($0.path) }
            #expect(operations.count >= 13)
            try await withServer(homing, showsMailbox: true) { server in
                let cookie = try await server.signIn()
                for (method, path) in routes.pages.requests where method == "GET" {
                    #expect(try await server.admin.send(method, path, headers: cookie).status != 401, "\(path)")
                }
                for (method, path) in routes.pages.requests where method != "GET" {
                    let answer = try await server.admin.send(method, path, headers: cookie)
                    #expect(answer.status == 403, "\(method) \(path) wants a form's token")
                }
                for (method, path) in operations {
                    let answer = try await server.admin.send(method, path, headers: cookie)
                    #expect(answer.status == 401, "\(method) \(path)")
                }
            }
        }
    }

    @Test func `scripts of other origins are let in where Firebase's clients call, and nowhere else`() {
        for path in [
            "/identitytoolkit.googleapis.com/v1/accounts:lookup", "/v1/accounts:lookup", "/v2/passwordPolicy",
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword",
            "/securetoken.googleapis.com/v1/token", "/.well-known/jwks.json", "/shop/.well-known/jwks.json",
        ] {
            #expect(OwnPath.answersScripts(path) && OwnPath.answersPrograms(path), "\(path)")
        }
        let shortLinks = "/firebasedynamiclinks.googleapis.com/v1/shortLinks"
        #expect(!OwnPath.answersScripts(shortLinks) && OwnPath.answersPrograms(shortLinks))
        for path in [
            "/", "/abc", "/v1", "/v1abc", "/__/auth/action", "/_/open", "/healthz", "/.well-known/assetlinks.json",
        ] {
            #expect(!OwnPath.answersScripts(path) && !OwnPath.answersPrograms(path), "\(path)")
        }
    }
}

extension Router {
    /// The requests of the routes, with a parameter's name as its value.
    fileprivate var requests: [(method: String, path: String)] {
        routes.map { route in
            (route.method.rawValue, route.path.description.filter { $0 != "{" && $0 != "}" })
        }
    }

    fileprivate var paths: [String] { requests.map(\.path) }
}

extension LiveServer {
    /// Opens the printed link and answers the cookie in the form that a browser sends.
    func signIn() async throws -> [(String, String)] {
        let link = try #require(ready.mailboxLink)
        let door = try await admin.get("/enter?ticket=\(try #require(link.split(separator: "ticket=").last))")
        let form = try #require(door.form)
        let cookie = try await admin.post(form.action, form: form.fields).header("Set-Cookie")
        return [("Cookie", String(try #require(cookie).prefix { $0 != ";" }))]
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingServer
import HomingTesting
import Hummingbird
import Testing

@Suite struct RouteTests {
    @Test func `every public route stands in the table of own paths, and every entry has a route`() async throws {
        try await withHoming { homing in
            let table = OwnPath.all.filter { $0.listener != .admin }
            // The bare host and everything that nobody has taken, where links are.
            let paths = Set(Routes.publicRouter(homing.house).routes.map(\.path.description)).subtracting(["/", "/**"])
            #expect(paths.count > 60)
            for path in paths { #expect(table.contains { $0.covers(path) }, "\(path)") }
            for entry in table { #expect(paths.contains { entry.covers($0) }, "\(entry.pattern)") }
        }
    }

    @Test func `scripts of other origins are let in where Firebase's clients call, and nowhere else`() {
        for path in [
            "/identitytoolkit.googleapis.com/v1/accounts:lookup", "/v1/accounts:lookup", "/v2/passwordPolicy",
            "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword",
            "/securetoken.googleapis.com/v1/token", "/.well-known/jwks.json",
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

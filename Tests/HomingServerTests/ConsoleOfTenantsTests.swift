// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTesting
import Testing

@Suite struct `The console of tenants` {
    private func withVisitor(
        _ role: Operator.Role = .editor, _ body: @Sendable (ConsoleVisitor, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                try await body(try await ConsoleVisitor(role, homing, server), homing)
            }
        }
    }

    @Test func `a tenant is made, set, filled and deleted`() async throws {
        try await withVisitor { visitor, homing async throws in
            #expect(try await visitor.get("tenants").text.contains("No tenants yet"))
            let made = try await visitor.send(
                "tenants", [("displayName", "Acme"), ("id", "acme"), ("passwords", "true")])
            let page = "/console/projects/shop/tenants/acme"
            #expect(made.status == 303 && made.header("Location") == "\(page)?saved=created")
            let tenant = try homing.projects.existingOrTenant("shop/acme")
            #expect(tenant.settings.allowsEmail && !tenant.settings.allowsEmailLink)
            let list = try await visitor.get("tenants").text
            #expect(list.contains("href=\"\(page)\"") && list.contains("shop%2Facme/accounts"))

            let set = try await visitor.send(
                page,
                [
                    ("do", "save"), ("was:displayName", "Acme"), ("displayName", "Acme Ltd"),
                    ("was:enableEmailLinkSignin", "false"), ("enableEmailLinkSignin", "true"),
                    ("was:allowPasswordSignup", "true"), ("allowPasswordSignup", "true"),
                ])
            #expect(set.status == 303)
            let changed = try homing.projects.existingOrTenant("shop/acme")
            #expect(changed.tenant?.displayName == "Acme Ltd" && changed.settings.allowsEmailLink)
            let overtaken = try await visitor.send(
                page, [("do", "save"), ("was:displayName", "Acme"), ("displayName", "Acme Inc")])
            #expect(overtaken.status == 409 && overtaken.faults["displayName"] != nil)

            let account = try await visitor.send(
                "/console/projects/shop%2Facme/accounts/new", [("email", "tess@home.example"), ("way", "none")])
            #expect(account.status == 303)
            let tess = try await homing.accounts.find(try EmailAddress(parsing: "tess@home.example"), in: changed)
            #expect(tess != nil && account.header("Location")?.contains("shop%2Facme/accounts/") == true)

            let kept = try await visitor.send(page, [("do", "delete"), ("typed", "shop")])
            #expect(kept.status == 400 && kept.faults.keys.sorted() == ["typed"])
            let gone = try await visitor.send(page, [("do", "delete"), ("typed", "acme")])
            #expect(gone.header("Location") == "/console/projects/shop/tenants?saved=deleted")
            #expect(try await visitor.get(page).status == 404)
        }
    }

    @Test func `a viewer reads the tenants and changes none, and a tenant has no tenants`() async throws {
        try await withVisitor(.viewer) { visitor, homing async throws in
            _ = try await homing.projects.createTenant("acme", named: "Acme", in: "shop", by: .command)
            for path in ["tenants", "tenants/acme"] {
                let page = try await visitor.get(path)
                #expect(page.status == 200 && page.text.contains("Acme") && !page.text.contains("method=\"post\""))
            }
            #expect(try await visitor.send("tenants", [("displayName", "x")]).status == 403)
            #expect(try await visitor.send("tenants/acme", [("do", "delete"), ("typed", "acme")]).status == 403)
            #expect(try await visitor.get("/console/projects/shop%2Facme/tenants").status == 404)
            #expect(try await visitor.get("tenants/gone").status == 404)
        }
    }

    @Test(arguments: [[("displayName", "A"), ("id", "-a")], [("displayName", String(repeating: "x", count: 101))]])
    func `a tenant that cannot be is refused`(typed: [(String, String)]) async throws {
        try await withVisitor { visitor, homing async throws in
            let refused = try await visitor.send("tenants", typed)
            #expect(refused.status == 400 && refused.faults.count == 1)
            #expect(try homing.projects.tenants(of: homing.shop).isEmpty)
        }
    }
}

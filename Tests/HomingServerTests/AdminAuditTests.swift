// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingConsole
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingServer
import HomingShortLinks
import HomingStore
import HomingTesting
import HomingWire
import Hummingbird
import Testing

/// Every operation of back ends that changes something leaves an entry of the audit log.
@Suite struct AdminAuditTests {
    /// Where an operation is asked: a project, or a tenant of it, in which nobody has the address yet.
    private struct Place: Sendable {
        let homing: TestHoming
        let project: Project
        let address: String

        func account() async throws -> String { try await homing.account(address, in: project).id.text }
        func token() async throws -> String {
            try await homing.accounts.signUpAnonymously(in: project).1.idToken
        }
    }

    private struct Operation: Sendable {
        let method: String
        /// The ends of its paths.
        let ends: [String]
        /// Nil for one that only reads.
        let action: String?
        let body: @Sendable (Place) async throws -> [(String, JSON)]

        init(
            _ method: String, _ ends: [String], _ action: String?,
            _ body: @escaping @Sendable (Place) async throws -> [(String, JSON)] = { _ in [] }
        ) {
            self.method = method
            self.ends = ends
            self.action = action
            self.body = body
        }
    }

    private static let operations = [
        Operation("POST", ["/accounts", "/signupNewUser"], "account.create") { [("email", .string($0.address))] },
        Operation("POST", ["/accounts:update", "/setAccountInfo"], "account.set") {
            [("localId", .string(try await $0.account())), ("customAttributes", #"{"admin":true}"#)]
        },
        Operation("POST", ["/accounts:delete", "/deleteAccount"], "account.delete") {
            [("localId", .string(try await $0.account()))]
        },
        Operation("POST", ["/accounts:batchCreate", "/uploadAccount"], "account.importPart") {
            [("users", [["localId": .string("id of \($0.address)"), "email": .string($0.address)]])]
        },
        Operation("POST", ["/accounts:batchDelete"], "account.deletePart") {
            [("localIds", [.string(try await $0.account())]), ("force", true)]
        },
        Operation("POST", ["/accounts:sendOobCode", "/getOobConfirmationCode"], "account.link") { place in
            _ = try await place.account()
            return [
                ("requestType", "PASSWORD_RESET"), ("email", .string(place.address)), ("returnOobLink", true),
            ]
        },
        Operation("POST", [":createSessionCookie"], "account.sessionCookie") {
            [("idToken", .string(try await $0.token()))]
        },
        Operation("PATCH", ["/config"], "project.set") {
            let name = "autodeleteAnonymousUsers"
            return [(name, .bool(try $0.homing.shop.settings.value(name) != "true"))]
        },
        Operation("POST", ["/tenants"], "tenant.create") { _ in [("displayName", "Retail")] },
        Operation("PATCH", ["/tenants/{tenant}"], "tenant.set") { _ in [("displayName", "Wholesale")] },
        Operation("DELETE", ["/tenants/{tenant}"], "tenant.delete"),
        Operation("POST", ["/managedShortLinks:create"], "link.create") { _ in
            let info: JSON = [
                "domainUriPrefix": "https://go.shop.example", "link": "https://shop.example/offer",
            ]
            return [("name", "offer"), ("dynamicLinkInfo", info)]
        },
        Operation("POST", ["/links"], "link.create") { _ in
            [("dynamicLinkInfo", ["link": "https://shop.example/offer/two"])]
        },
        Operation("POST", ["/links:batch"], "link.create") { _ in
            [("requests", [["create": ["dynamicLinkInfo": ["link": "https://shop.example/offer/three"]]]])]
        },
        Operation("PATCH", ["/{ending}"], "link.edit") { _ in [("title", "Other")] },
        Operation("POST", ["/{ending}:restore"], "link.restore") { _ in [("version", 1)] },
        Operation("DELETE", ["/{ending}"], "link.delete"),
        Operation("POST", ["/mail/bounces"], "mail.bounce") { place in
            let address = try EmailAddress(parsing: place.address)
            let mail = try await place.homing.outbox.enqueueTest(to: address, in: place.project, by: .command)
            let sender = BounceAddress(parsing: "bounces@shop.example")?.sender(
                of: mail, ring: place.homing.keys.ring)
            return [("token", .string(try #require(sender))), ("status", "5.1.1")]
        },
        Operation("POST", [":queryAccounts", "/accounts:query"], nil),
        Operation("POST", ["/accounts:lookup", "/getAccountInfo", "/downloadAccount"], nil),
    ]

    /// Makes a tenant where the path names one.
    private func place(of path: String, number: Int, _ homing: TestHoming) async throws -> Place {
        var project = try homing.shop
        if path.contains("{tenant}") {
            project = try await homing.projects.createTenant(
                named: "Retail", settings: [SettingChange("enableAnonymousUser", to: "true")], in: "shop",
                by: .command)
        }
        return Place(homing: homing, project: project, address: "person\(number)@home.example")
    }

    /// Makes a link with two versions.
    private func link(number: Int, _ homing: TestHoming) async throws -> LinkSuffix {
        let shop = try homing.shop
        let domain = try #require(shop.linkDomains.first)
        let site = try #require(homing.projects.linkSite(on: domain, of: shop))
        let link = try await homing.core.makeLink(
            DynamicLinkParameters(link: "https://shop.example/\(number)"), at: site, ending: .short, by: .command)
        try await homing.links.edit(link.suffix, at: site, seen: nil, by: .command) { $0.name = "Offer" }
        return link.suffix
    }

    @Test func `what a back end changes is in the log with its key, and no secret is`() async throws {
        try await withHoming(linkDomains: ["go.shop.example"]) { homing in
            let (key, secret) = try await homing.adminKeys.create(name: "ci", by: .command)
            try await homing.projects.set("shop", "signIn.anonymous.enabled", to: "true", by: .command)
            _ = try await homing.projects.createTenant("standing", named: "Standing", in: "shop", by: .command)
            let routes = AdminRoutes(homing.core, console: Console()).operations.routes.map {
                (method: $0.method.rawValue, path: "\($0.path)")
            }.filter { !["GET", "HEAD"].contains($0.method) }
            #expect(routes.count > 20)
            var secrets = [secret]
            var seen: Set<String> = []
            try await withServer(homing) { server in
                for (number, route) in routes.enumerated() {
                    let operation = Self.operations.first {
                        $0.method == route.method && $0.ends.contains(where: route.path.hasSuffix)
                    }
                    var (path, members) = (route.path.replacing("**", with: "x"), [(String, JSON)]())
                    if let operation {
                        let place = try await place(of: path, number: number, homing)
                        members = try await operation.body(place)
                        if let tenant = place.project.tenant?.id {
                            path = path.replacing("{tenant}", with: tenant.text)
                        }
                        seen.formUnion(operation.ends.filter(route.path.hasSuffix))
                    }
                    if path.contains("{ending}") {
                        path = path.replacing("{domain}", with: "go.shop.example")
                            .replacing("{ending}", with: try await link(number: number, homing).text)
                    }
                    path = path.replacing("{project}", with: "shop").replacing("{tenant}", with: "standing")
                        .filter { $0 != "{" && $0 != "}" }
                    if path.contains("/relyingparty/") { members.append(("targetProjectId", "shop")) }
                    secrets += members.filter { ["idToken", "token"].contains($0.0) }.compactMap(\.1.stringValue)
                    let before = Set(try await homing.audit.list(limit: 10_000).map(\.id))
                    let answer = try await server.admin.send(
                        route.method, path,
                        headers: [("Authorization", "Bearer \(secret)"), ("Content-Type", "application/json")],
                        body: JSON.object(JSON.Object(members)).write(pretty: false))
                    let new = try await homing.audit.list(limit: 10_000).filter { !before.contains($0.id) }
                    guard let operation else {
                        // One that is new says above what it changes; these are not offered, and there is no such tenant.
                        let message = answer.errorMessage ?? ""
                        #expect(
                            ["OPERATION_NOT_ALLOWED", "TENANT_NOT_FOUND"].contains(where: message.hasPrefix),
                            "\(route.method) \(path): \(answer.text)")
                        #expect(new.isEmpty, "\(route.method) \(path)")
                        continue
                    }
                    #expect(answer.status == 200, "\(route.method) \(path): \(answer.text)")
                    #expect(new.map(\.action) == [operation.action].compactMap(\.self), "\(route.method) \(path)")
                    #expect(new.allSatisfy { $0.author == "key \(key)" }, "\(route.method) \(path)")
                }
            }
            #expect(seen == Set(Self.operations.flatMap(\.ends)))
            let log = try await homing.audit.list(limit: 10_000).map { "\($0)" }
            for secret in secrets { #expect(!log.contains { $0.contains(secret) }) }
        }
    }
}

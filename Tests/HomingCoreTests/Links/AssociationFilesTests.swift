// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire
import Testing

@Suite struct AssociationFilesTests {
    private let world: LinkWorld

    init() throws { world = try LinkWorld() }

    private func files(_ host: String) throws -> AssociationFiles {
        try #require(AssociationFiles(hostKey: host, projects: [world.neighbour, world.project]))
    }

    private func project(apps: [RegisteredApp]) -> Project {
        Project(
            linksOf: world.project.projectID, apps: apps, authorizedDomains: world.project.authorizedDomains,
            linkDomains: world.project.linkDomains)
    }

    private func details(_ host: String) throws -> [JSON.Object] {
        let file = try JSON.parse(files(host).apple.bytes).objectValue
        let applinks = try #require(file?["applinks"]?.objectValue)
        #expect(applinks["apps"] == [])
        return try #require(applinks["details"]?.arrayValue).compactMap(\.objectValue)
    }

    private func statements(_ host: String) throws -> [JSON.Object] {
        try #require(JSON.parse(files(host).android.bytes).arrayValue).compactMap(\.objectValue)
    }

    /// The decision of a system for a path: the first pattern that matches, as Apple and Google describe it.
    private func opens(_ path: String, query: String = "", by components: JSON?) -> Bool {
        for component in components?.arrayValue?.compactMap(\.objectValue) ?? [] {
            let pattern = component["/"]?.stringValue ?? "*"
            let queries = component["?"]?.objectValue?.members ?? []
            let hasQueries = queries.allSatisfy { wanted in
                query.split(separator: "&").contains { $0 == "\(wanted.key)=\(wanted.value.stringValue ?? "")" }
            }
            if matches(path[...], pattern[...]), hasQueries { return component["exclude"]?.boolValue != true }
        }
        return false
    }

    /// The decision of iOS 12 by its own form.
    private func opensOnIOS12(_ path: String, by paths: JSON?) -> Bool {
        for pattern in paths?.arrayValue?.compactMap(\.stringValue) ?? [] {
            let isExcluded = pattern.hasPrefix("NOT ")
            if matches(path[...], pattern.dropFirst(isExcluded ? 4 : 0)) { return !isExcluded }
        }
        return false
    }

    private func matches(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return matches(text, pattern.dropFirst()) || (!text.isEmpty && matches(text.dropFirst(), pattern))
        }
        return text.first == first && matches(text.dropFirst(), pattern.dropFirst())
    }

    @Test func `a host lists the apps of its own project only`() throws {
        let ids = try details("links.shop.example").compactMap { $0["appID"]?.stringValue }
        #expect(ids == ["TEAMTEAM01.example.shop.ios", "TEAMTEAM01.example.shop.ipad"])
        let packages = try statements("links.shop.example").compactMap {
            $0["target"]?.objectValue?["package_name"]?.stringValue
        }
        #expect(packages == ["example.shop.android"])
        let text = String(decoding: try files("links.shop.example").apple.bytes, as: UTF8.self)
        #expect(!text.contains("neighbour"))
        #expect(!text.contains("teamless"))
    }

    @Test func `another host has no files`() {
        for host in ["auth.shop.example", "shop.example:8443", "", "LINKS.shop.example"] {
            #expect(AssociationFiles(hostKey: host, projects: [world.project, world.neighbour]) == nil, "\(host)")
        }
    }

    @Test func `both of Apple's forms stand in one file, and webcredentials`() throws {
        let detail = try #require(try details("links.shop.example").first)
        #expect(detail["appIDs"] == ["TEAMTEAM01.example.shop.ios"])
        let file = try JSON.parse(files("links.shop.example").apple.bytes).objectValue
        #expect(
            file?["webcredentials"]?.objectValue?["apps"]
                == ["TEAMTEAM01.example.shop.ios", "TEAMTEAM01.example.shop.ipad"])
    }

    static let wholeHost: [(path: String, opens: Bool)] = [
        ("/", true), ("/abc", true), ("/__/auth/links", true), ("/__/auth/action", false), ("/__/auth/x", false),
        ("/_/open", false), ("/v1/projects", false), ("/v2/x", false), ("/v1abc", true), ("/healthz", false),
        ("/identitytoolkit.googleapis.com/v1/x", false), ("/securetoken.googleapis.com/v1/token", false),
        ("/www.googleapis.com/x", false), ("/firebasedynamiclinks.googleapis.com/v1/shortLinks", false),
        ("/.well-known/jwks.json", false), ("/apple-app-site-association", false), ("/readyz", false),
    ]

    @Test(arguments: wholeHost)
    func `a whole host opens its links and nothing of the server's`(path: String, expected: Bool) throws {
        let detail = try #require(try details("links.shop.example").first)
        #expect(opens(path, by: detail["components"]) == expected)
        #expect(opensOnIOS12(path, by: detail["paths"]) == expected)
        let relation = "delegate_permission/common.handle_all_urls"
        let statement = try #require(try statements("links.shop.example").first)
        let components = statement["relation_extensions"]?.objectValue?[relation]?.objectValue
        #expect(opens(path, by: components?["dynamic_app_link_components"]) == expected)
    }

    @Test func `every path that the server keeps for itself is left to it`() throws {
        let components = try #require(try details("links.shop.example").first)["components"]
        for segment in OwnPath.reservedSegments {
            let isLeaf =
                ["healthz", "readyz", "favicon.ico", "robots.txt", "apple-app-site-association"].contains(segment)
            #expect(!opens(isLeaf ? "/\(segment)" : "/\(segment)/x", by: components), "\(segment)")
        }
    }

    @Test func `a whole host claims its links behind the server's own paths, in this order`() throws {
        let detail = try #require(try details("links.shop.example").first)
        #expect(
            detail["paths"] == [
                "/__/auth/links*", "NOT /__/auth/action*", "NOT /__/*", "NOT /_/*", "NOT /.well-known/*",
                "NOT /apple-app-site-association", "NOT /healthz", "NOT /readyz", "NOT /favicon.ico",
                "NOT /robots.txt", "NOT /v1/*", "NOT /v2/*", "NOT /identitytoolkit.googleapis.com/*",
                "NOT /www.googleapis.com/*",
                "NOT /securetoken.googleapis.com/*", "NOT /firebasedynamiclinks.googleapis.com/*", "/*",
            ])
    }

    @Test func `under a prefix only pages are the server's own, in this order`() throws {
        let detail = try #require(
            try details("shop.example").first { $0["appID"] == "TEAMTEAM01.example.shop.ios" })
        #expect(
            detail["paths"] == [
                "/go/__/auth/links*", "NOT /go/next", "NOT /go/next/*", "NOT /go/__/auth/action*", "NOT /go/__/*",
                "NOT /go/_/*", "/go", "/go/*",
            ])
        #expect(
            detail["components"]?.arrayValue?.prefix(3) == [
                ["/": "*", "?": ["d": "1"], "exclude": true], ["/": "/go/__/auth/links*"],
                ["/": "/go/next", "exclude": true],
            ])
    }

    @Test func `a link that asks for an explanation opens in the browser`() throws {
        let components = try #require(try details("links.shop.example").first)["components"]
        #expect(!opens("/abc", query: "d=1", by: components))
        #expect(opens("/abc", query: "_open=1", by: components))
        #expect(opens("/", query: "link=x&dd=1", by: components))
    }

    @Test(arguments: [
        ("/go", "TEAMTEAM01.example.shop.ios"), ("/go/", "TEAMTEAM01.example.shop.ios"),
        ("/go/abc", "TEAMTEAM01.example.shop.ios"), ("/go/__/auth/links", "TEAMTEAM01.example.shop.ios"),
        ("/go/next", "TEAMTEAM02.example.neighbour.ios"), ("/go/next/abc", "TEAMTEAM02.example.neighbour.ios"),
        ("/go/nextabc", "TEAMTEAM01.example.shop.ios"), ("/gone", nil as String?), ("/", nil), ("/__/auth/links", nil),
        ("/go/__/auth/action", nil), ("/go/_/open", nil),
    ])
    func `on a shared host each project has its own prefixes`(path: String, appID: String?) throws {
        let details = try details("shop.example")
        let byComponents = details.filter { opens(path, by: $0["components"]) }.compactMap { $0["appID"]?.stringValue }
        let byPaths = details.filter { opensOnIOS12(path, by: $0["paths"]) }.compactMap { $0["appID"]?.stringValue }
        #expect(byComponents == byPaths)
        let expected = appID.map { $0.contains("shop") ? [$0, "TEAMTEAM01.example.shop.ipad"] : [$0] } ?? []
        #expect(byComponents == expected)
    }

    @Test func `a statement carries every certificate`() throws {
        let print = Array(repeating: "B2", count: 32).joined(separator: ":")
        var apps = world.project.apps
        let index = try #require(apps.firstIndex { $0.platform == .android })
        apps[index].sha256.append(print)
        let files = try #require(AssociationFiles(hostKey: "links.shop.example", projects: [project(apps: apps)]))
        let statement = try #require(try JSON.parse(files.android.bytes).arrayValue?.first?.objectValue)
        #expect(
            statement["relation"] == [
                "delegate_permission/common.handle_all_urls", "delegate_permission/common.get_login_creds",
            ])
        let target = statement["target"]?.objectValue
        #expect(target?["namespace"] == "android_app")
        #expect(target?["sha256_cert_fingerprints"]?.arrayValue?.count == 2)
        #expect(target?["sha256_cert_fingerprints"]?.arrayValue?.last == .string(print))
    }

    @Test func `on a shared host no app gets the passwords and the App Clips of the others`() throws {
        let apps = world.project.apps.map { app -> RegisteredApp in
            var app = app
            if app.id == LinkWorld.bundleID { app.clipBundleID = "\(app.id).Clip" }
            return app
        }
        let project = project(apps: apps)
        let alone = try #require(AssociationFiles(hostKey: "links.shop.example", projects: [project, world.neighbour]))
        let file = try JSON.parse(alone.apple.bytes).objectValue
        #expect(file?["appclips"] == ["apps": ["TEAMTEAM01.example.shop.ios.Clip"]])
        let shared = try #require(AssociationFiles(hostKey: "shop.example", projects: [project, world.neighbour]))
        #expect(try JSON.parse(shared.apple.bytes).objectValue?["appclips"] == nil)
        let statements = try #require(try JSON.parse(shared.android.bytes).arrayValue)
        #expect(statements.count == 2)
        for statement in statements {
            #expect(statement.objectValue?["relation"] == ["delegate_permission/common.handle_all_urls"])
        }
    }

    @Test func `the tag changes with the file and with nothing else`() throws {
        let before = try files("links.shop.example")
        #expect(try files("links.shop.example") == before)
        let apps = world.project.apps.filter { $0.id != LinkWorld.ipadBundleID }
        let after = try #require(AssociationFiles(hostKey: "links.shop.example", projects: [project(apps: apps)]))
        #expect(after.apple.entityTag != before.apple.entityTag)
        #expect(after.android.entityTag == before.android.entityTag)
        #expect(before.apple.entityTag.utf8.count == 34)
        #expect(before.apple.entityTag.hasPrefix("\"") && before.apple.entityTag.hasSuffix("\""))
    }

    @Test func `a project without apps serves files that name nobody`() throws {
        let files = try #require(AssociationFiles(hostKey: "links.shop.example", projects: [project(apps: [])]))
        #expect(
            String(decoding: files.apple.bytes, as: UTF8.self)
                == #"{"applinks":{"apps":[],"details":[]},"webcredentials":{"apps":[]}}"#)
        #expect(String(decoding: files.android.bytes, as: UTF8.self) == "[]")
    }
}

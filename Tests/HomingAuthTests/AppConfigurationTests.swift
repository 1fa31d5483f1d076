// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingClient
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire
import Testing

/// What the server prints for an app, read by the libraries of that app.
@Suite struct AppConfigurationTests {
    private static let url = "https://auth.shop.example"
    private static let key = "hk_of_the_shop"

    private static func shop(_ apps: RegisteredApp..., linkDomains: String...) throws -> Project {
        Project(
            scope: Scope("shop"), number: "123456789012", name: "The Shop",
            allKeys: [APIKey(key, createdAt: Moment(milliseconds: 0))], apps: apps,
            linkDomains: try linkDomains.map { try LinkDomain(parsing: $0) })
    }

    private static func part(_ name: String, of configuration: AppConfiguration) throws -> String {
        try #require(configuration.parts.first { $0.name == name }).text
    }

    @Test func `the property list is one that HomingApp reads`() throws {
        let app = RegisteredApp(platform: .apple, id: "com.example.shop", teamID: "ABCDE12345")
        let configuration = AppConfiguration(
            of: app, in: try Self.shop(app, linkDomains: "links.shop.example/app"), publicURL: Self.url)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).plist")
        try Data(Self.part("Homing-Info.plist", of: configuration).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let read = try HomingApp.configure(contentsOf: file, name: "printed \(UUID().uuidString)")
        #expect(read.endpoint.url == Self.url && read.endpoint.apiKey == Self.key)
        let entitlements = try Self.part("Entitlements", of: configuration)
        #expect(entitlements.contains("<string>applinks:links.shop.example</string>"))
        let own = try Self.part("Info.plist", of: configuration)
        #expect(own.contains("<string>https://links.shop.example/app</string>"))
        #expect(own.contains("<string>com.example.shop</string>") && !own.contains("NSAllowsLocalNetworking"))
    }

    @Test func `the file of an Android app names server, key and project`() throws {
        let app = RegisteredApp(platform: .android, id: "com.example.shop", sha256: ["AB"])
        let configuration = AppConfiguration(
            of: app, in: try Self.shop(app, linkDomains: "links.shop.example"), publicURL: Self.url)
        let json = try #require(JSON.parse(Self.part("homing-services.json", of: configuration).utf8).objectValue)
        #expect(json["server"]?.stringValue == Self.url && json["apiKey"]?.stringValue == Self.key)
        #expect(json["projectId"]?.stringValue == "shop")
        #expect(json["linkDomains"]?.arrayValue?.first?.stringValue == "https://links.shop.example")
        let line = #"HomingApp.configure(this, "\#(Self.url)", "\#(Self.key)", "https://links.shop.example")"#
        #expect(try Self.part("Kotlin", of: configuration).hasSuffix(line))
        let manifest = try Self.part("AndroidManifest.xml", of: configuration)
        #expect(manifest.contains("android:host=\"links.shop.example\" />"))
    }

    @Test func `a server without TLS may be reached from the app, and no link domain leaves lines out`() throws {
        let app = RegisteredApp(platform: .apple, id: "com.example.shop")
        let configuration = AppConfiguration(of: app, in: try Self.shop(app), publicURL: "http://127.0.0.1:9099")
        #expect(configuration.parts.map(\.name) == ["Homing-Info.plist", "Swift", "Info.plist"])
        let own = try Self.part("Info.plist", of: configuration)
        #expect(own.contains("NSAllowsLocalNetworking") && !own.contains("FirebaseDynamicLinksCustomDomains"))
    }

    @Test func `an id means its apps of both platforms, and without one web pages have theirs, too`() throws {
        let id = "com.example.shop"
        let shop = try Self.shop(
            RegisteredApp(platform: .apple, id: id), RegisteredApp(platform: .android, id: id),
            RegisteredApp(platform: .apple, id: "com.example.other"))
        func platforms(_ app: String?, _ platform: AppConfiguration.Platform? = nil) throws -> [String] {
            try AppConfiguration.all(in: shop, app: app, platform: platform, publicURL: Self.url)
                .map { $0.platform.rawValue }
        }
        #expect(try platforms(id) == ["apple", "android"])
        #expect(try platforms(nil) == ["apple", "android", "apple", "web"])
        #expect(try platforms(id, .android) == ["android"] && platforms(nil, .web) == ["web"])
        #expect(throws: Refusal.self) { try platforms("com.example.none") }
        #expect(throws: Refusal.self) { try platforms(id, .web) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingClient
import Testing

@Suite struct ConfigurationFileTests {
    private static func configure(_ text: String, as name: String) throws -> HomingApp? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("homing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        let app = "file \(UUID().uuidString)"
        try HomingApp.configure(contentsOf: file, name: app)
        return HomingApp.app(name: app)
    }

    @Test func `a JSON file and a property list name the server and the key`() throws {
        let json = try Self.configure(
            #"""
            {"endpoint": "https://auth.shop.example", "apiKey": "hk_1", "more": 7,
             "linkDomains": ["https://links.shop.example/"]}
            """#, as: "homing.json")
        #expect(json?.endpointURL == "https://auth.shop.example")
        #expect(json?.linkDomains.prefixes == ["https://links.shop.example"])
        let list = try Self.configure(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
            <key>endpoint</key><string>https://auth.shop.example/</string><key>apiKey</key><string>hk_2</string>
            </dict></plist>
            """, as: "Homing-Info.plist")
        #expect(list?.endpointURL == "https://auth.shop.example")
    }

    @Test(arguments: [
        (#"{"endpoint": "https://auth.shop.example"}"#, "has no apiKey"), (#"{"apiKey": "hk_1"}"#, "has no endpoint"),
        (#"{"endpoint": "", "apiKey": "hk_1"}"#, "has no endpoint"),
        (#"{"endpoint": "auth.shop.example", "apiKey": "hk_1"}"#, "not a URL such as"),
        (#"{"endpoint": "ftp://auth.shop.example", "apiKey": "hk_1"}"#, "not a URL such as"),
        (#"{"endpoint": "https://a.example", "apiKey": "hk_1", "linkDomains": "x"}"#, "not a list of URLs"),
        ("[]", "not a JSON object"), ("", "not a JSON object"),
    ])
    func `a file that lacks something is refused by its name`(text: String, words: String) throws {
        let error = #expect(throws: HomingConfigurationError.self) { try Self.configure(text, as: "homing.json") }
        #expect(error?.message.contains(words) == true)
        #expect(error?.message.contains("homing.json") == true)
    }

    @Test func `a file that is not there and one that is no list are refused`() throws {
        #expect(throws: HomingConfigurationError.self) {
            try HomingApp.configure(contentsOf: URL(fileURLWithPath: "/nowhere/homing.json"))
        }
        #expect(throws: HomingConfigurationError.self) { try Self.configure("endpoint", as: "Homing-Info.plist") }
        let missing = #expect(throws: HomingConfigurationError.self) { try HomingApp.configure() }
        #expect(missing?.message.contains("configure(endpoint:apiKey:)") == true)
    }
}

extension HomingApp {
    fileprivate var endpointURL: String { endpoint.url }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `Changes of a registered app` {
    private static let first = Array(repeating: "AB", count: 32).joined(separator: ":")
    private static let second = Array(repeating: "CD", count: 32).joined(separator: ":")

    @discardableResult
    private func change(
        _ homing: TestHoming, _ platform: RegisteredApp.Platform, _ changes: AppChange...
    ) async throws -> RegisteredApp {
        let id = platform == .apple ? "com.example.ios" : "com.example.android"
        return try await homing.projects.setApp(platform, id, to: changes, in: "shop", by: .command)
    }

    private func withApps(_ body: @Sendable (TestHoming) async throws -> Void) async throws {
        try await withHoming { homing in
            try await homing.projects.addApp(RegisteredApp(platform: .apple, id: "com.example.ios"), to: "shop")
            try await homing.projects.addApp(
                RegisteredApp(platform: .android, id: "com.example.android", sha256: [Self.first]), to: "shop")
            try await body(homing)
        }
    }

    @Test func `an incomplete app says what it lacks until it is there`() async throws {
        try await withApps { homing in
            let lacking = try #require(try homing.shop.apps.first { $0.platform == .apple })
            #expect(lacking.gaps == [.teamID, .appStoreID])
            #expect(lacking.problem == "com.example.ios has no team id, so that no link opens it")
            let named = try await change(homing, .apple, AppChange(.teamID, to: "ABCDE12345"))
            #expect(named.gaps == [.appStoreID] && named.problem == nil)
            #expect(try await change(homing, .apple, AppChange(.appStoreID, to: "123456789")).gaps.isEmpty)
            await #expect(throws: Refusal.self, "without it no link opens the app") {
                try await change(homing, .apple, AppChange(.teamID, to: ""))
            }
        }
    }

    @Test func `each property takes the place of what there was, and an empty one takes it away`() async throws {
        try await withApps { homing in
            let clip = AppChange(.clip, to: "com.example.ios.Clip")
            let app = try await change(homing, .apple, AppChange(.customScheme, to: "shop"), clip)
            #expect(app.customScheme == "shop" && app.clipBundleID == "com.example.ios.Clip")
            #expect(try await change(homing, .apple, AppChange(.customScheme, to: "")).customScheme == nil)
            let android = try await change(
                homing, .android, AppChange(.fingerprints, to: "SHA256: \(Self.second)"),
                AppChange(.stores, to: "appgallery=C100000001\nplay = none\n"))
            #expect(android.sha256 == [Self.second], "the older one is gone")
            #expect(android.stores == ["appgallery": "C100000001", "play": "none"])
            #expect(android.text(of: .stores) == "play=none\nappgallery=C100000001")
            #expect(try await change(homing, .android, AppChange(.stores, to: "")).stores == nil)
        }
    }

    @Test func `a change that no app can have is refused as a whole`() async throws {
        try await withApps { homing in
            let before = try homing.shop.apps
            for (platform, wrong) in [
                (RegisteredApp.Platform.apple, AppChange(.appStoreID, to: "id12")),
                (.apple, AppChange(.clip, to: "com.other.Clip")), (.android, AppChange(.fingerprints, to: "AB:CD")),
                (.android, AppChange(.stores, to: "appgallery")),
            ] {
                await #expect(throws: Refusal.self) {
                    try await change(homing, platform, AppChange(.customScheme, to: "shop"), wrong)
                }
            }
            await #expect(throws: Refusal.self) {
                try await homing.projects.setApp(.apple, "com.example.none", to: [], in: "shop", by: .command)
            }
            #expect(try homing.shop.apps == before)
        }
    }

    @Test func `of two who change one property the second is told, and another property is no matter`() async throws {
        try await withApps { homing in
            try await change(homing, .apple, AppChange(.teamID, to: "ABCDE12345", expected: ""))
            let late = await #expect(throws: Refusal.self) {
                try await change(homing, .apple, AppChange(.teamID, to: "ZZZZZ12345", expected: ""))
            }
            #expect(late?.code == .changedMeanwhile)
            try await change(homing, .apple, AppChange(.appStoreID, to: "123456789", expected: ""))
            let app = try #require(try homing.shop.apps.first { $0.platform == .apple })
            #expect(app.teamID == "ABCDE12345" && app.appStoreID == "123456789")
        }
    }
}

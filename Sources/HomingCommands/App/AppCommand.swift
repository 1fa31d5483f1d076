// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingWire

/// `homing app …`.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Apps that links may open.",
        discussion: "EXAMPLE\n  homing app add apple shop --bundle-id com.example.shop --team-id ABCDE12345",
        subcommands: [AppAdd.self, AppList.self, AppRemove.self])
}

struct AppAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Register an app, or change a registered one.",
        discussion: "EXAMPLE\n  homing app add android shop --package com.example.shop --sha256 AB:CD:…",
        subcommands: [AppAddApple.self, AppAddAndroid.self])
}

struct AppAddApple: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple", abstract: "Register an Apple app.",
        discussion: "EXAMPLE\n  homing app add apple shop --bundle-id com.example.shop --team-id ABCDE12345")

    @Argument var project: String
    @Option(help: "Such as com.example.shop.") var bundleId: String
    @Option(help: "Ten letters and digits, from the developer account.") var teamId: String
    @Option(help: "The number in the App Store's URL.") var appStoreId: String?
    @Option(help: "A URL scheme for very old systems.") var customScheme: String?
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        let app = RegisteredApp(
            platform: .apple, id: bundleId, teamID: teamId, appStoreID: appStoreId, customScheme: customScheme)
        try await house.projects.addApp(app, to: project)
        console.answer(output, json: ProjectRecord.app(app), lines: ["\(bundleId) is registered in \(project)"])
    }
}

struct AppAddAndroid: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "android", abstract: "Register an Android app.",
        discussion: "EXAMPLE\n  homing app add android shop --package com.example.shop --sha256 AB:CD:…")

    @Argument var project: String
    @Option(help: "Such as com.example.shop.") var package: String
    @Option(help: "The signing certificate's SHA-256 fingerprint; may be given several times.") var sha256: [String]
    @Option(help: "The same as SHA-1.") var sha1: [String] = []
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        let app = try RegisteredApp(platform: .android, id: package, sha256: sha256, sha1: sha1).validated()
        try await house.projects.addApp(app, to: project)
        console.answer(output, json: ProjectRecord.app(app), lines: ["\(package) is registered in \(project)"])
    }
}

struct AppList: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a project's apps.", discussion: "EXAMPLE\n  homing app list shop")

    @Argument var project: String
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        let apps = try house.projects.existing(project).apps
        let rows = [["PLATFORM", "ID"]] + apps.map { [$0.platform.rawValue, $0.id] }
        console.answer(
            output, json: .array(apps.map(ProjectRecord.app)),
            lines: Table.lines(rows, empty: "no app is registered yet: homing app add"))
    }
}

struct AppRemove: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget an app.",
        discussion: "EXAMPLE\n  homing app remove shop com.example.shop")

    @Argument var project: String
    @Argument(help: "Bundle id or package name.") var id: String
    @OptionGroup var output: OutputOptions

    func run(in house: Homing, _ console: inout Console) async throws {
        try await house.projects.removeApp(id, from: project)
        console.answer(output, json: ["removed": .string(id)], lines: ["\(id) is removed from \(project)"])
    }
}

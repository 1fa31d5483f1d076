// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingShortLinks
import HomingStore
import HomingWire

/// `homing app …`.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Apps that links may open.",
        discussion: "EXAMPLE\n  homing app add apple shop --bundle-id com.example.shop --team-id ABCDE12345",
        subcommands: [AppAdd.self, AppList.self, AppConfig.self, AppRemove.self])
}

struct AppAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Register an app, or change a registered one.",
        discussion: """
            What is left out stays as it is registered.

            EXAMPLE
              homing app add android shop --package com.example.shop \\
                --sha256 \(AppAdd.sampleFingerprint)
            """,
        subcommands: [AppAddApple.self, AppAddAndroid.self])

    /// A SHA-256 fingerprint of no certificate, in one word.
    static let sampleFingerprint = "14A9B0C2D3E4F5061728394A5B6C7D8E9FA0B1C2D3E4F5061728394A5B6C7D8E"

    /// The lines about the app in its present registration.
    static func lines(_ app: RegisteredApp, in project: ProjectID) -> [String] {
        let values = [
            ("team id", app.teamID), ("App Store id", app.appStoreID), ("custom scheme", app.customScheme),
            ("App Clip", app.clipBundleID),
        ]
        var lines = ["\(app.id) is registered in \(project)"]
        lines += values.compactMap { name, value in value.map { "\(name) \($0)" } }
        lines += app.storeValues.map { store, value in "\(store.title) \(value)" }
        lines += app.sha256.map { "SHA-256 \($0)" }
        lines += app.sha1.map { "SHA-1 \($0)" }
        return lines
    }
}

struct AppAddApple: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple", abstract: "Register an Apple app, or change it.",
        discussion: """
            A second time only what is given changes: `--app-store-id 123456789` keeps the team id and the scheme. An \
            empty value takes the App Store id, the scheme or the App Clip away.

            EXAMPLE
              homing app add apple shop --bundle-id com.example.shop --team-id ABCDE12345
            """)

    @Argument var project: ProjectID
    @Option(help: "Such as com.example.shop.") var bundleId: String
    @Option(help: "Ten letters and digits, from the developer account; needed the first time.") var teamId: String?
    @Option(help: "The number in the App Store's URL.") var appStoreId: String?
    @Option(help: "A URL scheme for very old systems, and for the windows of other apps.") var customScheme: String?
    @Option(help: ArgumentHelp("The bundle id of its App Clip, such as com.example.shop.Clip.", valueName: "bundle"))
    var clip: String?
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let known = try homing.projects.existing(project).apps.contains { $0.platform == .apple && $0.id == bundleId }
        guard known || teamId != nil else {
            throw ValidationError("Missing expected argument '--team-id <team-id>': the app is not registered yet")
        }
        let app = try await homing.projects.addApp(
            RegisteredApp(
                platform: .apple, id: bundleId, teamID: teamId, appStoreID: appStoreId, customScheme: customScheme,
                clipBundleID: clip),
            to: project, by: .command)
        output.answer(format, json: ProjectRecord.app(app), lines: AppAdd.lines(app, in: project))
    }
}

struct AppAddAndroid: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "android", abstract: "Register an Android app, or add fingerprints to it.",
        discussion: """
            A second time the fingerprints that are given join those that are registered, so that builds signed with \
            either certificate open links. `homing app remove` with --sha256 takes one away.

            --store names a store besides the Play Store, to which devices are sent that have it: \
            \(AndroidStore.accepted) for an app that is not in the Play Store. An empty value takes it away.

            EXAMPLE
              homing app add android shop --package com.example.shop \\
                --sha256 \(AppAdd.sampleFingerprint)
              homing app add android shop --package com.example.shop --store appgallery=C100000001
            """)

    @Argument var project: ProjectID
    @Option(help: "Such as com.example.shop.") var package: String
    @Option(help: "The signing certificate's SHA-256 fingerprint; several times for several certificates.")
    var sha256: [String] = []
    @Option(help: "The same as SHA-1.") var sha1: [String] = []
    @Option(
        help: ArgumentHelp(
            "A store, with the app's id there or its page; several times for several.", valueName: "name=id"))
    var store: [String] = []
    @OptionGroup var format: OutputOptions

    private var stores: [String: String]? {
        get throws {
            guard !store.isEmpty else { return nil }
            return try store.reduce(into: [:]) { stores, text in
                guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                    throw ValidationError("--store \(text): write NAME=ID; known are \(AndroidStore.accepted)")
                }
                stores[String(text[..<mark])] = String(text[text.utf8.index(after: mark)...])
            }
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let known = try homing.projects.existing(project).apps.contains { $0.platform == .android && $0.id == package }
        guard known || !sha256.isEmpty else {
            throw ValidationError("Missing expected argument '--sha256 <sha256>': the app is not registered yet")
        }
        let app = try await homing.projects.addApp(
            RegisteredApp(platform: .android, id: package, stores: try stores, sha256: sha256, sha1: sha1),
            to: project, by: .command)
        output.answer(format, json: ProjectRecord.app(app), lines: AppAdd.lines(app, in: project))
    }
}

struct AppList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a project's apps.", discussion: "EXAMPLE\n  homing app list shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let apps = try homing.projects.existing(project).apps
        let rows = [["PLATFORM", "ID", "REGISTERED WITH"]] + apps.map { [$0.platform.rawValue, $0.id, $0.summary] }
        output.answer(
            format, json: .array(apps.map(ProjectRecord.app)),
            styled: Table.lines(rows, empty: "no app is registered yet: homing app add"))
    }
}

struct AppRemove: LinkEndingCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget an app, or one of its fingerprints.",
        discussion: """
            With a fingerprint the app stays, and only builds that are signed with that certificate open no links any \
            more. Without one, links open the app no more: where there are any, it says how many and asks; a script says \
            --yes.

            EXAMPLE
              homing app remove shop com.example.shop
              homing app remove shop com.example.shop \\
                --sha256 \(AppAdd.sampleFingerprint)
            """)

    @Argument var project: ProjectID
    @Argument(help: "Bundle id or package name.", completion: .apps) var id: String
    @Option(help: "Only this SHA-256 fingerprint; several times for several.") var sha256: [String] = []
    @Option(help: "Only this SHA-1 fingerprint.") var sha1: [String] = []
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        guard sha256.isEmpty, sha1.isEmpty else {
            let app = try await homing.projects.removeFingerprints(
                sha256: sha256, sha1: sha1, of: id, in: project, by: .command)
            return output.answer(format, json: ProjectRecord.app(app), lines: AppAdd.lines(app, in: project))
        }
        let deaths = try await homing.links.deaths(
            ofRemoving: .app(id), from: homing.projects.existing(project), at: homing.projects)
        try agree(to: deaths)
        try await homing.projects.removeApp(id, from: project, by: .command)
        output.answer(removed: id, from: project, deaths, format)
    }
}

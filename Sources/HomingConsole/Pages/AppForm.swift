// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingTexts

/// The fields of an app, for one that is registered and for one that is changed.
enum AppForm {
    static func adding(_ platform: RegisteredApp.Platform) -> ConsoleForm<RegisteredApp> {
        ConsoleForm(
            RegisteredApp(platform: platform, id: ""), scope: "\(platform.rawValue)-",
            [id(platform)] + properties(of: platform).map(field))
    }

    /// - Parameters:
    ///   - scope: tells the form from those of other apps.
    ///   - properties: the only fields; nil for all.
    static func editing(
        _ app: RegisteredApp, scope: String, only properties: [RegisteredApp.Property]? = nil
    ) -> ConsoleForm<RegisteredApp> {
        ConsoleForm(
            app, scope: scope, remembersSeen: true, (properties ?? Self.properties(of: app.platform)).map(field))
    }

    /// The one field that an Apple app lacks, where the page says so.
    static func completing(_ app: RegisteredApp, scope: String) -> ConsoleForm<RegisteredApp> {
        editing(app, scope: "\(scope)team-", only: [.teamID])
    }

    static func completes(_ form: ConsoleForm<RegisteredApp>) -> Bool { form.fields.count == 1 }

    /// What was typed, for ``Projects/setApp(_:_:to:in:by:)``.
    static func changes(_ form: ConsoleForm<RegisteredApp>) -> [AppChange] {
        let properties = properties(of: form.value.platform)
        return form.changes.compactMap { change in
            properties.first { name(of: $0).utf8.elementsEqual(change.name.utf8) }
                .map { AppChange($0, to: change.text, expected: change.seen) }
        }
    }

    /// Without the id, which stays.
    private static func properties(of platform: RegisteredApp.Platform) -> [RegisteredApp.Property] {
        switch platform {
        case .apple: [.teamID, .appStoreID, .customScheme, .clip]
        case .android: [.fingerprints, .stores]
        }
    }

    private static func name(of property: RegisteredApp.Property) -> String {
        switch property {
        case .id: "id"
        case .teamID: "team"
        case .appStoreID: "store"
        case .customScheme: "scheme"
        case .clip: "clip"
        case .stores: "stores"
        case .fingerprints: "fingerprints"
        }
    }

    private static func id(_ platform: RegisteredApp.Platform) -> ConsoleField<RegisteredApp> {
        let (label, name, hint): (String, String, HTML) =
            switch platform {
            case .apple: ("Bundle id", "bundle", "Such as <code>com.example.ios</code>.")
            case .android: ("Package name", "package", "Such as <code>com.example.android</code>.")
            }
        return ConsoleField(
            label: label, name: name, hint: hint, isRequired: true, text: \.id,
            set: { app, text in
                app = RegisteredApp(platform: platform, id: text)
                try app.check(.id)
            })
    }

    private static func field(_ property: RegisteredApp.Property) -> ConsoleField<RegisteredApp> {
        let (label, hint, input): (String, HTML, ConsoleInput) =
            switch property {
            case .id: ("Id", "", .line("text"))
            case .teamID:
                ("Team id", "Ten letters and digits, under Membership in Apple's developer account.", .line("text"))
            case .appStoreID:
                ("App Store id", "The digits in the app's App Store link. Optional.", .line("text"))
            case .customScheme:
                (
                    "Custom URL scheme",
                    "For very old systems and the windows of other apps; usually the bundle id. Optional.",
                    .line("text")
                )
            case .clip:
                (
                    "App Clip", "The clip's bundle id, such as <code>com.example.ios.Clip</code>. Optional.",
                    .line("text")
                )
            case .stores:
                (
                    "Other stores", "A line for each, such as <code>appgallery=C100000001</code>. Optional.",
                    .area(rows: 3)
                )
            case .fingerprints:
                (
                    "Fingerprints",
                    """
                    Paste what <code>keytool -list -v</code> or the Play Console's page App signing shows: the SHA-256 \
                    and SHA-1 lines are found in it. Each line here is one; links open builds that are signed with any \
                    of them.
                    """, .area(rows: 6)
                )
            }
        return ConsoleField(
            label: label, name: name(of: property), hint: hint, input: input, isRequired: property == .fingerprints,
            text: { $0.text(of: property) }, set: { app, text in try set(property, of: &app, to: text) })
    }

    private static func set(_ property: RegisteredApp.Property, of app: inout RegisteredApp, to text: String) throws {
        try app.set(property, to: text)
        guard property != .fingerprints || !app.sha256.isEmpty else {
            throw ConsoleFault(
                "There is no SHA-256 fingerprint in this text: 32 pairs of hex digits, with colons between them.")
        }
        try app.check(property)
    }
}

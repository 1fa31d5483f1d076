// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/apps`: the apps that links may open.
enum AppsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    enum Action: String, ConsoleAction {
        case apple, android, remove

        static let field = "form"
    }

    private static func form(_ platform: RegisteredApp.Platform) -> ConsoleForm<RegisteredApp> {
        func line(
            _ label: String, _ name: String, _ part: WritableKeyPath<RegisteredApp, String?>,
            _ property: RegisteredApp.Property, hint: HTML
        ) -> ConsoleField<RegisteredApp> {
            ConsoleField(
                label: label, name: name, hint: hint, text: { $0[keyPath: part] ?? "" },
                set: { app, text in
                    app[keyPath: part] = text.isEmpty ? nil : text
                    try app.check(property)
                })
        }
        func id(_ label: String, _ name: String, hint: HTML) -> ConsoleField<RegisteredApp> {
            ConsoleField(
                label: label, name: name, hint: hint, isRequired: true, text: \.id,
                set: { app, text in
                    app = RegisteredApp(
                        platform: app.platform, id: text, teamID: app.teamID, appStoreID: app.appStoreID,
                        customScheme: app.customScheme, clipBundleID: app.clipBundleID, stores: app.stores,
                        sha256: app.sha256, sha1: app.sha1)
                    try app.check(.id)
                })
        }
        let fingerprints = ConsoleField<RegisteredApp>(
            label: "Fingerprints", name: "fingerprints",
            hint: """
                Paste what <code>keytool -list -v</code> or the Play Console's page App signing shows: the SHA-256 and \
                SHA-1 lines are found in it.
                """, input: .area(rows: 6), isRequired: true, text: { ($0.sha256 + $0.sha1).joined(separator: "\n") },
            set: { app, text in
                let prints = PastedFingerprints(in: text)
                (app.sha256, app.sha1) = (prints.sha256, prints.sha1)
                guard !prints.sha256.isEmpty else {
                    throw ConsoleFault(
                        "There is no SHA-256 fingerprint in this text: 32 pairs of hex digits, with colons between them."
                    )
                }
                try app.check(.fingerprints)
            })
        let stores = ConsoleField<RegisteredApp>(
            label: "Other stores", name: "stores",
            hint: "A line for each, such as <code>appgallery=C100000001</code>. May wait.", input: .area(rows: 3),
            text: {
                ($0.stores ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
            },
            set: { app, text in
                var stores: [String: String] = [:]
                for line in text.split(whereSeparator: \.isNewline) {
                    let parts = line.split(separator: "=", maxSplits: 1).map { String(ASCII.trimmed(String($0))) }
                    guard parts.count == 2 else {
                        throw ConsoleFault("A line is a store's name, = and the app's id there.")
                    }
                    stores[parts[0]] = parts[1]
                }
                app.stores = stores.isEmpty ? nil : stores
                try app.check(.stores)
            })
        return ConsoleForm(
            RegisteredApp(platform: platform, id: ""), scope: "\(platform.rawValue)-",
            platform == .android
                ? [
                    id("Package name", "package", hint: "Such as <code>com.example.android</code>."), fingerprints,
                    stores,
                ]
                : [
                    id("Bundle id", "bundle", hint: "Such as <code>com.example.ios</code>."),
                    line(
                        "Team id", "team", \.teamID, .teamID,
                        hint: "Ten letters and digits, under Membership in Apple's developer account."),
                    line(
                        "App Store id", "store", \.appStoreID, .appStoreID,
                        hint: "The digits in the app's App Store link. May wait."),
                    line(
                        "Custom URL scheme", "scheme", \.customScheme, .customScheme,
                        hint: "For very old systems and the windows of other apps; usually the bundle id."),
                    line(
                        "App Clip", "clip", \.clipBundleID, .clip,
                        hint: "The clip's bundle id, such as <code>com.example.ios.Clip</code>. May be left empty."),
                ])
    }

    private static func page(
        _ context: ConsoleContext, _ sent: ConsoleForm<RegisteredApp>? = nil
    ) throws -> Response {
        let project = try context.project
        let apps = project.apps.map { app(context, $0, project) }
        return ConsolePage(
            .apps,
            """
            \(apps.isEmpty ? "<p>No app is registered yet: links lead to pages only.</p>" as HTML : HTML(joining: apps))
            \(apps.isEmpty || !project.linkDomains.isEmpty ? "" : withoutDomain(project))
            \(context.mayEdit ? forms(context, sent) : "")
            """, status: sent?.status ?? .ok
        ).answer(in: context)
    }

    private static func withoutDomain(_ project: Project) -> HTML {
        """
        <p>The project has no link domain: a mailed link opens a page first, and the page leads to the app.
        With <a href="\(ConsoleSection.linkDomains.path(in: project))">a link domain</a> it opens the app at once.</p>
        """
    }

    private static func app(_ context: ConsoleContext, _ app: RegisteredApp, _ project: Project) -> HTML {
        let facts: [(String, String?)] = [
            ("Team id", app.teamID), ("App Store id", app.appStoreID), ("Custom URL scheme", app.customScheme),
            ("App Clip", app.clipBundleID),
            (
                "Stores",
                app.stores == nil
                    ? nil : app.storeValues.map { store, value in "\(store.title) \(value)" }.joined(separator: "\n")
            ),
            ("SHA-256", app.sha256.isEmpty ? nil : app.sha256.joined(separator: "\n")),
            ("SHA-1", app.sha1.isEmpty ? nil : app.sha1.joined(separator: "\n")),
        ]
        let list = facts.compactMap { name, value in
            value.map { "<dt>\(name)</dt><dd><code>\($0)</code></dd>" as HTML }
        }
        let removal: HTML =
            context.mayEdit
            ? context.confirmation(
                "Remove", "No link opens \(app.id) any more, and no association file names it.",
                hidden: [Action.remove.hidden(to: app.id)], button: "Remove \(app.id)") : ""
        return """
            <section><h2>\(app.id) <span class="tag">\(app.platform == .apple ? "Apple" : "Android")</span></h2>
            <dl>\(list)</dl>
            <details><summary>Lines for the app</summary>\(HTML(joining: AppLines(app, in: project).blocks))</details>
            \(removal)</section>
            """
    }

    private static func forms(_ context: ConsoleContext, _ sent: ConsoleForm<RegisteredApp>?) -> HTML {
        func section(_ platform: RegisteredApp.Platform, _ action: Action, _ title: String) -> HTML {
            let form = sent.flatMap { $0.value.platform == platform ? $0 : nil } ?? Self.form(platform)
            return """
                <section><h2>Add an \(title)</h2>
                \(context.form(hidden: [action.hidden], form.html, button: "Add the \(title)"))</section>
                """
        }
        return """
            \(section(.apple, .apple, "Apple app"))\(section(.android, .android, "Android app"))
            <p class="soft">Of an app that is registered already, what you leave empty stays as it is.</p>
            """
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let project = try sent.context.project.projectID
        guard action != .remove else {
            let app = sent.text(action.rawValue)
            let question = DeathsQuestion(
                title: "Remove \(app)?", section: .apps, button: "Remove \(app)",
                hidden: [Action.remove.hidden(to: app)])
            if let page = try await question.page(beforeRemoving: .app(app), sent) { return page }
            try await sent.homing.projects.removeApp(app, from: project, by: sent.author)
            return sent.saved(nil, .removed)
        }
        var form = Self.form(action == .apple ? .apple : .android)
        guard try form.take(sent) else { return try page(sent.context, form) }
        do {
            try await sent.homing.projects.addApp(form.value, to: project, by: sent.author)
            return sent.saved()
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            // Together with the fingerprints that the app has already there may be too many.
            form.faults[action == .apple ? "bundle" : "fingerprints"] = refusal.sentence.asSentence
            return try page(sent.context, form)
        }
    }
}

/// The fingerprints in a text that somebody has pasted, from `keytool`, Gradle or the Play Console.
struct PastedFingerprints {
    private(set) var sha256: [String] = []
    private(set) var sha1: [String] = []

    /// Finds runs of pairs of hex digits with colons between them, or of 64 or 40 digits without; the length tells
    /// which digest it is, whatever word stands before it.
    init(in text: String) {
        let isPart = { (byte: UInt8) in Hexadecimal.isDigit(byte) || byte == UInt8(ascii: ":") }
        for run in text.utf8.split(whereSeparator: { !isPart($0) }) {
            let word = String(Substring(run)).trimmingColons
            let digits = word.utf8.filter { $0 != UInt8(ascii: ":") }.count
            let hasColons = word.utf8.contains(UInt8(ascii: ":"))
            guard !hasColons || word.utf8.count == digits / 2 * 3 - 1 else { continue }
            if digits == 64 { sha256.append(word) }
            if digits == 40 { sha1.append(word) }
        }
    }
}

extension String {
    /// A label's colon may touch the first pair, as in `SHA1:AB:CD`.
    fileprivate var trimmingColons: String {
        String(Substring(utf8.drop { $0 == UInt8(ascii: ":") }))
    }
}

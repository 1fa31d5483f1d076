// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/apps`: the apps that links may open.
enum AppsPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    private static func page(
        _ context: ConsoleContext, _ draft: ConsoleDraft = ConsoleDraft()
    ) throws -> Response {
        let project = try context.project
        let apps = project.apps.map { app(context, $0, project) }
        return ConsolePage(
            .apps,
            """
            \(apps.isEmpty ? "<p>No app is registered yet: links lead to pages only.</p>" as HTML : HTML(joining: apps))
            \(apps.isEmpty || !project.linkDomains.isEmpty ? "" : withoutDomain(project))
            \(context.mayEdit ? forms(context, draft) : "")
            """, status: draft.status
        ).answer(in: context)
    }

    private static func withoutDomain(_ project: Project) -> HTML {
        """
        <p>The project has no link domain: a mailed link opens a page first, and the page leads to the app.
        With <a href="/console/projects/\(project.id)/link-domains">a link domain</a> it opens the app at once.</p>
        """
    }

    private static func app(_ context: ConsoleContext, _ app: RegisteredApp, _ project: Project) -> HTML {
        let facts: [(String, String?)] = [
            ("Team id", app.teamID), ("App Store id", app.appStoreID), ("Custom URL scheme", app.customScheme),
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
                hidden: [("remove", app.id)], button: "Remove \(app.id)") : ""
        return """
            <section><h2>\(app.id) <span class="tag">\(app.platform == .apple ? "Apple" : "Android")</span></h2>
            <dl>\(list)</dl>
            <details><summary>Lines for the app</summary>\(HTML(joining: AppLines(app, in: project).blocks))</details>
            \(removal)</section>
            """
    }

    private static func forms(_ context: ConsoleContext, _ draft: ConsoleDraft) -> HTML {
        let apple = [
            draft.field(
                "Bundle id", "bundle", in: "apple", hint: "Such as <code>com.example.ios</code>.", isRequired: true),
            draft.field(
                "Team id", "team", in: "apple",
                hint: "Ten letters and digits, under Membership in Apple's developer account."),
            draft.field(
                "App Store id", "store", in: "apple", hint: "The digits in the app's App Store link. May wait."),
            draft.field(
                "Custom URL scheme", "scheme", in: "apple", hint: "For very old systems; usually the bundle id."),
        ]
        let android = [
            draft.field(
                "Package name", "package", in: "android", hint: "Such as <code>com.example.android</code>.",
                isRequired: true),
            draft.field(
                "Fingerprints", "fingerprints", in: "android",
                hint: """
                    Paste what <code>keytool -list -v</code> or the Play Console's page App signing shows: the SHA-256 and \
                    SHA-1 lines are found in it.
                    """, kind: .area(rows: 6), isRequired: true),
        ]
        func section(_ name: String, _ title: String, _ fields: [ConsoleField]) -> HTML {
            let content = HTML(joining: fields.map { $0.html(scope: "\(name)-") })
            return """
                <section><h2>Add an \(title)</h2>
                \(context.form(hidden: [("form", name)], content, button: "Add the \(title)"))</section>
                """
        }
        return """
            \(section("apple", "Apple app", apple))\(section("android", "Android app", android))
            <p class="soft">Of an app that is registered already, what you leave empty stays as it is.</p>
            """
    }

    static func change(_ form: ConsoleForm) async throws -> Response {
        let project = try form.context.project.id
        if form.fields["remove"] != nil {
            try await form.homing.projects.removeApp(form.text("remove"), from: project, by: form.author)
            return form.saved(nil, .removed)
        }
        var draft = ConsoleDraft(form, form: form.text("form"))
        let isApple = draft.form == "apple"
        let prints = PastedFingerprints(in: draft["fingerprints"])
        let app =
            isApple
            ? RegisteredApp(
                platform: .apple, id: draft["bundle"], teamID: draft.given("team"), appStoreID: draft.given("store"),
                customScheme: draft.given("scheme"))
            : RegisteredApp(
                platform: .android, id: draft["package"], sha256: prints.sha256, sha1: prints.sha1)
        let properties: [(String, RegisteredApp.Property)] =
            isApple
            ? [("bundle", .id), ("team", .teamID), ("store", .appStoreID), ("scheme", .customScheme)]
            : [("package", .id), ("fingerprints", .fingerprints)]
        for (name, property) in properties {
            draft.check(name) { _ throws(Refusal) in try app.check(property) }
        }
        if !isApple, prints.sha256.isEmpty {
            draft.faults["fingerprints"] =
                "There is no SHA-256 fingerprint in this text: 32 pairs of hex digits, with colons between them."
        }
        guard !draft.isRefused else { return try page(form.context, draft) }
        do {
            try await form.homing.projects.addApp(app, to: project, by: form.author)
            return form.saved()
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            // Together with the fingerprints that the app has already there may be too many.
            draft.faults[isApple ? "bundle" : "fingerprints"] = refusal.sentence.asSentence
            return try page(form.context, draft)
        }
    }
}

/// The fingerprints in a text that somebody has pasted, from `keytool`, Gradle or the Play Console.
struct PastedFingerprints {
    private(set) var sha256: [String] = []
    private(set) var sha1: [String] = []

    /// Finds runs of pairs of hex digits with colons between them, or of 64 or 40 digits without; the length tells which
    /// digest it is, whatever word stands before it.
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

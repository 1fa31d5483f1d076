// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDoctor
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingServer
import HomingStore
import HomingWire

/// `homing project import`: takes over what Firebase's files say of a project.
struct ProjectImport: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over a Firebase project's settings, apps and API keys from its files.",
        discussion: """
            A file is the admin config document (GET https://identitytoolkit.googleapis.com/v2/projects/PROJECT/config), \
            an Android app's google-services.json, or an Apple app's GoogleService-Info.plist. Authorised domains join those \
            that are there; sign-in settings, the password policy and templates that were changed take the place of \
            those here; API keys stay those that the apps and the web site send already, and mailed links carry the web \
            site's. A part that cannot come is left out and said, and the rest is stored, all of it at once; with --strict \
            nothing is. An international domain comes in its xn-- form.

            No file has an Apple app's team id or an Android app's SHA-256 fingerprint, without which no device opens \
            links with the app: give them here, or later with homing app add.

            EXAMPLE
              homing project import shop config.json google-services.json --dry-run
            """)

    @Argument var project: ProjectID
    @Argument(completion: .file(extensions: ["json", "plist"])) var files: [String]
    @Option(help: "The team id of the Apple apps: ten letters and digits, from the developer account.")
    var teamId: String?
    @Option(help: "A SHA-256 fingerprint of the one Android app; several times for several certificates.")
    var sha256: [String] = []
    @Flag(help: "Say what would change, and change nothing.") var dryRun = false
    @Flag(
        help: "Store nothing, and exit with 1, where a part is left out; but for hosts and pages of Firebase's own.")
    var strict = false
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource {
        // By number, because two apps' files have one name.
        .files(files.enumerated().map { (name: "\($0.offset)", path: $0.element) })
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existing(project)
        let texts = try await output.input?.files() ?? [:]
        var config: FirebaseConfig?
        var apps: [FirebaseApp] = []
        for (index, path) in files.enumerated() {
            switch try FirebaseFile(texts["\(index)"] ?? "", named: path) {
            case .apps(let found): apps += found
            case .config(let found):
                guard config == nil else {
                    throw Refusal.invalidSetting("\(path) is a second admin config document: give one")
                }
                config = found
            }
        }
        guard sha256.isEmpty || apps.count(where: { $0.platform == .android }) == 1 else {
            throw ValidationError("--sha256 is of one Android app, and these files have another number of them")
        }
        var outcome = Outcome(isDone: !dryRun)
        var plan = Plan()
        if let config { read(config, project, &plan, &outcome) }
        try read(apps, project, &plan, &outcome)
        try addKeys(config, apps, project, homing, &plan, &outcome)
        for name in Set(apps.compactMap(\.project)).sorted() where name != project.projectID {
            outcome.warnings.append(
                "the files are of Firebase's project \(name): ID tokens here are for \(project.projectID), "
                    + "which back ends have to expect")
        }
        let missing = outcome.leftOut.filter { !$0.isFirebasesOwn }
        if strict, !missing.isEmpty {
            outcome.isDone = false
            output.answer(format, json: outcome.json, lines: outcome.leftOutLines)
            throw Refusal.invalidSetting(
                "nothing was stored, because of --strict: what cannot come is "
                    + missing.map(\.part).joined(separator: ", "))
        }
        if !dryRun {
            try await homing.projects.takeOver(
                plan.settings, authorizedDomains: plan.domains, templates: plan.templates, apps: plan.apps,
                apiKeys: plan.keys, linkKey: plan.linkKey, of: project.projectID, by: .command)
        }
        output.answer(format, json: outcome.json, lines: outcome.lines)
        for line in outcome.leftOutLines { output.note(line) }
        for warning in outcome.warnings { output.note("warning: \(warning)") }
    }

    /// What is stored, in one transaction.
    private struct Plan {
        var settings: [SettingChange] = []
        var domains: [AuthorizedDomain]?
        var templates: [TemplateChange] = []
        var apps: [RegisteredApp] = []
        var keys: [(name: String, text: String)] = []
        var linkKey: String?
    }

    private struct Outcome {
        var isDone: Bool
        var changes: [String] = []
        var leftOut: [LeftOutPart] = []
        var warnings: [String] = []

        var json: JSON {
            [
                "done": .bool(isDone), "changes": .array(changes.map { .string($0) }),
                "leftOut": .array(leftOut.map(\.json)), "warnings": .array(warnings.map { .string($0) }),
            ]
        }

        var leftOutLines: [String] { leftOut.map { TerminalText.line("left out: \($0.sentence)") } }

        var lines: [String] {
            guard !changes.isEmpty else { return ["there is nothing to change"] }
            return changes + (isDone ? [] : ["nothing was changed: this was a dry run"])
        }
    }

    // MARK: Settings

    private func read(
        _ config: FirebaseConfig, _ project: Project, _ plan: inout Plan, _ outcome: inout Outcome
    ) {
        let (changes, leftOut) = config.changes(in: project)
        let new = (changes.authorizedDomains ?? []).filter { !project.authorizedDomains.contains($0) }
        plan.settings = changes.settings
        plan.domains = changes.authorizedDomains
        plan.templates = changes.templates
        outcome.leftOut += leftOut
        outcome.changes += plan.settings.map { "\($0.name) is \($0.value.isEmpty ? "the default" : $0.value)" }
        outcome.changes += new.map { "\($0.text) is an authorised domain" }
        outcome.changes += changes.templates.map { "the template of \($0.kind.rawValue) is the document's" }
        if plan.settings.contains(where: { $0.name == "autodeleteAnonymousUsers" && $0.value == "true" }) {
            outcome.warnings.append(
                "anonymous accounts that nobody uses for thirty days will be deleted, as at Firebase: homing project set "
                    + "\(project.projectID) autodeleteAnonymousUsers false keeps them")
        }
        if config.hasHashConfig {
            outcome.warnings.append(
                "the document has the key of the passwords' hashes: give it to homing account import as --hash-config, then "
                    + "keep it as safe as the database")
        }
    }

    // MARK: Apps

    private func read(
        _ apps: [FirebaseApp], _ project: Project, _ plan: inout Plan, _ outcome: inout Outcome
    ) throws {
        for app in apps {
            outcome.leftOut += app.leftOut
            guard let id = app.id else { continue }
            let known = project.apps.contains { $0.platform == app.platform && $0.id == id }
            let isWhole = known || (app.platform == .apple ? teamId != nil : !sha256.isEmpty)
            if isWhole {
                let registered = RegisteredApp(
                    platform: app.platform, id: id, teamID: app.platform == .apple ? teamId : nil,
                    sha256: app.platform == .android ? sha256 : [], sha1: app.sha1)
                // What is said of one that is registered joins what is known.
                if !known || !sha256.isEmpty || app.platform == .apple { _ = try registered.validated() }
                plan.apps.append(registered)
                outcome.changes.append("\(id) is registered")
            } else if app.platform == .apple {
                outcome.warnings.append(
                    "\(id) is not registered, because its team id is not in the file: add --team-id, or "
                        + "homing app add apple \(project.projectID) --bundle-id \(id) --team-id …")
            } else {
                outcome.warnings.append(
                    "\(id) is not registered, because its SHA-256 fingerprint is not in the file: add --sha256, or "
                        + "homing app add android \(project.projectID) --package \(id) --sha256 …")
            }
        }
    }

    // MARK: API keys

    /// The keys that apps and web pages send already: nobody has to ship an app for its key.
    private func addKeys(
        _ config: FirebaseConfig?, _ apps: [FirebaseApp], _ project: Project, _ homing: Homing, _ plan: inout Plan,
        _ outcome: inout Outcome
    ) throws {
        var known = Set(project.apiKeys.map(\.text))
        /// - Returns: whether the key is one of the project's then.
        func take(_ key: String, _ part: String, of sender: String) -> Bool {
            guard !project.allKeys.contains(where: { $0.text == key && $0.revokedAt != nil }) else {
                outcome.leftOut.append(LeftOutPart(part, "\(key) was revoked here"))
                return false
            }
            guard known.insert(key).inserted else { return true }
            plan.keys.append((name: String(sender.prefix(100)), text: key))
            outcome.changes.append("\(key) is an API key, as \(sender) sends it")
            return true
        }
        for app in apps {
            guard let key = app.apiKey else { continue }
            if let other = homing.projects.project(linkKey: key), other.projectID != project.projectID {
                throw Refusal.alreadyExists(
                    "nothing was changed: the API key \(key) belongs to \(other.projectID) already")
            }
            _ = take(key, "the API key of \(app.name)", of: app.name)
        }
        guard let key = config?.apiKey else { return }
        // A document that was read from a project of this server has that project's key.
        if let other = homing.projects.project(linkKey: key), other.projectID != project.projectID {
            outcome.leftOut.append(LeftOutPart("client.apiKey", "\(key), which belongs to \(other.projectID)"))
            return
        }
        guard take(key, "client.apiKey", of: "the web site"), key != project.linkKey else { return }
        // Pages of one's own, and apps, find in a link the key that they know.
        plan.linkKey = key
        outcome.changes.append("\(key) is the API key in mailed links")
    }
}

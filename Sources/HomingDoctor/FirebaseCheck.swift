// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingCore
import HomingLinkRules
import HomingProjects
internal import HomingServer
import HomingStore
internal import HomingWire

/// Whether a Firebase project can move here, judged by its own files. Nobody is asked, and no server is needed.
package enum FirebaseCheck {
    /// - Parameter paths: an admin config document, `google-services.json`, `GoogleService-Info.plist`.
    /// - Throws: a refusal of a file that is none of them.
    package static func findings(of paths: [String]) throws -> [Finding] {
        try paths.flatMap { path in
            guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20,
                let text = String(validating: data, as: UTF8.self)
            else { throw Refusal.notFound("\(path) cannot be read: give the path of one of Firebase's files") }
            switch try FirebaseFile(text, named: path) {
            case .config(let config): return findings(of: config, at: path)
            case .apps(let apps): return apps.flatMap { findings(of: $0, at: path) }
            }
        }
    }

    private static func findings(of app: FirebaseApp, at path: String) -> [Finding] {
        var findings = app.leftOut.map { leftOut($0, path) }
        if app.id != nil {
            let need = app.platform == .apple ? "its team id" : "the SHA-256 fingerprint of its certificate"
            let key = app.apiKey == nil ? "" : " with its API key"
            findings.append(
                .ok("FIREBASE_APP", path, "\(app.name) comes\(key): homing project import, with \(need) for links"))
        } else if app.apiKey != nil {
            findings.append(.ok("FIREBASE_APP", path, "the API key of \(app.name) comes: homing project import"))
        }
        return findings
    }

    private static func leftOut(_ part: LeftOutPart, _ path: String) -> Finding {
        .warning("FIREBASE_LEFT_OUT", path, "left out: \(part.sentence)", "Look whether you need it.")
    }

    /// What `homing project import` would take into a new project.
    private static func coming(_ changes: ProjectConfigChanges) -> String {
        let kinds = [
            (changes.authorizedDomains?.count ?? 0, "authorised domain"), (changes.settings.count, "setting"),
            (changes.templates.count, "template"),
        ].filter { $0.0 > 0 }
        let list = kinds.map { count, name in Printable.count(count, name) }
        return list.isEmpty
            ? "nothing in it differs from a new project here"
            : "homing project import takes \(list.joined(separator: ", "))"
    }

    private static func findings(of config: FirebaseConfig, at path: String) -> [Finding] {
        let document = config.whole
        let (changes, leftOut) = config.changes(in: Project(scope: "", number: "", name: ""))
        var findings = [Finding.ok("FIREBASE_CONFIG", path, coming(changes))]
        findings.append(
            config.hasHashConfig
                ? .ok(
                    "FIREBASE_HASHES", path, "passwords come: give this file to homing account import as --hash-config")
                : .warning(
                    "FIREBASE_HASHES", path, "the key of the passwords' hashes is not in it",
                    "Read the config as an owner of the project, or copy the parameters from Firebase's console: without "
                        + "them everybody has to reset the password."))
        func isOn(_ names: String...) -> Bool {
            var value: JSON? = .object(document)
            for name in names { value = value?.objectValue?[name] }
            return value?.boolValue == true
                || ["ENABLED", "MANDATORY", "ENFORCE", "AUDIT"].contains(value?.stringValue)
        }
        if isOn("multiTenant", "allowTenants") {
            findings.append(
                .warning(
                    "FIREBASE_TENANTS", path, "the project has tenants, which are not in this file",
                    "Make each under the id that it has: homing tenant create PROJECT --id TENANT. Then import its "
                        + "accounts into PROJECT/TENANT."))
        }
        if isOn("signIn", "phoneNumber", "enabled") {
            findings.append(
                .problem(
                    "FIREBASE_PHONE", path, "people sign in by phone, which is not offered",
                    "Their numbers come as data; who has no address cannot sign in: count them in the export first."))
        }
        if isOn("mfa", "state") {
            findings.append(
                .warning(
                    "FIREBASE_SECOND_FACTORS", path, "second factors are not offered",
                    "People sign in with the first one alone: decide whether that is enough for you."))
        }
        if document["blockingFunctions"]?.objectValue?["triggers"]?.objectValue?.members.isEmpty == false {
            findings.append(
                .warning(
                    "FIREBASE_BLOCKING_FUNCTIONS", path, "no functions are called at a sign-up or sign-in",
                    "Check the claims where your back end verifies the token, or switch sign-up off and create accounts."
                ))
        }
        if isOn("recaptchaConfig", "emailPasswordEnforcementState") {
            findings.append(
                .warning(
                    "FIREBASE_RECAPTCHA", path, "no call asks for a reCAPTCHA",
                    "Limits per address and client stand in its place: see docs/limits.md."))
        }
        let said = ["mfa", "blockingFunctions", "recaptchaConfig", "multiTenant", "signIn.phoneNumber"]
        findings += leftOut.filter { !said.contains($0.part) }.map { Self.leftOut($0, path) }
        return findings
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingCore
package import HomingLinkRules
package import HomingProjects
package import HomingServer
package import HomingStore
package import HomingWire

/// One of the files in which Firebase says what a project is: its admin config document, an Android app's
/// `google-services.json`, an Apple app's `GoogleService-Info.plist`.
package enum FirebaseFile {
    case config(FirebaseConfig)
    case apps([FirebaseApp])

    /// - Throws: a refusal that says what the file lacks to be one of the three.
    package init(_ text: String, named name: String) throws(Refusal) {
        if text.contains("<plist") {
            self = .apps([try FirebaseApp(plist: text, named: name)])
            return
        }
        let value: JSON
        do {
            value = try JSON.parse(Array(text.utf8))
        } catch {
            throw .invalidSetting("\(name) is neither JSON nor a property list in XML: \(error)")
        }
        guard let object = value.objectValue else { throw .invalidSetting("\(name) is no JSON object") }
        if let clients = object["client"]?.arrayValue, object["project_info"] != nil {
            var apps: [FirebaseApp] = []
            for client in clients {
                if let app = FirebaseApp(client: client.objectValue ?? JSON.Object(), of: object) { apps.append(app) }
            }
            guard !apps.isEmpty else { throw .invalidSetting("\(name) has no Android app") }
            self = .apps(apps)
            return
        }
        guard let config = FirebaseConfig(object) else {
            throw .invalidSetting(
                "\(name) is neither an admin config document (GET …/v2/projects/PROJECT/config) nor a "
                    + "google-services.json")
        }
        self = .config(config)
    }
}

/// An app as its configuration file has it, without what cannot be of it.
package struct FirebaseApp {
    package let platform: RegisteredApp.Platform
    /// The bundle id or the package name; nil where it is none that a store gives out.
    package private(set) var id: String?
    /// The key that the app sends.
    package private(set) var apiKey: String?
    /// Firebase's id of the project.
    package let project: ProjectID?
    package private(set) var sha1: [String] = []
    package private(set) var leftOut: [LeftOutPart] = []

    /// One `client` of `google-services.json`; nil for one that is no Android app.
    fileprivate init?(client: JSON.Object, of file: JSON.Object) {
        let info = client["client_info"]?.objectValue?["android_client_info"]?.objectValue
        guard let package = info?["package_name"]?.stringValue else { return nil }
        platform = .android
        project = file["project_info"]?.objectValue?["project_id"]?.stringValue.map { ProjectID($0) }
        let name = "client.client_info.android_client_info.package_name"
        take(
            package, name, key: client["api_key"]?.arrayValue?.first?.objectValue?["current_key"]?.stringValue,
            "client.api_key")
        for entry in client["oauth_client"]?.arrayValue ?? [] {
            let android = entry.objectValue?["android_info"]?.objectValue
            guard android?["package_name"]?.stringValue == package,
                let hash = android?["certificate_hash"]?.stringValue
            else { continue }
            // Of an Apple app, because the SHA-256 fingerprints are nowhere in the file.
            let trial = RegisteredApp(platform: .apple, id: package, sha1: sha1 + [hash])
            if passes("client.oauth_client", { () throws(Refusal) in try trial.check(.fingerprints) }) {
                sha1.append(hash)
            }
        }
    }

    fileprivate init(plist text: String, named name: String) throws(Refusal) {
        let list = try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        guard let values = list as? [String: Any], let bundle = values["BUNDLE_ID"] as? String else {
            throw .invalidSetting("\(name) is no GoogleService-Info.plist: it has no BUNDLE_ID")
        }
        platform = .apple
        project = (values["PROJECT_ID"] as? String).map { ProjectID($0) }
        take(bundle, "BUNDLE_ID", key: values["API_KEY"] as? String, "API_KEY")
    }

    /// What an operator calls the app.
    package var name: String { id ?? (platform == .apple ? "the Apple app" : "the Android app") }

    private mutating func take(_ id: String, _ idPart: String, key: String?, _ keyPart: String) {
        let app = RegisteredApp(platform: platform, id: id)
        if passes(idPart, { () throws(Refusal) in try app.check(.id) }) { self.id = id }
        guard let key else { return }
        if passes(keyPart, { () throws(Refusal) in try APIKey.check(key) }) { apiKey = key }
    }

    /// Notes what does not pass.
    private mutating func passes(_ part: String, _ check: () throws(Refusal) -> Void) -> Bool {
        do {
            try check()
            return true
        } catch {
            leftOut.append(LeftOutPart(part, error))
            return false
        }
    }
}

/// The admin config document as production answers it, without what is Google's own or has no setting here.
package struct FirebaseConfig {
    private var document: JSON.Object
    /// The document as it was read.
    package let whole: JSON.Object
    /// What has no place in any project here; ``changes(in:)`` has all that is left out.
    private var leftOut: [LeftOutPart] = []
    /// The key that web pages send.
    package private(set) var apiKey: String?
    /// Whether it says how passwords were hashed.
    package let hasHashConfig: Bool

    /// Members that a setting is below, or that need none.
    private static let known = Set(
        ProjectSetting.all.map { $0.path[0] } + ["name", "authorizedDomains", "subtype", "defaultHostingSite"])

    fileprivate init?(_ object: JSON.Object) {
        guard
            ["signIn", "authorizedDomains", "notification", "emailPrivacyConfig"].contains(where: { object[$0] != nil })
        else { return nil }
        document = object
        whole = object
        let signIn = object["signIn"]?.objectValue
        hasHashConfig = signIn?["hashConfig"]?.objectValue?["signerKey"] != nil
        takeKey()
        for left in LeftOutMember.all { leaveOut(left) }
        for member in document.members where !Self.known.contains(member.key) && member.value.asksForSomething {
            leftOut.append(LeftOutPart(member.key, "there is no setting for it here"))
        }
        takeDomains()
        takeNotification()
    }

    /// What the document changes in a project, and all that is left out of it: what `homing project import` does, and
    /// `homing doctor --from-firebase` says.
    package func changes(in project: Project) -> (changes: ProjectConfigChanges, leftOut: [LeftOutPart]) {
        let changes = ProjectConfigDocument.takingOver(document, into: project)
        return (changes, leftOut + changes.leftOut)
    }

    private mutating func takeKey() {
        guard let key = document["client"]?.objectValue?["apiKey"]?.stringValue, !key.isEmpty else { return }
        do {
            try APIKey.check(key)
            apiKey = key
        } catch {
            leftOut.append(LeftOutPart("client.apiKey", error))
        }
    }

    private mutating func leaveOut(_ left: LeftOutMember) {
        guard left.path.count > 1 else {
            if document[left.path[0]]?.asksForSomething == true {
                leftOut.append(LeftOutPart(left.path[0], left.sentence))
            }
            document[left.path[0]] = nil
            return
        }
        guard var outer = document[left.path[0]]?.objectValue else { return }
        if outer[left.path[1]]?.asksForSomething == true {
            leftOut.append(LeftOutPart(left.path.joined(separator: "."), left.sentence))
        }
        outer[left.path[1]] = nil
        document[left.path[0]] = .object(outer)
    }

    /// Hosts of Google's that only Firebase serves.
    private static func isGoogles(_ host: String) -> Bool {
        [".firebaseapp.com", ".web.app"].contains { host.hasSuffix($0) }
    }

    private mutating func takeDomains() {
        guard let domains = document["authorizedDomains"]?.arrayValue else { return }
        let kept = domains.filter { domain in
            guard let host = domain.stringValue, Self.isGoogles(host) else { return true }
            leftOut.append(
                LeftOutPart(
                    "authorizedDomains",
                    "\(host) is Firebase's own host (homing domain add PROJECT \(host) keeps it)", isFirebasesOwn: true)
            )
            return false
        }
        document["authorizedDomains"] = .array(kept)
    }

    private mutating func takeNotification() {
        guard var notification = document["notification"]?.objectValue,
            var send = notification["sendEmail"]?.objectValue
        else { return }
        let path = "notification.sendEmail"
        let page = send["callbackUri"]?.stringValue ?? ""
        let host = page.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first.map { String($0) }
        if let host, Self.isGoogles(host) {
            leftOut.append(
                LeftOutPart(
                    "\(path).callbackUri", "it is Firebase's own page: links lead to Homing's", isFirebasesOwn: true))
            send["callbackUri"] = nil
        }
        if send["method"]?.stringValue == "CUSTOM_SMTP" {
            leftOut.append(LeftOutPart("\(path).smtp", "the relay is a setting of the server"))
        }
        for member in send.members where member.key.hasSuffix("Template") {
            guard let template = member.value.objectValue else { continue }
            send[member.key] = take(template, at: "\(path).\(member.key)").map { .object($0) }
        }
        notification["sendEmail"] = .object(send)
        document["notification"] = .object(notification)
    }

    /// What a project says in its own words. `customized` is about subject and body: of a template that is not, these
    /// are Google's, and who sends it and where answers go may still be the project's.
    private mutating func take(_ template: JSON.Object, at path: String) -> JSON.Object? {
        let isCustomized = template["customized"]?.boolValue == true
        guard ProjectConfigDocument.hasTemplate(at: path) else {
            if isCustomized { leftOut.append(LeftOutPart(path, "there is no such email here")) }
            return nil
        }
        var taken = isCustomized ? template : JSON.Object()
        for name in ["senderDisplayName", "replyTo"] where !isCustomized {
            if let value = template[name], value != .string(Self.standardSender) { taken[name] = value }
        }
        taken["senderLocalPart"] = nil
        if let local = template["senderLocalPart"]?.stringValue, !["", Self.standardSender].contains(local) {
            leftOut.append(
                LeftOutPart(
                    "\(path).senderLocalPart",
                    "the relay may not take \(local) as a sender: homing template set has --sender-local-part"))
        }
        return taken
    }

    /// In every template that nobody has changed, before the `@`.
    private static let standardSender = "noreply"
}

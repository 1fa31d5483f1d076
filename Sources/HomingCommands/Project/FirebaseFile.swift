// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingServer
import HomingWire

/// One of the files in which Firebase says what a project is: its admin config document, an Android app's
/// `google-services.json`, an Apple app's `GoogleService-Info.plist`.
enum FirebaseFile {
    case config(FirebaseConfig)
    case apps([FirebaseApp])

    /// - Throws: a refusal that says what the file lacks to be one of the three.
    init(_ text: String, named name: String) throws(Refusal) {
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

/// An app as its configuration file has it.
struct FirebaseApp {
    let platform: RegisteredApp.Platform
    let id: String
    /// The key that the app sends.
    let apiKey: String?
    /// Firebase's id of the project.
    let project: String?
    private(set) var sha1: [String] = []

    /// One `client` of `google-services.json`; nil for one that is no Android app.
    fileprivate init?(client: JSON.Object, of file: JSON.Object) {
        let info = client["client_info"]?.objectValue?["android_client_info"]?.objectValue
        guard let package = info?["package_name"]?.stringValue else { return nil }
        platform = .android
        id = package
        project = file["project_info"]?.objectValue?["project_id"]?.stringValue
        apiKey = client["api_key"]?.arrayValue?.first?.objectValue?["current_key"]?.stringValue
        for entry in client["oauth_client"]?.arrayValue ?? [] {
            let android = entry.objectValue?["android_info"]?.objectValue
            guard android?["package_name"]?.stringValue == package,
                let hash = android?["certificate_hash"]?.stringValue
            else { continue }
            sha1.append(hash)
        }
    }

    fileprivate init(plist text: String, named name: String) throws(Refusal) {
        let list = try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        guard let values = list as? [String: Any], let bundle = values["BUNDLE_ID"] as? String else {
            throw .invalidSetting("\(name) is no GoogleService-Info.plist: it has no BUNDLE_ID")
        }
        platform = .apple
        id = bundle
        apiKey = values["API_KEY"] as? String
        project = values["PROJECT_ID"] as? String
    }
}

/// The admin config document as production answers it, without what is Google's own or has no setting here.
struct FirebaseConfig {
    private(set) var document: JSON.Object
    /// The document as it was read.
    let whole: JSON.Object
    /// What is left out, and why, a sentence each.
    private(set) var leftOut: [String] = []
    /// The key that web pages send.
    let apiKey: String?
    /// Whether it says how passwords were hashed.
    let hasHashConfig: Bool

    private static let known: Set<String> = [
        "name", "signIn", "authorizedDomains", "emailPrivacyConfig", "client", "notification", "passwordPolicyConfig",
        "subtype", "defaultHostingSite", "actionCodes", "idToken", "quota", "autodeleteAnonymousUsers",
        "mobileLinksConfig",
    ]

    fileprivate init?(_ object: JSON.Object) {
        guard
            ["signIn", "authorizedDomains", "notification", "emailPrivacyConfig"].contains(where: { object[$0] != nil })
        else { return nil }
        document = object
        whole = object
        let signIn = object["signIn"]?.objectValue
        hasHashConfig = signIn?["hashConfig"]?.objectValue?["signerKey"] != nil
        apiKey = object["client"]?.objectValue?["apiKey"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        for left in LeftOutMember.all { leaveOut(left) }
        for member in document.members where !Self.known.contains(member.key) && member.value.asksForSomething {
            leftOut.append("\(member.key) has no setting here")
        }
        takeDomains()
        takeNotification()
    }

    private mutating func leaveOut(_ left: LeftOutMember) {
        guard left.path.count > 1 else {
            if document[left.path[0]]?.asksForSomething == true { leftOut.append("\(left.path[0]): \(left.sentence)") }
            document[left.path[0]] = nil
            return
        }
        guard var outer = document[left.path[0]]?.objectValue else { return }
        if outer[left.path[1]]?.asksForSomething == true {
            leftOut.append("\(left.path.joined(separator: ".")): \(left.sentence)")
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
                "authorizedDomains: \(host) is Firebase's own host (homing domain add PROJECT \(host) keeps it)")
            return false
        }
        document["authorizedDomains"] = .array(kept)
    }

    private mutating func takeNotification() {
        guard var notification = document["notification"]?.objectValue else { return }
        if let locale = notification["defaultLocale"]?.stringValue, !ProjectSettings.takes(locale: locale) {
            leftOut.append("notification.defaultLocale: no pages and letters are written in \(locale)")
            notification["defaultLocale"] = nil
        }
        if var send = notification["sendEmail"]?.objectValue {
            let page = send["callbackUri"]?.stringValue ?? ""
            let host = page.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first.map { String($0) }
            if let host, Self.isGoogles(host) {
                leftOut.append("notification.sendEmail.callbackUri is Firebase's own page: links lead to Homing's")
                send["callbackUri"] = nil
            }
            for member in send.members where member.key.hasSuffix("Template") {
                if member.value.objectValue?["customized"]?.boolValue != true { send[member.key] = nil }
            }
            for name in ["verifyEmailTemplate", "resetPasswordTemplate", "changeEmailTemplate"] {
                // The sender's address is the relay's matter.
                guard var template = send[name]?.objectValue else { continue }
                template["senderLocalPart"] = nil
                send[name] = .object(template)
            }
            notification["sendEmail"] = .object(send)
        }
        document["notification"] = .object(notification)
    }
}

extension ProjectSettings {
    fileprivate static func takes(locale: String) -> Bool {
        var settings = ProjectSettings()
        return (try? settings.set("notification.defaultLocale", to: locale)) != nil
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingStore
import HomingTexts
import HomingWire

// XML is escaped as HTML is: both know these five references.
extension AppConfiguration {
    /// `HomingApp.configure()` reads it.
    static func appleFile(_ project: Project, _ publicURL: String) -> Part {
        let text: HTML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>endpoint</key>
                <string>\(publicURL)</string>
                <key>apiKey</key>
                <string>\(project.linkKey)</string>
            </dict>
            </plist>
            """
        return Part(name: "Homing-Info.plist", place: "a new file in the app's target", text: text.utf8Text)
    }

    static let swift = Part(
        name: "Swift", place: "once, at the start of the app",
        text: """
            import HomingAuth

            try HomingApp.configure()
            """)

    /// Nothing without a link domain: it is a capability that the domains' association files have to confirm.
    static func entitlements(_ app: RegisteredApp, _ project: Project) -> [Part] {
        guard !project.linkDomains.isEmpty else { return [] }
        let services = ["applinks"] + (app.clipBundleID == nil ? [] : ["appclips"])
        let hosts = project.linkDomains.map(\.host.text).reduce(into: [String]()) { hosts, host in
            if !hosts.contains(where: { $0.utf8.elementsEqual(host.utf8) }) { hosts.append(host) }
        }
        let text: HTML = """
            <key>com.apple.developer.associated-domains</key>
            \(array(services.flatMap { service in hosts.map { "\(service):\($0)" } }))
            """
        return [Part(name: "Entitlements", place: "Associated Domains of the app's target", text: text.utf8Text)]
    }

    static func appleProperties(_ app: RegisteredApp, _ project: Project, _ publicURL: String) -> Part {
        let domains: HTML = """
            <key>FirebaseDynamicLinksCustomDomains</key>
            \(array(project.linkDomains.map(\.baseURL)))

            """
        let schemes: HTML = """
            <key>CFBundleURLTypes</key>
            <array>
                <dict>
                    <key>CFBundleURLSchemes</key>
                    <array><string>\(app.customScheme ?? app.id)</string></array>
                </dict>
            </array>
            """
        // Without TLS, which is for a desk only.
        let local: HTML = """

            <key>NSAppTransportSecurity</key>
            <dict>
                <key>NSAllowsLocalNetworking</key>
                <true/>
            </dict>
            """
        let text = HTML(
            joining: [project.linkDomains.isEmpty ? "" : domains, schemes]
                + (publicURL.hasPrefix("http://") ? [local] : []))
        return Part(name: "Info.plist", place: "the app's own", text: text.utf8Text)
    }

    static func androidFile(_ project: Project, _ publicURL: String) -> Part {
        let json = JSON.object([
            ("server", .string(publicURL)), ("apiKey", .string(project.linkKey)),
            ("projectId", .string(project.projectID.text)),
            ("linkDomains", .array(project.linkDomains.map { .string($0.baseURL) })),
        ])
        let text = String(decoding: json.write(), as: UTF8.self)
        return Part(name: "homing-services.json", place: "src/main/assets/homing-services.json", text: text)
    }

    static func kotlin(_ project: Project, _ publicURL: String) -> Part {
        let values = [publicURL, project.linkKey] + project.linkDomains.map(\.baseURL)
        return Part(
            name: "Kotlin", place: "onCreate of the app's Application",
            text: """
                import homing.HomingApp

                HomingApp.configure(this, \(values.map { "\"\($0)\"" }.joined(separator: ", ")))
                """)
    }

    static func manifest(_ project: Project) -> [Part] {
        guard !project.linkDomains.isEmpty else { return [] }
        let data = project.linkDomains.map { domain -> HTML in
            let prefix: HTML = domain.prefix.isEmpty ? "" : " android:pathPrefix=\"\(domain.prefix)\""
            return "    <data android:scheme=\"https\" android:host=\"\(domain.host.text)\"\(prefix) />\n"
        }
        let text: HTML = """
            <intent-filter android:autoVerify="true">
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
            \(data)</intent-filter>
            """
        return [Part(name: "AndroidManifest.xml", place: "the activity that takes links", text: text.utf8Text)]
    }

    private static func array(_ texts: [String]) -> HTML {
        "<array>\n\(texts.map { "    <string>\($0)</string>\n" as HTML })</array>"
    }
}

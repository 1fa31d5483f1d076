// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore
import HomingTexts

/// The setup snippets of an app, for the links of its project: entitlements, property list, manifest.
struct AppLines {
    let app: RegisteredApp
    let project: Project

    init(_ app: RegisteredApp, in project: Project) {
        self.app = app
        self.project = project
    }

    private var domains: [LinkDomain] { project.linkDomains }

    var blocks: [HTML] {
        guard !domains.isEmpty else { return ["<p>Add a link domain first: the snippets name it.</p>"] }
        return app.platform == .apple ? apple : android
    }

    private var apple: [HTML] {
        let hosts = unique(domains.map(\.host.text))
        let services = ["applinks"] + (app.clipBundleID == nil ? [] : ["appclips"])
        let associated = services.flatMap { service in hosts.map { "    <string>\(service):\($0)</string>" } }
            .joined(separator: "\n")
        let custom = domains.map { "    <string>https://\($0.text)</string>" }.joined(separator: "\n")
        let scheme = app.customScheme ?? app.id
        return [
            "<h3>Entitlements</h3>",
            ConsoleLines(
                "entitlements",
                """
                <key>com.apple.developer.associated-domains</key>
                <array>
                \(associated)
                </array>
                """
            ).html,
            "<h3>Info.plist</h3>",
            ConsoleLines(
                "Info.plist",
                """
                <key>FirebaseDynamicLinksCustomDomains</key>
                <array>
                \(custom)
                </array>
                <key>CFBundleURLTypes</key>
                <array>
                    <dict>
                        <key>CFBundleURLSchemes</key>
                        <array><string>\(scheme)</string></array>
                    </dict>
                </array>
                """
            ).html,
        ]
    }

    private var android: [HTML] {
        let data = domains.map { domain in
            let prefix = domain.prefix.isEmpty ? "" : " android:pathPrefix=\"\(domain.prefix)\""
            return "    <data android:scheme=\"https\" android:host=\"\(domain.host.text)\"\(prefix) />"
        }.joined(separator: "\n")
        return [
            "<h3>AndroidManifest.xml, in the activity that takes links</h3>",
            ConsoleLines(
                "AndroidManifest.xml",
                """
                <intent-filter android:autoVerify="true">
                    <action android:name="android.intent.action.VIEW" />
                    <category android:name="android.intent.category.DEFAULT" />
                    <category android:name="android.intent.category.BROWSABLE" />
                \(data)
                </intent-filter>
                """
            ).html,
        ]
    }

    private func unique(_ texts: [String]) -> [String] {
        texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// The apps of an apple-app-site-association file: those that may open links, those that may fill in passwords, and App
/// Clips.
package struct AppleFile: Sendable, Equatable {
    /// `TEAMID.bundle.id`, from `appID` and `appIDs`.
    package private(set) var linkApps: Set<String> = []
    package private(set) var credentialApps: Set<String> = []
    package private(set) var clips: Set<String> = []

    /// Nil when the bytes are no JSON object.
    package init?(parsing bytes: [UInt8]) {
        guard let root = try? JSON.parse(bytes).objectValue else { return nil }
        for detail in root["applinks"]?.objectValue?["details"]?.arrayValue ?? [] {
            guard let detail = detail.objectValue else { continue }
            if let app = detail["appID"]?.stringValue { linkApps.insert(app) }
            linkApps.formUnion((detail["appIDs"]?.arrayValue ?? []).compactMap(\.stringValue))
        }
        func apps(of service: String) -> Set<String> {
            Set((root[service]?.objectValue?["apps"]?.arrayValue ?? []).compactMap(\.stringValue))
        }
        credentialApps = apps(of: "webcredentials")
        clips = apps(of: "appclips")
    }

    /// The differences between the served file and `expected`.
    package func differences(from expected: AppleFile, _ subject: String, path: String) -> [Finding] {
        var findings: [Finding] = []
        let missing = expected.linkApps.subtracting(linkApps).sorted()
        let extra = linkApps.subtracting(expected.linkApps).sorted()
        for app in missing {
            findings.append(
                .problem(
                    "APPLE_APP_MISSING", subject, "\(path) does not name \(app)\(Self.nearly(app, among: extra))",
                    "Serve the file from this server (pass \(path) through), or correct team and bundle id in the file."
                ))
        }
        for app in extra {
            findings.append(
                .warning(
                    "APPLE_APP_EXTRA", subject, "\(path) names \(Printable.ascii(app)), which is not registered here",
                    "Register it with homing app add apple, or take it out of the file."))
        }
        let credentials = expected.credentialApps.subtracting(credentialApps).sorted()
        if !credentials.isEmpty, missing.isEmpty {
            findings.append(
                .warning(
                    "APPLE_CREDENTIALS_MISSING", subject,
                    "\(path) lets \(credentials.joined(separator: ", ")) open links but not fill in passwords",
                    "Add them to webcredentials.apps, or serve the file from this server."))
        }
        for clip in expected.clips.subtracting(clips).sorted() {
            findings.append(
                .problem(
                    "APPLE_CLIP_MISSING", subject, "\(path) does not name the App Clip \(clip)",
                    "Add it to appclips.apps, or serve the file from this server."))
        }
        return findings
    }

    /// The usual mistake: the right bundle id under another team's id.
    private static func nearly(_ app: String, among others: [String]) -> String {
        let bundle = bundle(of: app)
        guard let other = others.first(where: { self.bundle(of: $0).utf8.elementsEqual(bundle.utf8) }) else {
            return ""
        }
        return ", but the same bundle id with the team id \(Printable.ascii(other.utf8.prefix { $0 != 0x2E }))"
    }

    private static func bundle(of app: String) -> Substring {
        guard let dot = app.utf8.firstIndex(of: 0x2E) else { return app[...] }
        return app[app.utf8.index(after: dot)...]
    }
}

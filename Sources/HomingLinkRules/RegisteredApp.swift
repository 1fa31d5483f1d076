// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// An app that may be named in a request, and for which files are served once it is registered.
package struct RegisteredApp: Sendable, Equatable, Codable {
    package enum Platform: String, Sendable, Codable {
        case apple, android
    }

    package let platform: Platform
    /// The bundle id or the package name.
    package let id: String
    package var teamID: String?
    package var appStoreID: String?
    package var customScheme: String?
    /// The bundle id of its App Clip.
    package var clipBundleID: String?
    /// Stores besides the Play Store, by ``AndroidStore/Name``: the app's id there, or the URL of its page. Nil for an
    /// app that is in none of them.
    package var stores: [String: String]?
    package var sha256: [String]
    package var sha1: [String]

    package init(
        platform: Platform, id: String, teamID: String? = nil, appStoreID: String? = nil, customScheme: String? = nil,
        clipBundleID: String? = nil, stores: [String: String]? = nil, sha256: [String] = [], sha1: [String] = []
    ) {
        self.platform = platform
        self.id = id
        self.teamID = teamID
        self.appStoreID = appStoreID
        self.customScheme = customScheme
        self.clipBundleID = clipBundleID
        self.stores = stores
        self.sha256 = sha256
        self.sha1 = sha1
    }

    /// The app's properties in one line, for the audit log.
    package var summary: String {
        let properties: [(String, String?)] = [
            ("team", teamID), ("App Store", appStoreID), ("scheme", customScheme),
            ("App Clip", clipBundleID),
            ("stores", stores == nil ? nil : storeValues.map { "\($0.name.rawValue)=\($1)" }.joined(separator: " ")),
            ("SHA-256", sha256.isEmpty ? nil : sha256.joined(separator: " ")),
            ("SHA-1", sha1.isEmpty ? nil : sha1.joined(separator: " ")),
        ]
        return properties.compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }

    /// Merges this app into the registered one: a nil property changes nothing, an empty text removes a value, and
    /// fingerprints join the registered ones.
    package func merged(into stored: RegisteredApp) -> RegisteredApp {
        var app = stored
        app.teamID = teamID ?? stored.teamID
        app.appStoreID = appStoreID.map { $0.isEmpty ? nil : $0 } ?? stored.appStoreID
        app.customScheme = customScheme.map { $0.isEmpty ? nil : $0 } ?? stored.customScheme
        app.clipBundleID = clipBundleID.map { $0.isEmpty ? nil : $0 } ?? stored.clipBundleID
        if let stores {
            let merged = (stored.stores ?? [:]).merging(stores) { $1 }.filter { !$0.value.isEmpty }
            app.stores = merged.isEmpty ? nil : merged
        }
        app.sha256 += sha256
        app.sha1 += sha1
        return app
    }

    /// What an operator types of an app, each of which can be wrong by itself.
    package enum Property: CaseIterable, Sendable {
        case id, teamID, appStoreID, customScheme, clip, stores, fingerprints
    }

    /// Refuses ids and fingerprints that no store would have issued.
    package func check(_ property: Property) throws(Refusal) {
        func matches(_ text: String?, _ lengths: ClosedRange<Int>, _ isAllowed: (UInt8) -> Bool) -> Bool {
            text.map { lengths.contains($0.utf8.count) && $0.utf8.allSatisfy(isAllowed) } ?? true
        }
        switch property {
        case .id:
            guard matches(id, 3...255, { ASCII.isBase64URL($0) || $0 == UInt8(ascii: ".") }), id.contains("."),
                !id.hasPrefix("."), !id.hasSuffix(".")
            else {
                throw .invalidSetting(
                    "an app id looks like com.example.app"
                        + (id.isEmpty ? "" : ", which \(Printable.given(id)) does not"))
            }
        case .teamID:
            guard matches(teamID, 10...10, { ASCII.isUppercaseLetter($0) || ASCII.isDigit($0) }) else {
                throw .invalidSetting(
                    "a team id is ten capital letters and digits, which "
                        + "\(Printable.given(teamID ?? "")) is not")
            }
        case .appStoreID:
            guard matches(appStoreID, 6...15, ASCII.isDigit) else {
                throw .invalidSetting(
                    "an App Store id is 6 to 15 digits, which "
                        + "\(Printable.given(appStoreID ?? "")) is not")
            }
        case .customScheme:
            guard let customScheme else { return }
            guard (2...64).contains(customScheme.utf8.count), CustomSchemeLink.isScheme(customScheme) else {
                throw .invalidSetting(
                    "a URL scheme is a letter and then letters, digits, +, - and ., which "
                        + "\(Printable.given(customScheme)) is not")
            }
        case .clip:
            // Apple takes no other: the part behind the app's own id is the clip's.
            guard let clipBundleID else { return }
            guard matches(clipBundleID, 3...255, { ASCII.isBase64URL($0) || $0 == UInt8(ascii: ".") }),
                clipBundleID.utf8.starts(with: "\(id).".utf8), !clipBundleID.hasSuffix(".")
            else {
                throw .invalidSetting(
                    "an App Clip's bundle id is \(Printable.given(id)) and more behind it, such as "
                        + "\(Printable.given(id)).Clip, which \(Printable.given(clipBundleID)) is not")
            }
        case .stores:
            for name in (stores ?? [:]).keys.sorted() where AndroidStore.Name(rawValue: name) == nil {
                throw .invalidSetting("\(Printable.given(name)) is no store; known are \(AndroidStore.accepted)")
            }
            for (store, value) in storeValues { try store.check(value, of: id) }
        case .fingerprints:
            let sha256 = try Self.fingerprints(sha256, bytes: 32)
            _ = try Self.fingerprints(sha1, bytes: 20)
            if platform == .android, sha256.isEmpty {
                throw .invalidSetting(
                    "an Android app needs the SHA-256 fingerprint of its signing certificate: --sha256")
            }
        }
    }

    /// The app with its fingerprints in their one spelling.
    package func validated() throws(Refusal) -> RegisteredApp {
        for property in Property.allCases { try check(property) }
        var app = self
        app.sha256 = try Self.fingerprints(sha256, bytes: 32)
        app.sha1 = try Self.fingerprints(sha1, bytes: 20)
        return app
    }

    /// The fingerprints in their one spelling, each once.
    package static func fingerprints(_ texts: [String], bytes: Int) throws(Refusal) -> [String] {
        guard texts.count <= 40 else {
            throw .invalidSetting("an app has at most 40 fingerprints of a kind; these are \(texts.count)")
        }
        var prints: [String] = []
        for text in texts {
            let print = try fingerprint(text, bytes: bytes)
            if !prints.contains(print) { prints.append(print) }
        }
        return prints
    }

    /// Two hex digits a byte, with or without colons; kept upper case with colons.
    private static func fingerprint(_ text: String, bytes: Int) throws(Refusal) -> String {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        guard digits.count == bytes * 2, digits.allSatisfy(Hexadecimal.isDigit) else {
            throw .invalidSetting("\(Printable.given(text)) is not a fingerprint of \(bytes) bytes in hex")
        }
        let upper = String(decoding: digits, as: UTF8.self).uppercased()
        let pairs = stride(from: 0, to: bytes * 2, by: 2).map { start in
            String(decoding: Array(upper.utf8)[start..<(start + 2)], as: UTF8.self)
        }
        return pairs.joined(separator: ":")
    }
}

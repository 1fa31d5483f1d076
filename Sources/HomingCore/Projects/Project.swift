// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// One app family: its name, its API keys, its apps and the domains to which people may return. A tenant of it is one
/// more, with the same keys, apps and domains.
///
/// A class, because every request hands its project on several times: that counts one reference and not one for each
/// part, all of which the threads of all requests share.
package final class Project: Sendable, Equatable {
    /// What its rows are kept under; of a tenant ``Tenant/scope``.
    package let scope: Scope
    /// Twelve digits, as `project_id` of the token answer carries them.
    package let number: String
    package let name: String
    package let settings: ProjectSettings
    /// All that there ever were, the oldest first.
    package let allKeys: [APIKey]
    package let authorizedDomains: [AuthorizedDomain]
    package let apps: [RegisteredApp]
    /// In the order in which they were added.
    package let linkDomains: [LinkDomain]
    package let templates: TemplateShelf
    package let brand: Brand
    /// Of all its sender domains, by domain and age.
    package let senderDomainKeys: [SenderDomainKey]
    /// The tenant that this is; nil for a project.
    package let tenant: Tenant?
    package let hasTenants: Bool

    package init(
        scope: Scope, number: String, name: String, settings: ProjectSettings = ProjectSettings(),
        allKeys: [APIKey] = [],
        authorizedDomains: [AuthorizedDomain] = [], apps: [RegisteredApp] = [], linkDomains: [LinkDomain] = [],
        templates: TemplateShelf = TemplateShelf(), brand: Brand = Brand(),
        senderDomainKeys: [SenderDomainKey] = [], tenant: Tenant? = nil, hasTenants: Bool = false
    ) {
        self.scope = scope
        self.number = number
        self.name = name
        self.settings = settings
        self.allKeys = allKeys
        self.authorizedDomains = authorizedDomains
        self.apps = apps
        self.linkDomains = linkDomains
        self.templates = templates
        self.brand = brand
        self.senderDomainKeys = senderDomainKeys
        self.tenant = tenant
        self.hasTenants = hasTenants
    }

    /// The same project with other settings.
    package func with(_ settings: ProjectSettings) -> Project {
        Project(
            scope: scope, number: number, name: name, settings: settings, allKeys: allKeys,
            authorizedDomains: authorizedDomains, apps: apps, linkDomains: linkDomains, templates: templates,
            brand: brand, senderDomainKeys: senderDomainKeys, tenant: tenant, hasTenants: hasTenants)
    }

    /// Compares every property: a change of one that were missing here would not be taken over by
    /// ``Projects/reload()``.
    package static func == (left: Project, right: Project) -> Bool {
        (left.scope, left.number, left.name, left.settings, left.tenant, left.hasTenants)
            == (right.scope, right.number, right.name, right.settings, right.tenant, right.hasTenants)
            && (left.allKeys, left.authorizedDomains, left.apps, left.linkDomains, left.templates, left.brand)
                == (right.allKeys, right.authorizedDomains, right.apps, right.linkDomains, right.templates, right.brand)
            && left.senderDomainKeys == right.senderDomainKeys
    }

    /// The id in paths and tokens: of a tenant that of its project.
    package var projectID: ProjectID { tenant?.project ?? ProjectID(scope.text) }

    /// Whether a tenant lets nobody in (`disableAuth`).
    package var isDisabled: Bool { tenant?.isDisabled ?? false }

    /// The link domain for links that name none: the first one on which a link can arrive.
    package var defaultLinkDomain: LinkDomain? {
        linkDomains.first { !$0.isGoogles } ?? linkDomains.first
    }

    /// The keys in force, the oldest first.
    package var apiKeys: [APIKey] { allKeys.filter { $0.revokedAt == nil } }

    /// The API key in links: of the keys in force the one that was chosen last, else the oldest.
    package var linkKey: String {
        apiKeys.min { ($0.chosenAt?.milliseconds ?? 0) > ($1.chosenAt?.milliseconds ?? 0) }?.text ?? ""
    }
}

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
    package var sha256: [String]
    package var sha1: [String]

    package init(
        platform: Platform, id: String, teamID: String? = nil, appStoreID: String? = nil, customScheme: String? = nil,
        sha256: [String] = [], sha1: [String] = []
    ) {
        self.platform = platform
        self.id = id
        self.teamID = teamID
        self.appStoreID = appStoreID
        self.customScheme = customScheme
        self.sha256 = sha256
        self.sha1 = sha1
    }

    /// The app's properties in one line, for the audit log.
    var summary: String {
        let properties: [(String, String?)] = [
            ("team", teamID), ("App Store", appStoreID), ("scheme", customScheme),
            ("SHA-256", sha256.isEmpty ? nil : sha256.joined(separator: " ")),
            ("SHA-1", sha1.isEmpty ? nil : sha1.joined(separator: " ")),
        ]
        return properties.compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }

    /// Merges this app into the registered one: a nil property changes nothing, an empty text removes a value, and
    /// fingerprints join the registered ones.
    func merged(into stored: RegisteredApp) -> RegisteredApp {
        var app = stored
        app.teamID = teamID ?? stored.teamID
        app.appStoreID = appStoreID.map { $0.isEmpty ? nil : $0 } ?? stored.appStoreID
        app.customScheme = customScheme.map { $0.isEmpty ? nil : $0 } ?? stored.customScheme
        app.sha256 += sha256
        app.sha1 += sha1
        return app
    }

    /// What an operator types of an app, each of which can be wrong by itself.
    package enum Property: CaseIterable, Sendable {
        case id, teamID, appStoreID, customScheme, fingerprints
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
    static func fingerprints(_ texts: [String], bytes: Int) throws(Refusal) -> [String] {
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

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
package import HomingProjects
package import HomingStore
import HomingWire

/// The fields of Firebase's ActionCodeSettings in a request, checked: the link's target and the app that opens it.
package struct ActionCodeSettings: Sendable, Equatable {
    package var continueURL: String?
    package var handlesCodeInApp = false
    package var iosBundleID: String?
    package var androidPackageName: String?
    package var installsAndroidApp = false
    /// The lowest version code, in digits.
    package var androidMinimumVersion: String?
    /// The project's link domain that wraps the link, in its stored spelling; nil when nothing is wrapped.
    package var linkDomain: String?
    /// Whether the link takes the form of Dynamic Links, `/?link=`.
    package var usesDynamicLinkForm = false
    /// The members of the request that only qualify the link and could not be used: the link is made without them.
    package var leftOut: [String] = []

    package init() {}

    package var namesApp: Bool { iosBundleID != nil || androidPackageName != nil }

    /// Whether the app that is named gets the link from the page only, because no link domain opens it at once.
    package var lacksLinkDomain: Bool { handlesCodeInApp && namesApp && linkDomain == nil }

    /// Apps that the settings name and that no association file and no redirect will ever name.
    package func unregisteredApps(in project: Project) -> [String] {
        [iosBundleID, androidPackageName].compactMap(\.self).filter { name in
            !project.apps.contains { $0.id.utf8.elementsEqual(name.utf8) }
        }
    }

    /// The settings of a request before they are checked.
    package struct Asked: Sendable {
        package var continueURL: String?
        package var handlesCodeInApp = false
        package var iosBundleID: String?
        package var iosAppStoreID: String?
        package var androidPackageName: String?
        package var installsAndroidApp: String?
        package var androidMinimumVersion: String?
        package var linkDomain: String?
        package var dynamicLinkDomain: String?

        package init() {}
    }

    /// Checks in production's order: continue URL, its domain, link domains, missing fields.
    ///
    /// What names an app or its version only qualifies the link, and apps that are shipped cannot be changed: what
    /// cannot be used of it is left out.
    package init(_ asked: Asked, in project: Project) throws(Refusal) {
        if let text = asked.continueURL {
            guard !text.isEmpty else { throw .invalidContinueURI("Missing domain in continue url") }
            continueURL = try ContinueURL(parsing: text, for: project).text
        }
        let named = try Self.namedDomain(asked, in: project)
        if asked.handlesCodeInApp, continueURL == nil { throw .missingContinueURI(member: "continueUrl") }
        handlesCodeInApp = asked.handlesCodeInApp
        let installs = usable(asked.installsAndroidApp, "androidInstallApp", Self.flag) ?? false
        func isThere(_ text: String?) -> Bool { text?.isEmpty == false }
        if !isThere(asked.androidPackageName), installs || isThere(asked.androidMinimumVersion) {
            throw .missingAndroidPackageName
        }
        if !isThere(asked.iosBundleID), isThere(asked.iosAppStoreID) { throw .missingIOSBundleID }
        iosBundleID = usable(asked.iosBundleID, "iOSBundleId", Self.appID)
        androidPackageName = usable(asked.androidPackageName, "androidPackageName", Self.appID)
        if androidPackageName != nil {
            installsAndroidApp = installs
            androidMinimumVersion = usable(asked.androidMinimumVersion, "androidMinimumVersion", Self.versionCode)
        }
        guard namesApp, let domain = named ?? project.defaultLinkDomain else { return }
        linkDomain = domain.text
        usesDynamicLinkForm =
            asked.linkDomain == nil && (asked.dynamicLinkDomain != nil || project.settings.prefersDynamicLinks)
    }

    private static func namedDomain(_ asked: Asked, in project: Project) throws(Refusal) -> LinkDomain? {
        func owned(_ text: String) -> LinkDomain? {
            guard let domain = try? LinkDomain(parsing: text) else { return nil }
            return project.linkDomains.first { $0 == domain }
        }
        var named: LinkDomain?
        if let text = asked.dynamicLinkDomain {
            guard !project.linkDomains.isEmpty else { throw .dynamicLinkNotActivated }
            named = owned(text)
            if named == nil { throw .invalidDynamicLinkDomain }
        }
        if let text = asked.linkDomain {
            named = owned(text)
            if named == nil { throw .invalidHostingLinkDomain }
        }
        return named
    }

    /// A value that only qualifies the link, as it can be used; one that cannot be is left out.
    private mutating func usable<Value>(
        _ text: String?, _ member: String, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text, !text.isEmpty else { return nil }
        if text.utf8.count <= 1024, let value = parse(String(ASCII.trimmed(text))) { return value }
        leftOut.append(member)
        return nil
    }

    /// A version code, which is a string on the page and an integer in `amv`.
    private static func versionCode(_ text: String) -> String? {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit), let version = Int(text),
            version <= 2_147_483_647
        else { return nil }
        return String(version)
    }

    private static func appID(_ text: String) -> String? {
        guard (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ ASCII.isLetterOrDigit($0) || "._-".utf8.contains($0) })
        else { return nil }
        return text
    }

    private static func flag(_ text: String) -> Bool? {
        switch text {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    // MARK: In the database

    /// The JSON in the code's row; nil when there is nothing to keep.
    var stored: String? {
        guard self != ActionCodeSettings() else { return nil }
        var object = JSON.Object()
        object["continueURL"] = continueURL.map { .string($0) }
        object["handlesCodeInApp"] = .bool(handlesCodeInApp)
        object["iosBundleID"] = iosBundleID.map { .string($0) }
        object["androidPackageName"] = androidPackageName.map { .string($0) }
        object["installsAndroidApp"] = .bool(installsAndroidApp)
        object["androidMinimumVersion"] = androidMinimumVersion.map { .string($0) }
        object["linkDomain"] = linkDomain.map { .string($0) }
        object["usesDynamicLinkForm"] = .bool(usesDynamicLinkForm)
        if !leftOut.isEmpty { object["leftOut"] = .array(leftOut.map { .string($0) }) }
        return object.stored
    }

    init(stored: String?) throws {
        self.init()
        guard let stored else { return }
        let object = try JSON.Object(stored: stored)
        continueURL = object["continueURL"]?.stringValue
        handlesCodeInApp = object["handlesCodeInApp"]?.boolValue ?? false
        iosBundleID = object["iosBundleID"]?.stringValue
        androidPackageName = object["androidPackageName"]?.stringValue
        installsAndroidApp = object["installsAndroidApp"]?.boolValue ?? false
        androidMinimumVersion = object["androidMinimumVersion"]?.stringValue
        linkDomain = object["linkDomain"]?.stringValue
        usesDynamicLinkForm = object["usesDynamicLinkForm"]?.boolValue ?? false
        leftOut = object["leftOut"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
}

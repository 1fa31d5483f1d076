// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

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

    package init() {}

    package var namesApp: Bool { iosBundleID != nil || androidPackageName != nil }

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
        package var installsAndroidApp = false
        package var androidMinimumVersion: String?
        package var linkDomain: String?
        package var dynamicLinkDomain: String?

        package init() {}
    }

    /// Checks in production's order: continue URL, its domain, link domains, missing fields.
    package init(_ asked: Asked, in project: Project) throws(Refusal) {
        if let text = asked.continueURL {
            guard !text.isEmpty else { throw .invalidContinueURI("Missing domain in continue url") }
            continueURL = try ContinueURL(parsing: text, allowedBy: project.authorizedDomains).text
        }
        let named = try Self.namedDomain(asked, in: project)
        if asked.handlesCodeInApp, continueURL == nil { throw .missingContinueURI(member: "continueUrl") }
        let package = asked.androidPackageName.flatMap { $0.isEmpty ? nil : $0 }
        let bundle = asked.iosBundleID.flatMap { $0.isEmpty ? nil : $0 }
        if package == nil, asked.installsAndroidApp || asked.androidMinimumVersion?.isEmpty == false {
            throw .missingAndroidPackageName
        }
        if bundle == nil, asked.iosAppStoreID?.isEmpty == false { throw .missingIOSBundleID }
        androidMinimumVersion = try Self.minimumVersion(asked.androidMinimumVersion)
        try Self.checkAppID(package) { .invalidArgument("androidPackageName is not a package name: \($0)") }
        try Self.checkAppID(bundle) { .invalidArgument("iOSBundleId is not a bundle id: \($0)") }
        handlesCodeInApp = asked.handlesCodeInApp
        iosBundleID = bundle
        androidPackageName = package
        installsAndroidApp = asked.installsAndroidApp
        guard namesApp else { return }
        guard let domain = named ?? project.defaultLinkDomain else {
            if handlesCodeInApp { throw .dynamicLinkNotActivated }
            return
        }
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

    /// A version code, which is a string on the page and an integer in `amv`; any other text is refused.
    private static func minimumVersion(_ text: String?) throws(Refusal) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= 10, text.utf8.allSatisfy({ ASCII.isDigit($0) }), let version = Int(text),
            version <= 2_147_483_647
        else { throw .invalidMinimumVersion(String(text.prefix(40))) }
        return String(version)
    }

    private static func checkAppID(_ id: String?, else refusal: (String) -> Refusal) throws(Refusal) {
        guard let id else { return }
        let isFine =
            id.utf8.count <= 255
            && id.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || "._-".utf8.contains($0) }
        guard isFine else { throw refusal(String(id.prefix(80))) }
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
    }
}

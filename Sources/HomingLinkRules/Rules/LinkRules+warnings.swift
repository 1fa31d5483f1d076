// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
package import HomingWire

/// The warnings about links that work, but not as their authors think.
extension LinkRules {
    /// The observations of a long link's reader besides the parameters.
    package struct Findings: Sendable, Equatable {
        /// Names that mean nothing in a dynamic link.
        package var unknown: [String]
        /// Names that are kept for old links only.
        package var deprecated: [String]
        /// The flags among `d` and `ad` that are neither 0 nor 1.
        package var malformedFlags: [String]
        /// Whether the dynamic link itself ended in a `#` part, which no server ever sees.
        package var hasFragment: Bool

        package init(
            unknown: [String] = [], deprecated: [String] = [], malformedFlags: [String] = [], hasFragment: Bool = false
        ) {
            self.unknown = unknown
            self.deprecated = deprecated
            self.malformedFlags = malformedFlags
            self.hasFragment = hasFragment
        }

        package init(_ query: DynamicLinkQuery, hasFragment: Bool = false) {
            self.init(
                unknown: query.unknown, deprecated: query.deprecated, malformedFlags: query.malformedFlags,
                hasFragment: hasFragment)
        }
    }

    /// The warnings of a link that ``check(_:)`` has let through, in a fixed order.
    package func warnings(
        _ parameters: DynamicLinkParameters, finding findings: Findings = Findings()
    ) -> [DynamicLinkWarning] {
        android(parameters) + apple(parameters.ios) + fallbacks(parameters) + image(parameters.social.imageLink)
            + general(findings)
    }

    /// A link without one of its fallbacks is a link all the same.
    private func fallbacks(_ parameters: DynamicLinkParameters) -> [DynamicLinkWarning] {
        faults(ofFallbacksIn: parameters).map { fault in
            DynamicLinkWarning(
                code: fault.code ?? .unrecognizedParam,
                message: "\(fault.sentence). It is left out: the next fallback of its devices is used",
                remedy: fault.remedy)
        }
    }

    private func android(_ parameters: DynamicLinkParameters) -> [DynamicLinkWarning] {
        let android = parameters.android
        var warnings: [DynamicLinkWarning] = []
        func warn(_ code: DynamicLinkWarning.Code, _ message: String, remedy: Remedy? = nil) {
            warnings.append(DynamicLinkWarning(code: code, message: message, remedy: remedy))
        }
        if let package = android.packageName, project.app(.android, package) == nil {
            warn(
                .notInProjectAndroidPackageName,
                "apn names an Android app that is not registered; Android is sent to the web", remedy: .addAndroidApp)
        }
        if let version = android.minimumVersion {
            if LinkResolution.versionCode(version) == nil {
                warn(.notIntegerAndroidPackageMinVersion, "amv is not a version code and is ignored; write an integer")
            }
            if android.packageName == nil {
                warn(.unnecessaryAndroidPackageMinVersion, "amv says nothing without apn; leave it out or name the app")
            }
        }
        if let link = android.link {
            if ASCII.areEqual(link, parameters.link) {
                warn(.unnecessaryAndroidLink, "al is the same as link; leave it out")
            } else if !LinkTarget.hasScheme(link) || !WebURL.holdsOnlyAllowedBytes(link) {
                warn(.notURIAndroidLink, "al is no URL and is not used; leave it out")
            }
        }
        return warnings
    }

    /// A preview without its image is a preview all the same.
    private func image(_ link: String?) -> [DynamicLinkWarning] {
        guard let link else { return [] }
        var fault = WebURLFault.insecureScheme
        do throws(WebURLFault) {
            guard try WebURL(parsing: link).scheme != .https else { return [] }
        } catch {
            fault = error
        }
        let code = fault == .tooLong ? .tooLongParam : LinkTarget.image.code(for: fault, in: link)
        return code.map { [DynamicLinkWarning(code: $0, message: "si is not shown: give an https URL of an image")] }
            ?? []
    }

    private func apple(_ ios: DynamicLinkParameters.IOS) -> [DynamicLinkWarning] {
        var warnings: [DynamicLinkWarning] = []
        func warn(_ code: DynamicLinkWarning.Code, _ message: String, remedy: Remedy? = nil) {
            warnings.append(DynamicLinkWarning(code: code, message: message, remedy: remedy))
        }
        let app = ios.bundleID.flatMap { project.app(.apple, $0) }
        let ipadApp = ios.ipadBundleID.flatMap { project.app(.apple, $0) }
        if ios.bundleID != nil, app == nil {
            warn(
                .notInProjectIOSBundleID,
                "ibi names an Apple app that is not registered; iPhones are sent to the web", remedy: .addAppleApp)
        }
        if ios.ipadBundleID != nil, ipadApp == nil {
            warn(
                .notInProjectIPadBundleID,
                "ipbi names an Apple app that is not registered; iPads are sent to the web", remedy: .addAppleApp)
        }
        for (name, app) in [("ibi", app), ("ipbi", ipadApp)] where app != nil && app?.teamID == nil {
            warn(
                .unrecognizedParam,
                "The app of \(name) has no team id, so no system opens it by itself", remedy: .setTeamID)
        }
        let namesNoApp = ios.bundleID == nil && ios.ipadBundleID == nil
        if let scheme = ios.customScheme {
            if namesNoApp {
                warn(.unnecessaryIOSURLScheme, "ius says nothing without ibi or ipbi; leave it out or name the app")
            } else if ![app, ipadApp].contains(where: { $0.map { AppScheme(scheme, of: $0) != nil } ?? false }) {
                warn(
                    .unrecognizedParam,
                    "ius is not the registered URL scheme of the app and is not used", remedy: .setCustomScheme)
            }
        }
        if let store = ios.appStoreID {
            if store.utf8.isEmpty || !store.utf8.allSatisfy(ASCII.isDigit) {
                warn(.notNumericIOSAppStoreID, "isi is not a number and is ignored; write the App Store's number")
            } else if namesNoApp {
                warn(.unnecessaryIOSAppStoreID, "isi says nothing without ibi or ipbi; leave it out or name the app")
            } else if ![app, ipadApp].contains(where: { $0?.appStoreID.map { ASCII.areEqual($0, store) } ?? false }) {
                warn(
                    .notMatchingIOSBundleIDAndStoreID,
                    "isi is not the registered App Store id of the app and is ignored", remedy: .setAppStoreID)
            }
        }
        return warnings
    }

    private func general(_ findings: Findings) -> [DynamicLinkWarning] {
        var warnings: [DynamicLinkWarning] = []
        warnings += findings.malformedFlags.map { name in
            DynamicLinkWarning(
                code: ASCII.areEqual(name, "ad") ? .badAdParam : .badDebugParam,
                message: "\(Self.shown(name)) is neither 0 nor 1 and is ignored")
        }
        warnings += findings.deprecated.map { name in
            DynamicLinkWarning(
                code: .deprecatedParam,
                message: "\(Self.shown(name)) is kept for old links only and does nothing; leave it out")
        }
        warnings += findings.unknown.map { name in
            DynamicLinkWarning(
                code: .unrecognizedParam,
                message: "\(Self.shown(name)) is no parameter of a link; what belongs to the payload must be "
                    + "percent-encoded inside link")
        }
        if findings.hasFragment {
            warnings.append(
                DynamicLinkWarning(
                    code: .linkWithFragments,
                    message: "What follows a # never reaches the server; percent-encode the payload inside link"))
        }
        return warnings
    }

    /// A name from outside, with codes masked and cut to the length that a sentence can hold.
    private static func shown(_ name: String) -> String {
        let text = String(
            decoding: SecretMask.masked(name).utf8.prefix(64).filter { ASCII.isVisible($0) }, as: UTF8.self)
        return text.isEmpty ? "A parameter" : text
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// A link on a link domain around another link, so that a tap opens the app.
///
/// The inner link is percent-encoded whole and once: Firebase's iOS client decodes a query twice, and anything less
/// would tear a continue URL with a query of its own to pieces.
public enum WrappedLink {
    /// The greatest length of a link that a URL carries percent-encoded, so that the URL still fits into the head of a
    /// request: servers take 16 KiB, in HTTP/2 for all fields together.
    package static let mostEncodedBytes = 12_288

    /// Whether a link is short enough to be carried in the query of another URL, and to be opened itself.
    package static func isCarried(_ link: String) -> Bool { percentEncoded(link).utf8.count <= mostEncodedBytes }

    /// The form that Firebase's current clients accept: `{base}/__/auth/links?link=…`.
    ///
    /// - Parameters:
    ///   - link: the URL for the app.
    ///   - base: scheme, host and prefix of the link domain without a slash at the end.
    /// - Returns: the wrapped link.
    public static func authLink(_ link: String, base: String) -> String {
        "\(base)/__/auth/links?link=\(percentEncoded(link))"
    }

    /// The form of Dynamic Links: `{base}/?link=…&apn=&amv=&ibi=&ifl=&afl=`, without parameters that have no value.
    ///
    /// A device without the app opens the inner link (`ifl`, `afl`), unless the Android app is to be installed. There
    /// is no `isi`: after a detour through the App Store the code would be lost.
    ///
    /// - Parameters:
    ///   - link: the URL for the app.
    ///   - base: scheme, host and prefix of the link domain without a slash at the end.
    ///   - apps: the apps that may open the link.
    /// - Returns: the wrapped link.
    public static func dynamicLink(_ link: String, base: String, apps: Apps) -> String {
        let link = percentEncoded(link)
        var url = "\(base)/?link=\(link)"
        if let package = apps.androidPackageName {
            url += "&apn=\(percentEncoded(package))"
            if let version = apps.androidMinimumVersion { url += "&amv=\(percentEncoded(version))" }
        }
        if let bundle = apps.iosBundleID { url += "&ibi=\(percentEncoded(bundle))&ifl=\(link)" }
        if apps.androidPackageName != nil, !apps.installsAndroidApp { url += "&afl=\(link)" }
        return url
    }

    /// The apps that a wrapped link may open.
    public struct Apps: Sendable, Equatable {
        /// The Android app; nil when there is none.
        public var androidPackageName: String?
        /// The lowest version code of the Android app that understands the link, in decimal digits.
        public var androidMinimumVersion: String?
        /// Whether a device without the Android app goes to the store.
        public var installsAndroidApp: Bool
        /// The Apple app; nil when there is none.
        public var iosBundleID: String?

        /// Only the named apps.
        public init(
            androidPackageName: String? = nil, androidMinimumVersion: String? = nil, installsAndroidApp: Bool = false,
            iosBundleID: String? = nil
        ) {
            self.androidPackageName = androidPackageName
            self.androidMinimumVersion = androidMinimumVersion
            self.installsAndroidApp = installsAndroidApp
            self.iosBundleID = iosBundleID
        }
    }
}

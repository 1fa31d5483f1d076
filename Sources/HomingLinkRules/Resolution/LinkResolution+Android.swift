// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// The plans for Android.
extension LinkResolution {
    func android(isWebView: Bool, store: AndroidStore.Name?) -> LinkPlan {
        let fallback = androidFallback(on: store)
        guard let app = androidApp, let fallback, let intent = intentURL(app, fallback: fallback.url)
        else { return plan(fallback) }
        guard isWebView else { return .redirect(to: intent, .app) }
        guard !link.parameters.forcesRedirect, !wasAsked else { return plan(fallback) }
        return .page(page(button: intent, .intent, fallback: fallback, app: nil, in: .androidAppWindow))
    }

    /// The registered app that `apn` names.
    var androidApp: RegisteredApp? {
        link.parameters.android.packageName.flatMap { project.app(.android, $0) }
    }

    /// The destination where the app is absent: `afl`, a store, `link`.
    func androidFallback(on store: AndroidStore.Name? = nil) -> Destination? {
        if let url = usable(link.parameters.android.fallbackLink, unless: .leavesOutAndroidFallback) {
            return fallback(url)
        }
        return androidApp.map { Destination(url: $0.storePage(on: store) ?? playURL($0), kind: .store) } ?? payload
    }

    /// Parses a version code: digits, up to the 2,100,000,000 that the Play Store takes; zero is any version.
    static func versionCode(_ text: String) -> Int? {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy(ASCII.isDigit), let code = Int(text),
            code <= 2_100_000_000
        else { return nil }
        return code
    }

    /// What a newly installed app reads through the Install Referrer API (``InstallReferrer``): the payload that a browser
    /// would get; where there is a campaign its pairs first, which is where the Play Console and analytics read them.
    private var referrer: String {
        guard !handler.carriesCode(link.parameters.link) else { return link.parameters.link }
        let passed = link.passed.campaign
        let own = link.parameters.campaign.parameters.filter { pair in
            !passed.contains { ASCII.areEqual($0.name, pair.name) }
        }
        return InstallReferrer.text(
            campaign: passed.map(\.piece) + own.map { "\($0.name)=\(percentEncoded($0.value))" }, link: webPayload)
    }

    /// The Play Store's page with the referrer, percent-encoded once.
    private func playURL(_ app: RegisteredApp) -> String {
        let referrer = percentEncoded(referrer)
        var url = ""
        url.reserveCapacity(referrer.utf8.count + app.id.utf8.count + 96)
        url += "https://play.google.com/store/apps/details?id="
        url += percentEncoded(app.id)
        url += "&referrer="
        url += referrer
        if let version = link.parameters.android.minimumVersion.flatMap(Self.versionCode), version > 0 {
            url += "&min_version=\(version)"
        }
        return url
    }

    /// The link's own URL for exactly one package, as browsers on Android follow it: the app gets the same URL as from
    /// a tap that the system handles. Everything behind `#Intent;` is ours; nothing before it can hold `#` or `;`.
    private func intentURL(_ app: RegisteredApp, fallback: String) -> String? {
        let schemes = [WebURL.Scheme.https, .http]
        guard let scheme = schemes.first(where: { url.utf8.starts(with: "\($0.rawValue)://".utf8) }) else { return nil }
        let rest = Substring(url.utf8.dropFirst(scheme.rawValue.utf8.count + "://".utf8.count))
        let fallback = percentEncoded(fallback)
        var intent = ""
        intent.reserveCapacity(rest.utf8.count + app.id.utf8.count + fallback.utf8.count + 96)
        intent += "intent://"
        intent += Self.contained(rest)
        intent += "#Intent;scheme="
        intent += scheme.rawValue
        intent += ";package="
        intent += percentEncoded(app.id)
        intent += ";S.browser_fallback_url="
        intent += fallback
        intent += ";end"
        return intent
    }

    /// Percent-encodes every byte that is not a letter, a digit or one of `-._~/?&=+:@,`; existing encodings stay.
    package static func contained(_ text: Substring) -> String {
        guard !text.utf8.allSatisfy({ isPlain($0) }) else { return String(text) }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if isPlain(byte) || byte == UInt8(ascii: "%") && isEscape(bytes[index...].prefix(3)) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), Hexadecimal.upperDigit(byte >> 4), Hexadecimal.upperDigit(byte & 0xF)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 3 && bytes.dropFirst().allSatisfy(Hexadecimal.isDigit)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || "-._~/?&=+:@,".utf8.contains(byte)
    }
}

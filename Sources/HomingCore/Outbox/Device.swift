// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingStore
import HomingWire

/// The kind of device on which somebody acted, as far as the User-Agent header tells: enough for its owner to recognise
/// it in a notice, and nothing that would tell two people apart. No word of the header is ever kept.
package struct Device: Sendable, Equatable {
    package enum Browser: String, Sendable, CaseIterable {
        case chrome = "Chrome"
        case edge = "Edge"
        case firefox = "Firefox"
        case opera = "Opera"
        case safari = "Safari"
        case samsungInternet = "Samsung Internet"
    }

    package enum System: String, Sendable, CaseIterable {
        case android = "Android"
        case chromeOS = "ChromeOS"
        case iPad = "iPad"
        case iPhone = "iPhone"
        case linux = "Linux"
        case mac = "Mac"
        /// Apple's browser on an iPad names itself a Mac's.
        case macOrIPad = "Mac / iPad"
        case windows = "Windows"
    }

    /// Nil for an app.
    package let browser: Browser?
    package let system: System

    package init(browser: Browser?, system: System) {
        self.browser = browser
        self.system = system
    }

    /// - Returns: nil for a header that names no device, such as the header of a back end's HTTP client.
    package init?(userAgent: String?) {
        guard let userAgent, userAgent.utf8.count <= Visitor.maximumLength,
            let system = Self.systems.first(where: { ASCII.contains(userAgent, $0.mark) })?.system
        else { return nil }
        // Browsers with an engine of their own name that engine.
        let mayBeIPad =
            system == .mac && ASCII.contains(userAgent, "AppleWebKit/") && !ASCII.contains(userAgent, "Chrome/")
        self.init(
            browser: Self.browsers.first { ASCII.contains(userAgent, $0.mark) }?.browser,
            system: mayBeIPad ? .macOrIPad : system)
    }

    /// The first mark that is found decides, because phones also name Linux and Mac OS.
    private static let systems: [(mark: String, system: System)] = [
        ("iPhone", .iPhone), ("iPod", .iPhone), ("iPad", .iPad), ("Android", .android), ("CrOS", .chromeOS),
        ("Macintosh", .mac), ("Windows", .windows), ("Linux", .linux),
    ]

    /// Nearly all browsers name Chrome and Safari, too, so these two come last.
    private static let browsers: [(mark: String, browser: Browser)] = [
        ("Edg/", .edge), ("EdgA/", .edge), ("EdgiOS/", .edge), ("OPR/", .opera), ("OPT/", .opera),
        ("SamsungBrowser/", .samsungInternet), ("FxiOS/", .firefox), ("Firefox/", .firefox), ("CriOS/", .chrome),
        ("Chrome/", .chrome), ("Safari/", .safari),
    ]
}

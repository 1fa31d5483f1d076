// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingOperations

/// A kind of device that the doctor imitates when it follows a link.
package enum DoctorDevice: String, Sendable, CaseIterable, Codable {
    case iPhone, android, desktop

    package var name: String {
        switch self {
        case .iPhone: "an iPhone"
        case .android: "an Android phone"
        case .desktop: "a computer"
        }
    }

    /// The User-Agent header of its browser.
    package var userAgent: String {
        switch self {
        case .iPhone:
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/18.5 Mobile/15E148 Safari/604.1"
        case .android:
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile "
                + "Safari/537.36"
        case .desktop:
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 "
                + "Safari/537.36"
        }
    }
}

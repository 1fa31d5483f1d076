// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore

/// A kind of device in words: `Chrome on Windows`, or `Android` for an app.
package enum DeviceInWords {
    package static func words(_ device: Device, in language: Language) -> String {
        let system = device.system.rawValue
        guard let browser = device.browser?.rawValue else { return system }
        return switch language {
        case .english: "\(browser) on \(system)"
        case .spanish: "\(browser) en \(system)"
        case .brazilianPortuguese: "\(browser) no \(system)"
        case .italian: "\(browser) su \(system)"
        case .simplifiedChinese: "\(system) 上的 \(browser)"
        case .turkish: "\(system) üzerinde \(browser)"
        }
    }
}

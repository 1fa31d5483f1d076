// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The visitors who are counted together: those on one platform with one family of browsers, people or machines.
package struct VisitorClass: Sendable, Hashable {
    /// As it is stored: the platform, 8 × the browser's family, 256 × 1 for a machine.
    package let number: UInt16

    /// From here on machines are stored.
    package static let firstMachine: Int64 = 256

    package init(_ platform: LinkPlatform, _ browser: BrowserFamily = .other, isMachine: Bool = false) {
        number = platform.number + 8 * UInt16(browser.rawValue) + (isMachine ? UInt16(Self.firstMachine) : 0)
    }

    /// Nil for a number that another program has stored.
    package init?(stored: Int64) {
        guard let number = UInt16(exactly: stored), number < 512, LinkPlatform(number: number % 8) != nil else {
            return nil
        }
        self.number = number
    }

    package var platform: LinkPlatform { LinkPlatform(number: number % 8) ?? .other }
    package var browser: BrowserFamily { BrowserFamily(rawValue: UInt8(number / 8 % 32)) ?? .other }
    package var isMachine: Bool { Self.isMachine(number) }

    package static func isMachine(_ number: UInt16) -> Bool { number >= firstMachine }
}

extension LinkPlatform {
    /// From 1 on, as it is stored.
    fileprivate var number: UInt16 {
        switch self {
        case .android: 1
        case .ios: 2
        case .desktop: 3
        case .other: 4
        }
    }

    fileprivate init?(number: UInt16) {
        guard let platform = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = platform
    }
}

extension Visitor {
    /// The rule by which people are told from machines, as it is said beside the numbers.
    package static let machineRule =
        "Machines are known fetchers of previews, search engines and monitors, requests for the head alone (HEAD), "
        + "browsers that look ahead (Sec-Purpose, Purpose, X-Moz), and whoever names no browser (no User-Agent). "
        + "Everybody else is counted as a person."
}

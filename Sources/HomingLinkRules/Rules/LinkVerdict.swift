// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// What ``LinkRules/check(_:)`` found of a link that it has let through.
package struct LinkVerdict: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Apps get the payload, and no browser is sent there.
    package static let isForAppsOnly = LinkVerdict(rawValue: 1)

    // The fallbacks to which nobody may be sent: that platform's next one takes their place.
    static let leavesOutAndroidFallback = LinkVerdict(rawValue: 2)
    package static let leavesOutIOSFallback = LinkVerdict(rawValue: 4)
    static let leavesOutIPadFallback = LinkVerdict(rawValue: 8)
    static let leavesOutDesktopFallback = LinkVerdict(rawValue: 16)

    /// A target may be a short link of the project, for which somebody has to look.
    package static let mayLeadToLink = LinkVerdict(rawValue: 32)

    /// What is said of a link that was not let through: it has no fallback.
    package static let isRefused: LinkVerdict = [
        .leavesOutAndroidFallback, .leavesOutIOSFallback, .leavesOutIPadFallback, .leavesOutDesktopFallback,
    ]

    /// What is left out of a link because it leads to one of some URLs.
    package init(leavingOut urls: [String], of parameters: DynamicLinkParameters) {
        self = []
        for target in LinkTarget.fallbacks {
            guard let url = target.value(parameters)?.utf8, urls.contains(where: { url.elementsEqual($0.utf8) })
            else { continue }
            insert(target.leftOut)
        }
    }

    /// The number of bits, for whoever keeps a verdict beside something else.
    static let width = 6
}

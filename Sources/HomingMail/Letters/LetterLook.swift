// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
import HomingStore
import HomingTexts

/// How a project's messages look: its colour in light and in the dark, its logo, and who stands behind them.
package struct LetterLook: Sendable, Equatable {
    /// The shades of buttons and links, and of the text on a button.
    let accent: String
    let on: String
    let nightAccent: String
    let nightOn: String
    /// The size at which the logo is shown; nil where the app's first letter stands for it.
    let logo: Logo.Size?
    /// Below the message: where help is, and the postal line.
    let contact: [String]

    /// Our own look.
    package static let standard = LetterLook(Brand())

    private static let logoHeight = 36
    private static let widestLogo = 200

    package init(_ brand: Brand) {
        accent = brand.shades?.day.accent.text ?? "#3350d4"
        on = brand.shades?.day.on.text ?? "#ffffff"
        nightAccent = brand.shades?.night.accent.text ?? "#a9b9ff"
        nightOn = brand.shades?.night.on.text ?? "#10163a"
        // Hardly any mail program shows SVG.
        logo = brand.logo.flatMap(\.size).map { size in
            Logo.Size(
                width: max(1, min(Self.widestLogo, size.width * Self.logoHeight / size.height)), height: Self.logoHeight
            )
        }
        contact = [brand.supportAddress?.text, brand.postalLine].compactMap(\.self)
    }
}

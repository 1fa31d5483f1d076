// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
import HomingWire

/// A project's colour, and the shades of it that can be read.
///
/// Whatever the colour, text and its background have a contrast of 4.5 or more (WCAG 2.2, 1.4.3): on white the colour
/// is darkened until they do, in the dark it is lightened.
package struct BrandColor: Sendable, Equatable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    /// Reads `#RRGGBB`; nil for everything else.
    package init?(parsing text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, digits.allSatisfy(Hexadecimal.isDigit),
            let number = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    }

    private init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// `#rrggbb`.
    package var text: String { "#" + Hexadecimal.encode([red, green, blue]) }

    /// The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio").
    package func contrast(with other: BrandColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// WCAG 2.2, "relative luminance".
    private var luminance: Double {
        func linear(_ value: UInt8) -> Double {
            let share = Double(value) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    func mixed(with other: BrandColor, share: Double) -> BrandColor {
        func mix(_ own: UInt8, _ its: UInt8) -> UInt8 {
            UInt8((Double(own) + (Double(its) - Double(own)) * share).rounded())
        }
        return BrandColor(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
    }

    package static let white = BrandColor(0xFF, 0xFF, 0xFF)
    package static let black = BrandColor(0, 0, 0)
    /// The text on a shade for the dark.
    static let night = BrandColor(0x0E, 0x10, 0x16)
    /// The darkest ground of a light page, and the lightest card of a dark one.
    static let dayGround = BrandColor(0xF3, 0xF4, 0xF8)
    static let nightCard = BrandColor(0x17, 0x1A, 0x23)
}

/// The shades of a project's colour that can be read.
package struct BrandShades: Sendable, Equatable {
    package let day: Mode
    package let night: Mode

    package init(_ color: BrandColor) {
        day = color.shades(towards: .black, ground: .dayGround, page: .white, on: .white, tintShare: 0.9)
        night = color.shades(towards: .white, ground: .nightCard, page: .nightCard, on: .night, tintShare: 0.82)
    }

    /// The shades for one of the two modes.
    package struct Mode: Sendable, Equatable {
        /// Of buttons and links.
        package let accent: BrandColor
        /// Of a button under the pointer.
        package let press: BrandColor
        /// Of the text on a button.
        package let on: BrandColor
        /// Of the ground behind an icon, and of a quiet button under the pointer.
        package let tint: BrandColor
        /// Of the light above the card.
        package let glow: BrandColor
    }
}

extension BrandColor {
    fileprivate func shades(
        towards end: BrandColor, ground: BrandColor, page: BrandColor, on: BrandColor, tintShare: Double
    ) -> BrandShades.Mode {
        for step in 0...50 {
            let accent = mixed(with: end, share: Double(step) / 50)
            let tint = accent.mixed(with: page, share: tintShare)
            let glow = accent.mixed(with: ground, share: tintShare)
            let press = accent.mixed(with: end, share: 0.2)
            let isLegible = [ground, page, tint, glow, on].allSatisfy { accent.contrast(with: $0) >= 4.5 }
            if isLegible { return BrandShades.Mode(accent: accent, press: press, on: on, tint: tint, glow: glow) }
        }
        return BrandShades.Mode(accent: end, press: end, on: on, tint: page, glow: ground)
    }
}

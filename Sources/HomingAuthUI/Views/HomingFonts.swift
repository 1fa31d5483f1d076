// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    public import SwiftUI

    /// The fonts of the screens, besides the app's own for the text. All of them grow with Dynamic Type unless the app
    /// fixes their sizes.
    public struct HomingFonts: Sendable {
        /// Headings.
        public var title: Font
        /// The two digits.
        public var number: Font
        /// Hints, and what went wrong.
        public var note: Font

        /// Those of the system, unless given.
        public init(
            title: Font = .title2.weight(.semibold), number: Font = .largeTitle.monospacedDigit().weight(.bold),
            note: Font = .footnote
        ) {
            (self.title, self.number, self.note) = (title, number, note)
        }
    }

    private struct HomingFontsKey: EnvironmentKey {
        static let defaultValue = HomingFonts()
    }

    extension EnvironmentValues {
        var homingFonts: HomingFonts {
            get { self[HomingFontsKey.self] }
            set { self[HomingFontsKey.self] = newValue }
        }
    }

    extension View {
        /// Gives the screens of HomingAuthUI the app's fonts. Their colours are those of `tint`.
        public func homingFonts(_ fonts: HomingFonts) -> some View {
            environment(\.homingFonts, fonts)
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How certain it is that a link is meant for the person who opened the app; the words are those of the wire.
public enum DynamicLinkMatchType: String, Sendable, Hashable, CaseIterable {
    /// Nothing matched.
    case none
    /// The link may be somebody else's: show nothing personal.
    case weak
    /// The link is very likely meant for this person.
    case `default`
    /// Exactly this link was opened.
    case unique

    /// The type in a callback: without a word a link is exact, and an unknown word matches nothing.
    init(_ word: String?, hasLink: Bool) {
        guard let word else {
            self = hasLink ? .unique : .none
            return
        }
        self = Self.allCases.first { word.isSameFoldingASCII($0.rawValue) } ?? .none
    }
}

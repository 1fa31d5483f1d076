// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How sure it is that a link is meant for the person who opened the app; the words are those of the wire.
public enum DynamicLinkMatchType: String, Sendable, Hashable, CaseIterable {
    /// Nothing matched.
    case none
    /// It may be somebody else's link: show nothing personal.
    case weak
    /// Very likely.
    case `default`
    /// Exactly this link was opened.
    case unique

    /// What a callback says: without a word a link is exact, and a word that we do not know matches nothing.
    init(_ word: String?, hasLink: Bool) {
        guard let word else {
            self = hasLink ? .unique : .none
            return
        }
        self = Self.allCases.first { word.isSameFoldingASCII($0.rawValue) } ?? .none
    }
}

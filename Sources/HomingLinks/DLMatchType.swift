// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// How sure it is that a link is meant for the person who opened the app, with the numbers of FirebaseDynamicLinks.
///
/// Homing recognises nobody by the device: its links match exactly or not at all.
public enum DLMatchType: UInt, Sendable, Hashable {
    /// Nothing matched.
    case none = 0
    /// It may be somebody else's link: show nothing personal. Links of other services only.
    case weak = 1
    /// Very likely this person's. Links of other services only.
    case `default` = 2
    /// Exactly this link was opened.
    case unique = 3

    init(_ type: DynamicLinkMatchType) {
        switch type {
        case .none: self = .none
        case .weak: self = .weak
        case .default: self = .default
        case .unique: self = .unique
        }
    }
}

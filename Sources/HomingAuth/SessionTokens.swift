// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

/// What a sign-in gives out.
///
/// How long the ID token lives is counted from when it arrived, by this device's clock: a clock that is wrong by days
/// then still refreshes in time.
struct SessionTokens: Sendable, Equatable {
    let id: String
    let refresh: String
    let arrived: Date
    let expires: Date

    /// So long before its end an ID token is not used any more.
    static let margin: TimeInterval = 300

    init(id: String, refresh: String, arrived: Date, expires: Date) {
        self.id = id
        self.refresh = refresh
        self.arrived = arrived
        self.expires = expires
    }

    /// The token members of an answer; nil when one is missing or the time is not a decimal number.
    init?(id: JSON?, refresh: JSON?, seconds: JSON?, at now: Date) {
        guard let id = id?.stringValue, !id.isEmpty, let refresh = refresh?.stringValue, !refresh.isEmpty,
            let seconds = seconds?.stringValue.flatMap(Int.init), (1...31_536_000).contains(seconds)
        else { return nil }
        self.init(id: id, refresh: refresh, arrived: now, expires: now.addingTimeInterval(TimeInterval(seconds)))
    }

    /// Whether both are of one answer; a store rounds the times.
    func isSame(as other: SessionTokens) -> Bool {
        id.utf8.elementsEqual(other.id.utf8) && refresh.utf8.elementsEqual(other.refresh.utf8)
    }

    /// Whether they are neither what a process holds nor what it knows to stand in the store.
    func isForeign(to held: SessionTokens, _ kept: SessionTokens?) -> Bool {
        !isSame(as: held) && kept.map { !isSame(as: $0) } ?? true
    }

    /// Whether the ID token may be used. A clock that was put back tells nothing about the age of a token.
    func isFresh(at now: Date) -> Bool {
        now < expires.addingTimeInterval(-Self.margin) && now > arrived.addingTimeInterval(-60)
    }
}

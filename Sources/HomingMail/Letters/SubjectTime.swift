// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// A moment as it stands in a subject: to the minute, in UTC, the same in every language.
enum SubjectTime {
    /// - Parameter seconds: since 1970 UTC.
    /// - Returns: for instance `2026-11-21 02:36 UTC`.
    static func text(_ seconds: Int) -> String {
        let iso = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        return "\(iso.prefix(10)) \(iso.dropFirst(11).prefix(5)) UTC"
    }
}

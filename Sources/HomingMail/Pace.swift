// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// Whether the relay takes mails quickly. Only then are more handed over than it has connections: behind a slow one they
/// would wait away the time that their own dialogue needs.
final class Pace: Sendable {
    private static let quick = Duration.seconds(2)

    private let wasQuick = Atomic(true)

    var isQuick: Bool { wasQuick.load(ordering: .relaxed) }

    /// - Parameter duration: from handing a mail over to the relay's answer.
    func took(_ duration: Duration) {
        wasQuick.store(duration < Self.quick, ordering: .relaxed)
    }
}

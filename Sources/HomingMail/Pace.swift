// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Synchronization

/// Whether the relay takes mails quickly. Only then does delivery hand over more mails than the relay has connections:
/// behind a slow relay they would spend the time of their own dialogue on waiting.
final class Pace: Sendable {
    private static let quick = Duration.seconds(2)

    private let wasQuick = Atomic(true)

    var isQuick: Bool { wasQuick.load(ordering: .relaxed) }

    /// - Parameter duration: the time from handing a mail over to the relay's answer.
    func took(_ duration: Duration) {
        wasQuick.store(duration < Self.quick, ordering: .relaxed)
    }
}

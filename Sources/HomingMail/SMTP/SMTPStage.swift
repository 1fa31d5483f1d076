// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The stages of a dialogue with the relay. Their order is the order on the wire.
package enum SMTPStage: Int, Sendable, Comparable, CaseIterable {
    /// Connecting, TLS from the first byte, and the relay's first line.
    case greeting
    case hello
    case startTLS
    case authentication
    case sender
    case recipient
    case data
    /// The message is on its way, or has gone and its reply is awaited.
    case message
    case farewell

    package static func < (one: SMTPStage, other: SMTPStage) -> Bool { one.rawValue < other.rawValue }
}

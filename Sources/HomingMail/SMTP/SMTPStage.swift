// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How far the dialogue with the relay has come. The order is the order on the wire.
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

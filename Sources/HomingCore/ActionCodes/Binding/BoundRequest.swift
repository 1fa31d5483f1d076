// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What the client that asks for a code is told about its request. An address that nobody has gets the same.
package struct BoundRequest: Sendable {
    package let requestID: String
    /// The two digits that the client shows.
    package let matchNumber: String
    /// Seconds.
    package let expiresIn: Int64
}

/// What the page has to ask for before a tap counts.
package enum NumberQuestion: Sendable {
    /// The number that the device shows where the request was made.
    case ofAskingDevice
    /// The number that stands in the mail.
    case ofMail
}

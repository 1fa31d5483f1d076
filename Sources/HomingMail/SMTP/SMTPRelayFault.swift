// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The reason why a relay's address is refused. The sentence names the accepted form and never repeats the address,
/// which may hold a password.
package struct SMTPRelayFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence for the operator.
    package let sentence: String

    package var description: String { sentence }
}

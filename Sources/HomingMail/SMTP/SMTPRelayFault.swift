// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Why a relay's address is not taken. The sentence names what is accepted and never repeats the address, which may
/// hold a password.
package struct SMTPRelayFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence for the operator.
    package let sentence: String

    package var description: String { sentence }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The reasons why a code cannot be used; on the wire they are all `INVALID_OOB_CODE`, a page tells them apart.
package enum DeadCode: Sendable, Equatable {
    /// Forged, truncated, of another project or of a kind that the verb does not take.
    case malformed
    /// Used by an earlier tap.
    case used
    /// Replaced by a newer code of the same kind for the same address.
    case replaced
    /// Ended by its reader, who did not ask for it, or by wrong numbers.
    case declined
    /// Its account or address no longer exists.
    case accountGone
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The program's own version.
package enum Version {
    package static let version = "0.1.0"
    /// As the program names itself to other servers.
    package static let agent = "homing/\(version)"
}

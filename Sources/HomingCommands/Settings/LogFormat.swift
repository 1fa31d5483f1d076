// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How a line of the log looks.
package enum LogFormat: String, Sendable {
    /// One JSON object.
    case json
    /// For people: time, level, message.
    case text
}

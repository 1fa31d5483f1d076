// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// One setting with the value that is in force and where it came from.
package struct SettingEntry: Sendable {
    package let setting: Setting
    package let source: SettingSource
    /// As given, or the default; nil is none. May hold a secret.
    let value: String?

    /// As it may be shown.
    package var shown: String? {
        value.map { Printable.line(setting.masked($0), atMost: 2_048) }
    }
}

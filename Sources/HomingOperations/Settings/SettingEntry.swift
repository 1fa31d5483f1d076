// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// One setting with the value in force and its source.
package struct SettingEntry: Sendable {
    package let setting: Setting
    package let source: SettingSource
    /// The given value, or the default; nil is none. May hold a secret.
    package let value: String?

    /// The value in the form that may be shown.
    package var shown: String? {
        value.map { Printable.line(setting.masked($0), atMost: 2_048) }
    }
}

/// The source of a value. The order of the cases is the order in which they win.
package enum SettingSource: Sendable, Hashable, CustomStringConvertible {
    case flag(String)
    case environment(String)
    case file(path: String, line: Int)
    case standard

    package var description: String {
        switch self {
        case .flag(let name): "--\(name)"
        case .environment(let name): name
        case .file(let path, let line): "\(path), line \(line)"
        case .standard: "default"
        }
    }

    /// One word for machines: `flag`, `environment`, `file`, `default`.
    package var word: String {
        switch self {
        case .flag: "flag"
        case .environment: "environment"
        case .file: "file"
        case .standard: "default"
        }
    }
}

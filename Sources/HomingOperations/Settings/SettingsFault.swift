// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingStore
internal import HomingWire

/// A setting that stops the start; its sentence fits on one line and never shows a secret.
package struct SettingsFault: Error, Sendable, Equatable, CustomStringConvertible {
    package let sentence: String

    package var description: String { sentence }

    package init(_ sentence: String) {
        self.sentence = sentence
    }

    /// A value that the setting's parser refuses.
    package static func badValue(_ value: String, of setting: Setting, from source: SettingSource, _ reason: Rejection)
        -> Self
    {
        let shown = Printable.line(setting.masked(value), atMost: 200)
        let accepted =
            switch reason {
            case .notAccepted: "accepted is \(setting.accepted)"
            case .because(let sentence): sentence
            }
        return Self("\(name(of: setting, from: source)): \"\(shown)\" is refused: \(accepted).")
    }

    /// Two values of `mail.url`, one of them under its older name.
    static func differs(_ source: SettingSource, from older: SettingSource) -> Self {
        Self(
            "mail.url (\(source)) and smtp.url (\(older)) are two values of one setting: smtp.url is its older name; give "
                + "one of them.")
    }

    /// A key that no setting has.
    package static func unknown(_ name: String, in folders: String?, candidates: [String]) -> Self {
        let shown = Printable.line(name, atMost: 100)
        let nearest = Spelling.nearest(to: name, among: candidates)
        let advice = nearest.map { "did you mean \($0)?" } ?? "`homing config` lists every setting."
        return Self("\(folders.map { "\($0): " } ?? "")\(shown) is not a setting of Homing; \(advice)")
    }

    private static func name(of setting: Setting, from source: SettingSource) -> String {
        switch source {
        case .flag(let flag): "--\(flag) (\(setting.key))"
        case .environment(let variable): "\(variable) (\(setting.key))"
        case .file(let path, let line): "\(Printable.line(path, atMost: 200)), line \(line): \(setting.key)"
        case .standard: setting.key
        }
    }
}

/// The reason why the parser of a setting refuses a value.
package enum Rejection: Error, Equatable {
    /// The row's sentence about the accepted values is enough.
    case notAccepted
    /// A sentence about this value in particular.
    case because(String)
}

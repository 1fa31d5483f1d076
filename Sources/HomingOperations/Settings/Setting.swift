// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// One row of the table from which everything about settings is made.
package struct Setting: Sendable {
    /// The key in `homing.yaml`, with dots between the levels.
    package let key: String
    /// The environment variable.
    package let variable: String
    /// The accepted values, as the sentence after "accepted is" names them.
    package let accepted: String
    /// The default in the documentation's words; Markdown.
    package let standardText: String
    /// The purpose of the setting; Markdown, one paragraph.
    package let meaning: String
    /// Whether the value may hold a password, which is then never shown.
    package let isSecret: Bool
    /// What of such a value may be shown.
    private let mask: @Sendable (String) -> String
    /// Whether the setting holds several values with commas between them.
    package let isList: Bool
    /// Whether `homing reload` puts it in force; any other setting waits for a restart.
    package let isLive: Bool
    /// The default, written as an operator would; nil is none. Settings above it in the table have their values then.
    package let standard: @Sendable (DefaultFolders, Settings) -> String?
    /// Parses a value and stores it in the settings.
    package let take: @Sendable (String, inout Settings) throws(Rejection) -> Void

    package init(
        _ key: String,
        _ variable: String,
        accepted: String,
        standardText: String,
        meaning: String,
        isSecret: Bool = false,
        mask: @escaping @Sendable (String) -> String = SecretMask.password(inURL:),
        isList: Bool = false,
        isLive: Bool = false,
        standard: @escaping @Sendable (DefaultFolders, Settings) -> String?,
        take: @escaping @Sendable (String, inout Settings) throws(Rejection) -> Void
    ) {
        self.key = key
        self.variable = variable
        self.accepted = accepted
        self.standardText = standardText
        self.meaning = meaning
        self.isSecret = isSecret
        self.mask = mask
        self.isList = isList
        self.isLive = isLive
        self.standard = standard
        self.take = take
    }

    /// The flag without its dashes: the variable's name in the spelling of flags.
    package var flag: String {
        String(decoding: variable.utf8.dropFirst(Self.prefix.utf8.count).map(Self.flagByte), as: UTF8.self)
    }

    /// The beginning of every variable of ours.
    package static let prefix = "HOMING_"

    /// A value in the form that may be shown.
    package func masked(_ value: String) -> String {
        isSecret ? mask(value) : value
    }

    private static func flagByte(_ byte: UInt8) -> UInt8 {
        byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : ASCII.folded(byte)
    }
}

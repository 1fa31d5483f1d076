// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingTexts
package import HomingWire

/// One setting of a project or of a tenant, declared once in `ProjectSetting+table.swift`: the config documents, the
/// console, the commands and docs/configuration.md are made from it.
package struct ProjectSetting: Sendable {
    /// In commands, in the audit log, and where values are kept: the name in Firebase's config document, or ours.
    package let name: String
    package let kind: Kind
    /// In words, such as `true or false`.
    package let accepts: String
    /// What holds where nobody says anything; empty where that is nothing.
    package let standard: String
    package let group: Group
    /// A few words, such as `Passwords only`.
    package let label: String
    /// What else there is to know, in sentences; code stands between backticks. Empty where the label says it all.
    package let hint: String
    /// The values that it can have, each in a word or two; empty where they are no list.
    package let choices: [Choice]
    package let scope: Scope
    /// Where the documents have it: the name split at its dots, unless Firebase has it elsewhere.
    package let path: [String]
    /// Whether Firebase has no such member. Clients that do not know it must not change it by leaving it out.
    package let isOurs: Bool
    let isValid: @Sendable (String) -> Bool

    /// The type of a value in JSON.
    package enum Kind: Sendable {
        case flag, number, text
        /// Text in JSON, as Google writes numbers of 64 bits.
        case int64
        /// Kept as ``Moment/timestamp``.
        case time
        /// Kept as ``LanguageTag/text``.
        case language
    }

    /// What settings are about, in the order in which they are shown.
    package enum Group: Sendable, CaseIterable {
        case app, signIn, signUps, passwords, lifetimes, finishing

        package var title: String {
            switch self {
            case .app: "The app"
            case .signIn: "Ways to sign in"
            case .signUps: "Sign-ups of one client address"
            case .passwords: "Password policy"
            case .lifetimes: "Lifetimes of mailed links"
            case .finishing: "How mailed links are finished"
            }
        }

        /// What the numbers of the group count.
        package var unit: String {
            switch self {
            case .app, .signIn, .signUps, .finishing: ""
            case .passwords: "Characters"
            case .lifetimes: "Seconds"
            }
        }
    }

    /// Who has a setting.
    package enum Scope: Sendable {
        /// A project, and its tenants have the project's.
        case project
        /// A project, and each tenant may set its own in the place of the project's.
        case projectUnlessTenant
        /// A project and each tenant, each for itself: a tenant has it off unless it says so.
        case each
        /// A tenant alone.
        case tenant
    }

    package typealias Choice = (value: String, label: String)

    /// - Parameters:
    ///   - accepts: needed where there are no choices, as is `isValid`.
    ///   - path: nil for the name split at its dots.
    init(
        _ name: String, kind: Kind = .text, accepts: String = "", standard: String = "", in group: Group,
        _ label: String, hint: String = "", choices: [Choice] = [], scope: Scope = .project, path: [String]? = nil,
        isOurs: Bool = false, isValid: (@Sendable (String) -> Bool)? = nil
    ) {
        let values = choices.map(\.value)
        self.name = name
        self.kind = kind
        self.accepts = choices.isEmpty ? accepts : values.joined(separator: " or ")
        self.standard = standard
        self.group = group
        self.label = label
        self.hint = hint
        self.choices = choices
        self.scope = scope
        self.path = path ?? name.split(separator: ".").map { String($0) }
        self.isOurs = isOurs
        self.isValid = isValid ?? { value in values.contains { $0.utf8.elementsEqual(value.utf8) } }
    }

    static func flag(
        _ name: String, _ standard: Bool, in group: Group, _ label: String, hint: String = "",
        scope: Scope = .project, path: [String]? = nil, isOurs: Bool = false
    ) -> ProjectSetting {
        ProjectSetting(
            name, kind: .flag, accepts: "true or false", standard: String(standard), in: group, label, hint: hint,
            scope: scope, path: path, isOurs: isOurs
        ) { ["true", "false"].contains($0) }
    }

    static func number(
        _ name: String, _ range: ClosedRange<Int>, standard: Int, in group: Group, _ label: String,
        hint: String = "", scope: Scope = .project, path: [String]? = nil, isOurs: Bool = false
    ) -> ProjectSetting {
        ProjectSetting(
            name, kind: .number, accepts: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            standard: String(standard), in: group, label, hint: hint, scope: scope, path: path, isOurs: isOurs
        ) { value in Int(value).map(range.contains) ?? false }
    }

    // MARK: Finding

    /// Those of a project, in the order in which they are shown.
    package static let all = table.filter { $0.scope != .tenant }

    /// Those of a tenant: first its own switches, then what it can set in the place of its project's.
    package static let ofTenants =
        table.filter(\.isTenantsOwn) + table.filter { $0.scope == .projectUnlessTenant }

    /// Whether a tenant has it for itself, and not in the place of its project's.
    package var isTenantsOwn: Bool { scope == .tenant || scope == .each }

    package static func named(_ name: String, among settings: [ProjectSetting] = all) -> ProjectSetting? {
        settings.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    // MARK: Values

    /// A value that is valid, as it is kept.
    func canonical(_ value: String) -> String {
        switch kind {
        case .flag, .text: value
        case .number, .int64: Int64(value).map { String($0) } ?? value
        case .time: Moment(timestamp: value)?.timestamp ?? value
        case .language: LanguageTag(parsing: value)?.text ?? value
        }
    }

    /// The refusal of a value that it does not take.
    func refusal(of value: String) -> Refusal {
        .invalidSetting("\(name) cannot be \(Printable.given(value)): it takes \(accepts)")
    }

    /// A value with its type: true or false, a number, or text.
    package func json(_ value: String) -> JSON {
        switch kind {
        case .flag: .bool(value == "true")
        case .number: Int64(value).map { .int($0) } ?? .string(value)
        case .text, .int64, .time, .language: .string(value)
        }
    }

    /// A value in words: what a choice is called, `on` or `off`.
    package func words(for value: String) -> String {
        if value.isEmpty { return "nothing" }
        if kind == .flag { return value == "true" ? "on" : "off" }
        return choices.first { $0.value.utf8.elementsEqual(value.utf8) }?.label ?? value
    }
}

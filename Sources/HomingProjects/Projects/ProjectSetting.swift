// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
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
    /// A few words, such as `Minimum length`. Of a switch that is negated they say what holds while it is off.
    package let label: String
    /// What several settings in a row say of different things, such as `Who may finish it` of kinds of email: then each
    /// one's label names the thing, and they have one hint.
    package let part: String?
    /// What else there is to know, in sentences; code stands between backticks. Empty where the label says it all.
    package let hint: String
    /// The values that it can have, each in a word or two; empty where they are no list.
    package let choices: [Choice]
    package let scope: Scope
    /// Where the documents have it: the name split at its dots, unless Firebase has it elsewhere.
    package let path: [String]
    /// Whether Firebase has no such member. Clients that do not know it must not change it by leaving it out.
    package let isOurs: Bool
    /// Whether a switch forbids, as Firebase's `disabledUserSignup` does. People are shown what it allows: the switch
    /// of the console is on while this is `false`.
    package let isNegated: Bool
    /// What it takes in seconds, where it is a duration.
    package let seconds: ClosedRange<Int64>?
    package let isValid: @Sendable (String) -> Bool

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

    /// What settings are about, in the order in which they are shown: first what is changed most often. The raw value
    /// names the group's place on the console's page.
    package enum Group: String, Sendable, CaseIterable {
        case app
        case signIn = "ways"
        case passwords, lifetimes, privacy, finishing, links
        case signUps = "sign-ups"
        case tokens

        package var title: String {
            switch self {
            case .app: "The app"
            case .signIn: "Ways to sign in"
            case .passwords: "Password policy"
            case .lifetimes: "Lifetimes of emailed links"
            case .privacy: "Privacy"
            case .finishing: "How emailed links are finished"
            case .links: "Short links"
            case .signUps: "Sign-ups from one IP address"
            case .tokens: "ID tokens"
            }
        }

        /// Whether it is set once, if ever: the console has it on a page of its own.
        package var isAdvanced: Bool {
            switch self {
            case .app, .signIn, .passwords, .lifetimes, .privacy: false
            case .finishing, .links, .signUps, .tokens: true
            }
        }

        /// What the numbers of the group count.
        package var unit: String { self == .passwords ? "Characters" : "" }
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
    package init(
        _ name: String, kind: Kind = .text, accepts: String = "", standard: String = "", in group: Group,
        _ label: String, part: String? = nil, hint: String = "", choices: [Choice] = [], scope: Scope = .project,
        path: [String]? = nil,
        isOurs: Bool = false, isNegated: Bool = false, seconds: ClosedRange<Int64>? = nil,
        isValid: (@Sendable (String) -> Bool)? = nil
    ) {
        let values = choices.map(\.value)
        self.name = name
        self.kind = kind
        self.accepts = choices.isEmpty ? accepts : values.joined(separator: " or ")
        self.standard = standard
        self.group = group
        self.label = label
        self.part = part
        self.hint = hint
        self.choices = choices
        self.scope = scope
        self.path = path ?? name.split(separator: ".").map { String($0) }
        self.isOurs = isOurs
        self.isNegated = isNegated
        self.seconds = seconds
        self.isValid = isValid ?? { value in values.contains { $0.utf8.elementsEqual(value.utf8) } }
    }

    package static func flag(
        _ name: String, _ standard: Bool, in group: Group, _ label: String, hint: String = "",
        scope: Scope = .project, path: [String]? = nil, isOurs: Bool = false, isNegated: Bool = false
    ) -> ProjectSetting {
        ProjectSetting(
            name, kind: .flag, accepts: "true or false", standard: String(standard), in: group, label, hint: hint,
            scope: scope, path: path, isOurs: isOurs, isNegated: isNegated
        ) { ["true", "false"].contains($0) }
    }

    package static func number(
        _ name: String, _ range: ClosedRange<Int>, standard: Int, in group: Group, _ label: String,
        hint: String = "", scope: Scope = .project, path: [String]? = nil, isOurs: Bool = false,
        isDuration: Bool = false
    ) -> ProjectSetting {
        let things = isDuration ? "number of seconds" : "number"
        return ProjectSetting(
            name, kind: .number, accepts: "a whole \(things) from \(range.lowerBound) to \(range.upperBound)",
            standard: String(standard), in: group, label, hint: hint, scope: scope, path: path, isOurs: isOurs,
            seconds: isDuration ? Int64(range.lowerBound)...Int64(range.upperBound) : nil
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
    package func refusal(of value: String) -> Refusal {
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

    /// A value in words: what a choice is called, `on` or `off` as people are shown a switch, a duration as they say it.
    package func words(for value: String) -> String {
        if value.isEmpty { return "nothing" }
        if kind == .flag { return (value == "true") != isNegated ? "on" : "off" }
        if seconds != nil, let kept = SpokenDuration(parsing: value) {
            return SpokenDuration(seconds: kept.seconds).text
        }
        return choices.first { $0.value.utf8.elementsEqual(value.utf8) }?.label ?? value
    }

    // MARK: For people

    /// What stands behind the seconds of a duration where it is kept: protocol buffers write a text in JSON.
    package var suffix: String { kind == .text ? "s" : "" }

    /// A value as it is kept, for one as somebody types it: of `3d` and `72 hours` the seconds. Any other stays as it is.
    package func kept(_ said: String) -> String {
        guard seconds != nil, let duration = SpokenDuration(parsing: said) else { return said }
        return "\(duration.seconds)\(suffix)"
    }

    /// What it takes, for a person: `a time from 1 second to 90 days`.
    package var acceptsInWords: String {
        guard let seconds else { return accepts }
        let (least, most) = (SpokenDuration(seconds: seconds.lowerBound), SpokenDuration(seconds: seconds.upperBound))
        return most.unit == .seconds ? "a time of \(least.text) or more" : "a time from \(least.text) to \(most.text)"
    }

    /// A value as a terminal shows it: of a duration how people say it, too.
    package func printed(_ value: String) -> String {
        seconds == nil || value.isEmpty ? value : "\(value) (\(words(for: value)))"
    }

    /// What it means in a document, where a negated switch says no by `true`.
    package var meaning: String {
        let words = part.map { "\(label): \($0.prefix(1).lowercased())\($0.dropFirst())" } ?? label
        return isNegated ? "\(words), unless it is `true`" : words
    }
}

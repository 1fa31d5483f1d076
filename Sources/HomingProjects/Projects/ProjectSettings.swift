// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
package import HomingPasswords
package import HomingStore
package import HomingTexts
package import HomingWire

/// A setting's new value, and the value that its author saw before.
package struct SettingChange: Sendable {
    package let name: String
    package let value: String
    /// Nil where the author does not care what the value was.
    package let expected: String?

    package init(_ name: String, to value: String, expected: String? = nil) {
        self.name = name
        self.value = value
        self.expected = expected
    }
}

/// The settings of a project, by the names of the admin config document.
///
/// Only values that differ from the default are stored; the typed properties read them.
package struct ProjectSettings: Sendable, Equatable {
    package private(set) var values: [String: String]
    /// Whether mailed links sign in where passwords are switched off, as in a tenant, which has a switch for each.
    var allowsLinksWithoutPasswords = false

    package init(values: [String: String] = [:]) {
        self.values = values
    }

    /// Sets one value; an empty one restores the default.
    package mutating func set(_ name: String, to value: String) throws(Refusal) {
        guard let setting = ProjectSetting.named(name) else {
            throw .noSetting(name, "there is no setting", among: ProjectSetting.all)
        }
        guard !value.isEmpty else {
            values[name] = nil
            return
        }
        guard setting.isValid(value) else { throw setting.refusal(of: value) }
        values[name] = setting.canonical(value)
    }

    /// The value in force.
    package subscript(setting: ProjectSetting) -> String { values[setting.name] ?? setting.standard }

    /// The value in force; empty where there is no such setting.
    package func value(_ name: String) -> String { values[name] ?? Self.standards[name] ?? "" }

    /// The value in force with its type: true or false, a number, or text.
    package func json(_ setting: ProjectSetting) -> JSON { setting.json(self[setting]) }

    package func isOn(_ flag: ProjectSetting) -> Bool { self[flag] == "true" }

    package var allowsEmail: Bool { isOn(.email) }
    package var allowsEmailLink: Bool { (allowsEmail || allowsLinksWithoutPasswords) && !isOn(.passwordsOnly) }
    package var allowsAnonymous: Bool { isOn(.anonymous) }
    package var hidesAddresses: Bool { isOn(.hidesAddresses) }
    /// Whether an address that nobody has an account with is told so by mail.
    package var tellsUnknownAddresses: Bool { self[.unknownAddress] == "tell" }
    package var allowsSignUp: Bool { !isOn(.noSignUp) }
    package var allowsDeletion: Bool { !isOn(.noDeletion) }

    /// The sign-ups that one client address may try in an hour now, where the project says so
    /// (https://cloud.google.com/identity-platform/docs/reference/rest/v2/Config, `SignUpQuotaConfig`): from its start,
    /// or always, for its duration, or for good. Nil where the server's limit holds.
    package func signUpsPerHour(at now: Moment) -> Int? {
        guard let quota = Int(self[.signUpQuota]) else { return nil }
        let (start, end) = signUpQuotaTimes
        return start.map { now >= $0 } ?? true && end.map { now < $0 } ?? true ? quota : nil
    }

    private var signUpQuotaTimes: (start: Moment?, end: Moment?) {
        guard let start = Moment(timestamp: self[.signUpQuotaStart]) else { return (nil, nil) }
        return (start, ProjectSetting.seconds(self[.signUpQuotaDuration]).map { start.adding(seconds: $0) })
    }

    /// Why a number of sign-ups that is set is not in force; nil where it is, and where none is set.
    package func quotaNote(at now: Moment) -> String? {
        guard !self[.signUpQuota].isEmpty, signUpsPerHour(at: now) == nil else { return nil }
        let (start, end) = signUpQuotaTimes
        if let end, end <= now {
            return "the number of sign-ups is not in force: its time was over at \(end.timestamp)"
        }
        return start.map { "the number of sign-ups is not in force yet: it begins at \($0.timestamp)" }
    }

    /// Refuses settings that mean nothing together.
    package func check() throws(Refusal) {
        let (start, duration) = (ProjectSetting.signUpQuotaStart, ProjectSetting.signUpQuotaDuration)
        guard self[duration].isEmpty || !self[start].isEmpty else {
            throw .invalidSetting("\(duration.name) wants \(start.name), from which it counts")
        }
    }

    /// Refuses rules that no password can keep.
    package func checkPolicy() throws(Refusal) {
        let policy = passwordPolicy
        guard policy.minimumLength <= policy.maximumLength else { throw .impossiblePolicy(policy) }
    }

    /// When it was switched on that anonymous accounts are deleted which nobody uses; nil where that is off.
    package var deletesAnonymousSince: Moment? {
        isOn(.deletesAnonymous) ? since(.deletesAnonymous) : nil
    }

    /// After how many days without being opened a short link without a name goes, and since when that is set; nil where
    /// such links stay.
    package var deletesUnopenedLinks: (days: Int64, since: Moment)? {
        guard let days = Int64(self[.unopenedLinks]), days > 0, let since = since(.unopenedLinks) else { return nil }
        return (days, since)
    }

    /// Whether all parameters behind a short link are handed on.
    package var passesAllParameters: Bool { self[.passParameters] == ProjectSetting.allParameters }

    /// Where `/` on a link domain and what is no link lead; nil for a page of ours.
    var linksHome: String? {
        let value = self[.linksHome]
        return value.isEmpty ? nil : value
    }

    /// Notes since when anonymous accounts, and links that nobody opens, are deleted.
    package mutating func changed(at now: Moment) {
        let isCounting = [
            (ProjectSetting.unopenedLinks, self[.unopenedLinks] != "0"),
            (.deletesAnonymous, isOn(.deletesAnonymous)),
        ]
        for (setting, isCounting) in isCounting {
            let name = Self.sinceName(setting)
            values[name] = isCounting ? values[name] ?? String(now.milliseconds) : nil
        }
    }

    /// Where the time is kept since which a setting is in force: beside the settings, and none of them.
    static func sinceName(_ setting: ProjectSetting) -> String { "\(setting.name).since" }

    private func since(_ setting: ProjectSetting) -> Moment? {
        values[Self.sinceName(setting)].flatMap { Int64($0) }.map { Moment(milliseconds: $0) }
    }

    /// Whether links into apps have the form of Dynamic Links where a request names no domain.
    package var prefersDynamicLinks: Bool { self[.mobileLinks] == ProjectSetting.dynamicLinks }

    /// The language tag of people whose own is not known. Where the project has no words in it, ours are English.
    package var language: String {
        let value = self[.language]
        // A value of before may be spelled in another way.
        return LanguageTag(parsing: value)?.text ?? value
    }

    /// The languages that people are offered; nil for all that there are.
    package var offeredLanguages: [Language]? {
        let named = self[.offeredLanguages].split(separator: ",").compactMap { Language(tag: ASCII.trimmed($0)) }
        return named.isEmpty ? nil : [language].compactMap { Language(tag: $0) } + named
    }

    package var signingAlgorithm: SigningKeys.Algorithm {
        SigningKeys.Algorithm(rawValue: self[.tokenAlgorithm]) ?? .rs256
    }
    package var issuer: TokenIssuers.Choice { TokenIssuers.Choice(rawValue: self[.tokenIssuer]) ?? .firebase }
    package var forcesPasswordUpgrade: Bool { isOn(.forcesUpgrade) }

    /// The operator's own action page, or nil for ours.
    package var callbackURI: String? {
        let value = self[.actionPage]
        return value.isEmpty ? nil : value
    }

    /// The app's web site, or nil where none is set.
    package var website: String? {
        let value = self[.website]
        return value.isEmpty ? nil : value
    }

    package var passwordPolicy: PasswordPolicy {
        PasswordPolicy(
            isEnforced: self[.policyIsEnforced] == "ENFORCE",
            minimumLength: Int(self[.leastLength]) ?? 6,
            maximumLength: min(
                Int(self[.greatestLength]) ?? PasswordPolicy.mostBytes, PasswordPolicy.mostBytes),
            needsLowercase: isOn(.needsLowercase),
            needsUppercase: isOn(.needsUppercase),
            needsDigit: isOn(.needsDigit),
            needsSymbol: isOn(.needsSymbol),
            refusesGuessable: isOn(.refusesGuessable))
    }

    /// How long a code of this kind lives, in seconds.
    package func lifetime(of kind: ActionCodeKind) -> Int64 {
        Int64(value(ProjectSetting.lifetimeName(of: kind))) ?? Int64(kind.standardLifetime)
    }

    /// Whether apps may ask for a code of this kind only with a challenge.
    package func requiresBinding(of kind: ActionCodeKind) -> Bool {
        value(ProjectSetting.bindingName(of: kind)).utf8.elementsEqual("required".utf8)
    }

    /// Whether the page asks for the number in the mail where a code of this kind is unbound.
    package func asksPressNumber(of kind: ActionCodeKind) -> Bool {
        value(ProjectSetting.pressName(of: kind)).utf8.elementsEqual("number".utf8)
    }

    /// Where mails show the code to type, beside their body.
    package enum TypedCodePlace: String, Sendable {
        case body, preheader, subject
    }

    package var typedCodePlace: TypedCodePlace { TypedCodePlace(rawValue: self[.typedCodeIn]) ?? .body }

    private static let standards = Dictionary(
        uniqueKeysWithValues: ProjectSetting.all.map { ($0.name, $0.standard) })
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts
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
    /// One setting: its name, what it accepts in words, and whether a value is acceptable.
    package struct Key: Sendable {
        package let name: String
        package let accepts: String
        package let standard: String
        package private(set) var kind = Kind.text
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

        /// A value that is valid, as it is kept.
        func canonical(_ value: String) -> String {
            switch kind {
            case .flag, .text: value
            case .number, .int64: Int64(value).map { String($0) } ?? value
            case .time: Moment(timestamp: value)?.timestamp ?? value
            case .language: LanguageTag(parsing: value)?.text ?? value
            }
        }

        /// A value with its type: true or false, a number, or text.
        func json(_ value: String) -> JSON {
            switch kind {
            case .flag: .bool(value == "true")
            case .number: Int64(value).map { .int($0) } ?? .string(value)
            case .text, .int64, .time, .language: .string(value)
            }
        }
    }

    package private(set) var values: [String: String]
    /// Whether mailed links sign in where passwords are switched off, as in a tenant, which has a switch for each.
    var allowsLinksWithoutPasswords = false

    package init(values: [String: String] = [:]) {
        self.values = values
    }

    package static let keys: [Key] =
        [
            flag("signIn.email.enabled", true),
            // Firebase's name: false means that a mailed link signs in, too.
            flag("signIn.email.passwordRequired", false),
            flag("signIn.anonymous.enabled", true),
            flag("emailPrivacyConfig.enableImprovedEmailPrivacy", true),
            flag("client.permissions.disabledUserSignup", false),
            flag("client.permissions.disabledUserDeletion", false),
            flag(autodelete, false),
            Key(
                name: signUpQuota + "quota", accepts: "a whole number from 1 to 1000000", standard: "", kind: .int64
            ) { Int($0).map((1...1_000_000).contains) ?? false },
            Key(
                name: signUpQuota + "startTime", accepts: "a time, as 2026-12-24T18:00:00Z", standard: "", kind: .time
            ) { Moment(timestamp: $0) != nil },
            Key(name: signUpQuota + "quotaDuration", accepts: "seconds, as 604800s for a week", standard: "") {
                $0.utf8.last == UInt8(ascii: "s") && $0.utf8.count <= 12 && $0.utf8.dropLast().allSatisfy(ASCII.isDigit)
                    && (seconds($0) ?? 0) > 0
            },
            Key(
                name: "notification.sendEmail.callbackUri",
                accepts: "an https URL (http on localhost) of your own action page, or nothing for ours", standard: ""
            ) { $0.isEmpty || (try? HandlerURL(parsing: $0)) != nil },
            // Which form links into apps have where a request names no domain.
            Key(
                name: mobileLinks, accepts: "HOSTING_DOMAIN or \(dynamicLinks)", standard: "HOSTING_DOMAIN"
            ) { ["HOSTING_DOMAIN", dynamicLinks].contains($0) },
            Key(
                name: "notification.defaultLocale",
                accepts: "a language tag, such as de or pt-BR; Homing's own words are in "
                    + Language.allCases.map(\.tag).joined(separator: ", "), standard: "en", kind: .language
            ) { LanguageTag(parsing: $0) != nil },
            Key(
                name: "passwordPolicyConfig.passwordPolicyEnforcementState", accepts: "ENFORCE or OFF",
                standard: "ENFORCE"
            ) { ["ENFORCE", "OFF"].contains($0) },
            flag("passwordPolicyConfig.forceUpgradeOnSignin", false),
            // A setting of ours beside Firebase's.
            flag("passwordPolicyConfig.refuseGuessablePasswords", true),
            number("passwordPolicyConfig.minPasswordLength", 6...30, standard: 6),
            // Firebase's most and the one that its SDKs send; a password has 1,024 bytes at most, whatever is set.
            number("passwordPolicyConfig.maxPasswordLength", 6...4096, standard: PasswordPolicy.mostBytes),
            flag("passwordPolicyConfig.containsLowercaseCharacter", false),
            flag("passwordPolicyConfig.containsUppercaseCharacter", false),
            flag("passwordPolicyConfig.containsNumericCharacter", false),
            flag("passwordPolicyConfig.containsNonAlphanumericCharacter", false),
            Key(name: "idToken.algorithm", accepts: "RS256 or ES256", standard: "RS256") {
                SigningKeys.Algorithm(rawValue: $0) != nil
            },
            Key(
                name: unopenedLinks, accepts: "0, which keeps them, or a number of days from 30 to 3650", standard: "0",
                kind: .number
            ) { Int($0).map { $0 == 0 || (30...3650).contains($0) } ?? false },
            // Firebase's names in `iss`, or ones below our own URL that any library for OpenID Connect can look up.
            Key(name: "idToken.issuer", accepts: "firebase or own", standard: "firebase") {
                TokenIssuers.Choice(rawValue: $0) != nil
            },
        ]
        + ActionCodeKind.allCases.map { kind in
            number(
                "actionCodes.lifetimeSeconds.\(kind.name)", 1...7_776_000, standard: kind.standardLifetime)
        }

    /// Sets one value; an empty one restores the default.
    package mutating func set(_ name: String, to value: String) throws(Refusal) {
        guard let key = Self.keys.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            let names = Self.keys.map(\.name).joined(separator: ", ")
            throw .invalidSetting("there is no setting \(name); there are: displayName, \(names)")
        }
        guard !value.isEmpty else {
            values[name] = nil
            return
        }
        guard key.isValid(value) else {
            throw .invalidSetting("\(name) cannot be \(value): it takes \(key.accepts)")
        }
        values[name] = key.canonical(value)
    }

    /// The value in force.
    package func value(_ name: String) -> String {
        values[name] ?? Self.standards[name] ?? ""
    }

    /// The value in force with its type: true or false, a number, or text.
    package func json(_ key: Key) -> JSON { key.json(value(key.name)) }

    private func isOn(_ name: String) -> Bool { value(name) == "true" }

    package var allowsEmail: Bool { isOn("signIn.email.enabled") }
    package var allowsEmailLink: Bool {
        (allowsEmail || allowsLinksWithoutPasswords) && !isOn("signIn.email.passwordRequired")
    }
    package var allowsAnonymous: Bool { isOn("signIn.anonymous.enabled") }
    package var hidesAddresses: Bool { isOn("emailPrivacyConfig.enableImprovedEmailPrivacy") }
    package var allowsSignUp: Bool { !isOn("client.permissions.disabledUserSignup") }
    package var allowsDeletion: Bool { !isOn("client.permissions.disabledUserDeletion") }

    /// The sign-ups that one client address may try in an hour now, where the project says so
    /// (https://cloud.google.com/identity-platform/docs/reference/rest/v2/Config, `SignUpQuotaConfig`): from its start, or
    /// always, for its duration, or for good. Nil where the server's limit holds.
    package func signUpsPerHour(at now: Moment) -> Int? {
        guard let quota = Int(value(Self.signUpQuota + "quota")) else { return nil }
        let (start, end) = signUpQuotaTimes
        return start.map { now >= $0 } ?? true && end.map { now < $0 } ?? true ? quota : nil
    }

    private var signUpQuotaTimes: (start: Moment?, end: Moment?) {
        guard let start = Moment(timestamp: value(Self.signUpQuota + "startTime")) else { return (nil, nil) }
        return (start, Self.seconds(value(Self.signUpQuota + "quotaDuration")).map { start.adding(seconds: $0) })
    }

    /// Why a number of sign-ups that is set is not in force; nil where it is, and where none is set.
    package func quotaNote(at now: Moment) -> String? {
        guard !value(Self.signUpQuota + "quota").isEmpty, signUpsPerHour(at: now) == nil else { return nil }
        let (start, end) = signUpQuotaTimes
        if let end, end <= now {
            return "the number of sign-ups is not in force: its time was over at \(end.timestamp)"
        }
        return start.map { "the number of sign-ups is not in force yet: it begins at \($0.timestamp)" }
    }

    /// Refuses settings that mean nothing together.
    package func check() throws(Refusal) {
        let quota = Self.signUpQuota
        guard value(quota + "quotaDuration").isEmpty || !value(quota + "startTime").isEmpty else {
            throw .invalidSetting("\(quota)quotaDuration wants \(quota)startTime, from which it counts")
        }
    }

    /// Refuses rules that no password can keep.
    package func checkPolicy() throws(Refusal) {
        let policy = passwordPolicy
        guard policy.minimumLength <= policy.maximumLength else { throw .impossiblePolicy(policy) }
    }

    /// When it was switched on that anonymous accounts are deleted which nobody uses; nil where that is off.
    var deletesAnonymousSince: Moment? {
        isOn(Self.autodelete) ? Int64(value(Self.autodeleteSince)).map { Moment(milliseconds: $0) } : nil
    }

    /// After how many days without being opened a short link without a name goes, and since when that is set; nil where such
    /// links stay.
    var deletesUnopenedLinks: (days: Int64, since: Moment)? {
        guard let days = Int64(value(Self.unopenedLinks)), days > 0, let since = Int64(value(Self.unopenedLinksSince))
        else { return nil }
        return (days, Moment(milliseconds: since))
    }

    /// Notes since when anonymous accounts, and links that nobody opens, are deleted.
    mutating func changed(at now: Moment) {
        if value(Self.unopenedLinks) == "0" {
            values[Self.unopenedLinksSince] = nil
        } else if values[Self.unopenedLinksSince] == nil {
            values[Self.unopenedLinksSince] = String(now.milliseconds)
        }
        if !isOn(Self.autodelete) {
            values[Self.autodeleteSince] = nil
        } else if values[Self.autodeleteSince] == nil {
            values[Self.autodeleteSince] = String(now.milliseconds)
        }
    }

    /// Whether links into apps have the form of Dynamic Links where a request names no domain.
    var prefersDynamicLinks: Bool { value(Self.mobileLinks) == Self.dynamicLinks }

    /// The language tag of people whose own is not known. Where the project has no words in it, ours are English.
    package var language: String {
        let value = value("notification.defaultLocale")
        // A value of before may be spelled in another way.
        return LanguageTag(parsing: value)?.text ?? value
    }
    package var signingAlgorithm: SigningKeys.Algorithm {
        SigningKeys.Algorithm(rawValue: value("idToken.algorithm")) ?? .rs256
    }
    var issuer: TokenIssuers.Choice { TokenIssuers.Choice(rawValue: value("idToken.issuer")) ?? .firebase }
    package var forcesPasswordUpgrade: Bool { isOn("passwordPolicyConfig.forceUpgradeOnSignin") }

    /// The operator's own action page, or nil for ours.
    package var callbackURI: String? {
        let value = value("notification.sendEmail.callbackUri")
        return value.isEmpty ? nil : value
    }

    package var passwordPolicy: PasswordPolicy {
        let name = "passwordPolicyConfig."
        return PasswordPolicy(
            isEnforced: value(name + "passwordPolicyEnforcementState") == "ENFORCE",
            minimumLength: Int(value(name + "minPasswordLength")) ?? 6,
            maximumLength: min(
                Int(value(name + "maxPasswordLength")) ?? PasswordPolicy.mostBytes, PasswordPolicy.mostBytes),
            needsLowercase: isOn(name + "containsLowercaseCharacter"),
            needsUppercase: isOn(name + "containsUppercaseCharacter"),
            needsDigit: isOn(name + "containsNumericCharacter"),
            needsSymbol: isOn(name + "containsNonAlphanumericCharacter"),
            refusesGuessable: isOn(name + "refuseGuessablePasswords"))
    }

    /// How long a code of this kind lives, in seconds.
    package func lifetime(of kind: ActionCodeKind) -> Int64 {
        Int64(value("actionCodes.lifetimeSeconds.\(kind.name)")) ?? Int64(kind.standardLifetime)
    }

    private static let mobileLinks = "mobileLinksConfig.domain"
    private static let dynamicLinks = "FIREBASE_DYNAMIC_LINK_DOMAIN"
    private static let signUpQuota = "quota.signUpQuotaConfig."
    private static let unopenedLinks = "links.unopenedDays"
    /// Kept beside the settings, and none of them.
    private static let unopenedLinksSince = "links.unopenedDays.since"
    static let autodelete = "autodeleteAnonymousUsers"
    /// Kept beside the settings, and none of them.
    static let autodeleteSince = "autodeleteAnonymousUsers.since"

    /// The seconds of a duration as protocol buffers write it in JSON, such as `604800s`; fractions are not taken.
    private static func seconds(_ duration: String) -> Int64? { Int64(duration.dropLast()) }

    private static let standards = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.standard) })

    static func flag(_ name: String, _ standard: Bool) -> Key {
        Key(name: name, accepts: "true or false", standard: String(standard), kind: .flag) {
            ["true", "false"].contains($0)
        }
    }

    private static func number(_ name: String, _ range: ClosedRange<Int>, standard: Int) -> Key {
        Key(
            name: name, accepts: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            standard: String(standard), kind: .number
        ) { value in Int(value).map(range.contains) ?? false }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPasswords
import HomingStore
import HomingTexts
import HomingWire

/// To add a setting, declare it here, list it in ``table``, and read it where it matters: `settings.isOn(.mySetting)`,
/// `settings[.mySetting]`. docs/configuration.md shows it once `SettingsDocument.markdown` is written there.
extension ProjectSetting {
    /// All settings, in the order in which they are shown.
    static let table: [ProjectSetting] =
        [
            language, offeredLanguages, website, actionPage, email, passwordsOnly, anonymous, noSignUp, noDeletion,
            tenantPasswords, tenantEmailLinks, tenantAnonymous, tenantIsDisabled, tenantInheritsTemplates,
            policyIsEnforced, leastLength, greatestLength, needsLowercase, needsUppercase, needsDigit, needsSymbol,
            refusesGuessable, forcesUpgrade,
        ] + ActionCodeKind.allCases.map(lifetime) + [hidesAddresses, unknownAddress, deletesAnonymous]
        + ActionCodeKind.requested.map(binding) + ActionCodeKind.requested.map(press) + [
            typedCodeIn, mobileLinks, unopenedLinks, passParameters, linksHome, signUpQuota, signUpQuotaStart,
            signUpQuotaDuration, tokenAlgorithm, tokenIssuer,
        ]

    // MARK: The app

    package static let language = ProjectSetting(
        "notification.defaultLocale", kind: .language,
        accepts: "a language tag, such as de or pt-BR",
        standard: "en", in: .app, "Language",
        hint: "For readers whose own is not known, such as `de`. Homing's own words are in "
            + "\(Language.count) languages."
    ) { LanguageTag(parsing: $0) != nil }

    package static let offeredLanguages = ProjectSetting(
        "notification.languages", accepts: "tags of Homing's languages with commas between them, or nothing for all",
        in: .app, "Languages that are offered",
        hint: "Tags with commas between them, such as `de, fr, it`. Empty: all that Homing has. A reader of another "
            + "one gets the language above.", isOurs: true
    ) { $0.split(separator: ",").allSatisfy { Language(tag: ASCII.trimmed($0)) != nil } }

    static let actionPage = ProjectSetting(
        "notification.sendEmail.callbackUri",
        accepts: "an https URL (http on localhost) of your own action page, or nothing for ours",
        in: .app, "Action page", hint: "The https URL of your own page, or nothing for Homing's."
    ) { $0.isEmpty || (try? HandlerURL(parsing: $0)) != nil }

    package static let website = ProjectSetting(
        "app.website", accepts: "an https URL (http on localhost) of the app's web site, or nothing",
        in: .app, "Web site",
        hint: "Where the email leads that tells an address that it has no account. "
            + "Empty: to Homing's page that asks for a reset.", isOurs: true
    ) { $0.isEmpty || (try? HandlerURL(parsing: $0)) != nil }

    // MARK: Ways to sign in

    package static let email = flag(
        "signIn.email.enabled", true, in: .signIn, "Let people sign in with an email address")

    /// Firebase's name: true means that an emailed link does not sign in.
    static let passwordsOnly = flag(
        "signIn.email.passwordRequired", false, in: .signIn, "Let people sign in with an emailed link",
        hint: "Without a password.", isNegated: true)

    package static let anonymous = flag(
        "signIn.anonymous.enabled", true, in: .signIn, "Let people sign in anonymously",
        hint: "Without an address, until they add one.")

    static let noSignUp = flag(
        "client.permissions.disabledUserSignup", false, in: .signIn, "Let people sign up by themselves",
        scope: .projectUnlessTenant, isNegated: true)

    static let noDeletion = flag(
        "client.permissions.disabledUserDeletion", false, in: .signIn, "Let people delete their own accounts",
        scope: .projectUnlessTenant, isNegated: true)

    static let tenantPasswords = flag(
        "allowPasswordSignup", false, in: .signIn, "Let people sign in with an email address and a password",
        scope: .tenant)

    static let tenantEmailLinks = flag(
        "enableEmailLinkSignin", false, in: .signIn, "Let people sign in with an emailed link", scope: .tenant)

    static let tenantAnonymous = flag(
        "enableAnonymousUser", false, in: .signIn, "Let people sign in anonymously", scope: .tenant)

    static let tenantIsDisabled = flag(
        "disableAuth", false, in: .signIn, "Let people sign in", scope: .tenant, isNegated: true)

    static let tenantInheritsTemplates = flag(
        "inheritance.emailSendingConfig", false, in: .signIn, "Emails say what the project's templates say",
        hint: "Otherwise they say what Homing says.", scope: .tenant)

    // MARK: Password policy

    private static let policy = "passwordPolicyConfig"
    /// An array with one element, the policy in force.
    package static let policyVersions = "passwordPolicyVersions"

    private static func strength(_ name: String) -> [String] {
        [policy, policyVersions, "customStrengthOptions", name]
    }

    static let policyIsEnforced = ProjectSetting(
        "\(policy).passwordPolicyEnforcementState", standard: "ENFORCE",
        in: .passwords, "The policy is in force", hint: "Otherwise six characters are enough.",
        choices: [("ENFORCE", "yes"), ("OFF", "no")], scope: .projectUnlessTenant)

    package static let leastLength = number(
        "\(policy).minPasswordLength", 6...30, standard: 6, in: .passwords, "Minimum length",
        scope: .projectUnlessTenant, path: strength("minPasswordLength"))

    /// Firebase's most and the one that its SDKs send; a password has 1,024 bytes at most, whatever is set.
    package static let greatestLength = number(
        "\(policy).maxPasswordLength", 6...4096, standard: PasswordPolicy.mostBytes,
        in: .passwords, "Maximum length", scope: .projectUnlessTenant, path: strength("maxPasswordLength"))

    static let needsLowercase = character("containsLowercaseCharacter", "Require a lower case letter")
    static let needsUppercase = character("containsUppercaseCharacter", "Require an upper case letter")
    static let needsDigit = character("containsNumericCharacter", "Require a digit")
    static let needsSymbol = character("containsNonAlphanumericCharacter", "Require a symbol")

    private static func character(_ name: String, _ label: String) -> ProjectSetting {
        flag(
            "\(policy).\(name)", false, in: .passwords, label, scope: .projectUnlessTenant, path: strength(name))
    }

    package static let refusesGuessable = flag(
        "\(policy).refuseGuessablePasswords", true, in: .passwords, "Refuse passwords that are easy to guess",
        scope: .projectUnlessTenant, isOurs: true)

    static let forcesUpgrade = flag(
        "\(policy).forceUpgradeOnSignin", false,
        in: .passwords, "Refuse sign-ins with passwords that break the policy",
        scope: .projectUnlessTenant)

    /// Whether a setting is one of the rules for passwords, which a tenant takes from its project as a whole or not at
    /// all.
    static func isPolicy(_ name: String) -> Bool { name.hasPrefix("\(policy).") }

    // MARK: Lifetimes of emailed links

    private static func lifetime(of kind: ActionCodeKind) -> ProjectSetting {
        number(
            lifetimeName(of: kind), 1...7_776_000, standard: kind.standardLifetime, in: .lifetimes, kind.title,
            isOurs: true, isDuration: true)
    }

    static func lifetimeName(of kind: ActionCodeKind) -> String { "actionCodes.lifetimeSeconds.\(kind.name)" }

    // MARK: Privacy

    package static let hidesAddresses = flag(
        "emailPrivacyConfig.enableImprovedEmailPrivacy", true, in: .privacy, "Hide whether an address has an account",
        hint: "Otherwise whoever asks is told.", scope: .projectUnlessTenant)

    package static let unknownAddress = ProjectSetting(
        "mail.unknownAddress", standard: "silent",
        in: .privacy, "An address without an account that asks for a reset or a link",
        hint: "With `tell` it gets an email about that, once a day. Whoever asks sees no difference.",
        choices: [("silent", "hears nothing"), ("tell", "is told so by email")], isOurs: true)

    static let deletesAnonymous = flag(
        "autodeleteAnonymousUsers", false, in: .privacy, "Delete unused anonymous accounts",
        hint: "Thirty days after the last use, and thirty days after this is switched on at the earliest.", scope: .each
    )

    // MARK: How emailed links are finished

    private static func binding(of kind: ActionCodeKind) -> ProjectSetting {
        ProjectSetting(
            bindingName(of: kind), standard: "optional",
            in: .finishing, kind.title, part: "Who may finish it",
            hint: "An app can bind a request to the device that asks. `required` refuses apps' other requests.",
            choices: [("optional", "anyone with the link"), ("required", "only the device that asked")],
            isOurs: true)
    }

    static func bindingName(of kind: ActionCodeKind) -> String { "actionCodes.binding.\(kind.name)" }

    private static func press(of kind: ActionCodeKind) -> ProjectSetting {
        ProjectSetting(
            pressName(of: kind), standard: "plain",
            in: .finishing, kind.title, part: "What the page asks for, unless the request is bound",
            hint: "With `number` people type two digits, so that a scanner that presses buttons does nothing.",
            choices: [("plain", "a press of the button"), ("number", "the number in the email")], isOurs: true)
    }

    static func pressName(of kind: ActionCodeKind) -> String { "actionCodes.press.\(kind.name)" }

    static let typedCodeIn = ProjectSetting(
        "actionCodes.typedCodeIn", standard: "body",
        in: .finishing, "Where else emails show the code to type",
        hint: "Lists of emails and lock screens show subject and preview to anyone who looks.",
        choices: [("body", "nowhere else"), ("preheader", "in the preview"), ("subject", "in the subject")],
        isOurs: true)

    // MARK: Short links

    static let mobileLinks = ProjectSetting(
        "mobileLinksConfig.domain", standard: "HOSTING_DOMAIN",
        in: .links, "Form of links that open an app", hint: "Of apps' requests that name no link domain.",
        choices: [
            ("HOSTING_DOMAIN", "like Firebase Hosting"), (dynamicLinks, "like Firebase Dynamic Links"),
        ])

    static let dynamicLinks = "FIREBASE_DYNAMIC_LINK_DOMAIN"

    static let unopenedLinks = ProjectSetting(
        "links.unopenedDays", kind: .number, accepts: "0, which keeps them, or a number of days from 30 to 3650",
        standard: "0",
        in: .links, "Days until an unopened short link is deleted",
        hint: "Counts for links that apps made without a name: 30 or more, or 0 to keep them.", isOurs: true
    ) { Int($0).map { $0 == 0 || (30...3650).contains($0) } ?? false }

    static let passParameters = ProjectSetting(
        "links.passParameters", standard: "known",
        in: .links, "Parameters behind a short link that are handed on",
        hint: "To a destination that has none of that name. `known`: `utm_*`, `gclid`, `gbraid`, `wbraid`, `fbclid`, "
            + "`msclkid`, `ttclid`.",
        choices: [("known", "those of campaigns and clicks"), (allParameters, "all")], isOurs: true)

    static let allParameters = "all"

    package static let linksHome = ProjectSetting(
        "links.home", accepts: "an https URL (http on localhost) that is on no link domain, or nothing",
        in: .links, "Where a link domain itself leads",
        hint: "For its home page, and for paths that are no link. Empty: Homing's page that says so.", isOurs: true
    ) { $0.isEmpty || (try? HandlerURL(parsing: $0)) != nil }

    // MARK: Sign-ups from one IP address

    package static let signUpQuota = ProjectSetting(
        "quota.signUpQuotaConfig.quota", kind: .int64, accepts: "a whole number from 1 to 1000000",
        in: .signUps, "Most sign-ups in an hour",
        hint: "For a launch or a school, where many people share one IP address. "
            + "Empty: the server's `limits.signUpPerIPHour`."
    ) { Int($0).map((1...1_000_000).contains) ?? false }

    package static let signUpQuotaStart = ProjectSetting(
        "quota.signUpQuotaConfig.startTime", kind: .time, accepts: "a time, as 2026-12-24T18:00:00Z",
        in: .signUps, "Begins", hint: "Empty: at once."
    ) { Moment(timestamp: $0) != nil }

    static let signUpQuotaDuration = ProjectSetting(
        "quota.signUpQuotaConfig.quotaDuration", accepts: "seconds, as 604800s for a week",
        in: .signUps, "Lasts", hint: "From the beginning. Empty: for good.", seconds: 1...99_999_999_999
    ) {
        $0.utf8.last == UInt8(ascii: "s") && $0.utf8.count <= 12 && $0.utf8.dropLast().allSatisfy(ASCII.isDigit)
            && (seconds($0) ?? 0) > 0
    }

    /// The seconds of a duration as protocol buffers write it in JSON, such as `604800s`; fractions are not taken.
    package static func seconds(_ duration: String) -> Int64? { Int64(duration.dropLast()) }

    // MARK: ID tokens

    static let tokenAlgorithm = ProjectSetting(
        "idToken.algorithm", standard: "RS256",
        in: .tokens, "Signature of ID tokens", hint: "RS256 is what Firebase's clients know.",
        choices: [("RS256", "RS256"), ("ES256", "ES256")], isOurs: true)

    /// Firebase's names in `iss`, or ones below our own URL that any library for OpenID Connect can look up.
    static let tokenIssuer = ProjectSetting(
        "idToken.issuer", standard: "firebase",
        in: .tokens, "Issuer of ID tokens",
        hint: "Firebase's name, or this server's own, whose keys OpenID Connect finds by itself.",
        choices: [("firebase", "Firebase's"), ("own", "this server's")], isOurs: true)
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingStore

/// What several operations read or answer.
extension Shape {
    /// ``AccountRecord``.
    static let account = Shape(
        "Account",
        [
            .text("localId", "The account's id."), .text("email", "The address."),
            .flag("emailVerified", "Whether somebody has proven to read the address's mail."),
        ] + .texts { !$0.mayPermit } + [
            .text("passwordHash", "The hash of the password in base64, or `REDACTED` in base64 in its place."),
            .text("salt", "The salt of the hash, in base64."),
            .integer("version", "0 for a hash in Firebase's scrypt."),
            .integer("passwordUpdatedAt", "When the password was set, in milliseconds since 1970."),
            .objects("providerUserInfo", provider, "The ways to sign in, and the ids at other providers."),
            .text("validSince", "Tokens of earlier sign-ins are not valid; in seconds since 1970."),
            .flag("disabled", "Whether the operator keeps the person out."),
            .text("lastLoginAt", "When the person last signed in, in milliseconds since 1970."),
            .text("createdAt", "When the account was made, in milliseconds since 1970."),
        ] + .texts(where: \.mayPermit) + [
            .flag("emailLinkSignin", "Whether a mailed link has ever signed in."),
            .flag("customAuth", "Whether a custom token has ever signed in."),
            .text("initialEmail", "The first address that the account had."),
            .text("lastRefreshAt", "When a token was last refreshed, as 2026-12-24T18:00:00Z."),
            .text("tenantId", "The tenant that the account is in."),
        ])

    /// An entry of `providerUserInfo`.
    static let provider = Shape(
        "ProviderUserInfo",
        [
            .text("providerId", "`password`, `phone`, or another provider such as `google.com`."),
            .text("rawId", "The person's id with the provider."), .text("federatedId", "The same id, or the address."),
            .text("email", "The address with the provider."), .text("phoneNumber", "The number, of `phone`."),
            .text("displayName", "The name with the provider."), .text("photoUrl", "The picture with the provider."),
        ])

    /// What is told of a batch's members that were left out.
    static let batchError = Shape(
        "BatchError",
        [
            .integer("index", "Its place in the list, from 0 on."), .text("localId", "Its id, where it has one."),
            .text("message", "Why it was left out."),
        ])

    /// ``DynamicLinkInfo``.
    static let dynamicLinkInfo = Shape(
        "DynamicLinkInfo",
        [
            .text("domainUriPrefix", "The link domain, as https://links.shop.example."),
            .text("dynamicLinkDomain", "The older name of `domainUriPrefix`."),
            .text("link", "The URL that the link leads to."),
            .object(
                "androidInfo",
                [
                    .text("androidPackageName", "The app."),
                    .text("androidFallbackLink", "Where to go without the app."),
                    .int64("androidMinPackageVersionCode", "The oldest version of the app that understands the link."),
                    .text("androidLink", "The URL for the app, in the place of `link`."),
                ], "What Android does."),
            .object(
                "iosInfo",
                [
                    .text("iosBundleId", "The app."), .text("iosFallbackLink", "Where to go without the app."),
                    .text("iosCustomScheme", "A scheme of the app's own."),
                    .text("iosIpadFallbackLink", "Where an iPad goes without the app."),
                    .text("iosIpadBundleId", "The app for iPads."),
                    .int64("iosAppStoreId", "The app's page in the App Store."),
                    .text("iosMinimumVersion", "The oldest version of the app that understands the link."),
                ], "What iPhones and iPads do."),
            .object(
                "desktopInfo", [.text("desktopFallbackLink", "Where all others go.")], "What computers do."),
            .object(
                "navigationInfo", [.flag("enableForcedRedirect", "Whether to leave out the page with the button.")],
                "How one gets there."),
            .object(
                "socialMetaTagInfo",
                [
                    .text("socialTitle", "The preview's title."), .text("socialDescription", "Its sentence."),
                    .text("socialImageLink", "Its picture."),
                ], "What messengers show of the link."),
            .object(
                "analyticsInfo",
                [
                    .object(
                        "googlePlayAnalytics",
                        [
                            .text("utmSource", "Where the person comes from."), .text("utmMedium", "By what."),
                            .text("utmCampaign", "The campaign."), .text("utmTerm", "A word that was searched for."),
                            .text("utmContent", "Which link of several."),
                            .text("gclid", "The click of an advertisement."),
                        ], "What is handed to the Play Store and the app."),
                    .object(
                        "itunesConnectAnalytics",
                        [
                            .text("at", "The affiliate's token."), .text("ct", "The campaign's token."),
                            .text("mt", "The kind of media."), .text("pt", "The provider's token."),
                        ], "What is handed to the App Store."),
                ], "The campaign."),
        ])

    static let linkWarnings = Shape(
        "DynamicLinkWarning",
        [
            .text("warningCode", "A code of the Dynamic Links API."),
            .text("warningMessage", "What is odd, in a sentence."),
        ])

    /// JSON Web Keys (RFC 7517).
    static let keySet = Shape("JSONWebKeySet", [.objects("keys", [], "The keys (RFC 7517).")])

    /// Members behind names that nobody knows beforehand, or of somebody else's document.
    static let open: Shape = []
}

extension [Member] {
    /// Texts of an account (``AccountText``).
    static func texts(where isMeant: (AccountText) -> Bool) -> [Member] {
        AccountText.all.filter(isMeant).map { .text($0.member, $0.meaning) }
    }

    /// What signs a person in.
    static let tokens: [Member] = [
        .text("idToken", "A token that says who the person is, for an hour."),
        .text("refreshToken", "For another ID token, at `token`."),
        .text("expiresIn", "Seconds that the ID token lasts."),
    ]

    /// ActionCodeSettings, as all clients send them.
    static let actionCodeSettings: [Member] = [
        .text("continueUrl", "Where the person goes when the action is done, on an authorised domain."),
        .flag("canHandleCodeInApp", "Whether the link opens the app, which then uses the code."),
        .anything("iOSBundleId", "The app for iPhones."), .anything("iosBundleId", "The same."),
        .anything("iOSAppStoreId", "Its page in the App Store."), .anything("iosAppStoreId", "The same."),
        .anything("androidPackageName", "The app for Android."),
        .anything("androidInstallApp", "Whether to lead to the Play Store without the app."),
        .anything("androidMinimumVersion", "The oldest version of the app that handles the link."),
        .anything("androidMinimumVersionCode", "The same, as JavaScript spells it."),
        .text("linkDomain", "The link domain that the link has."),
        .text("dynamicLinkDomain", "The older name of `linkDomain`."),
    ]

    /// What binds a request for a mailed link to whoever makes it (RFC 7636).
    static let challenge: [Member] = [
        .text(
            "codeChallenge",
            "The SHA-256 of a verifier that the client keeps, in base64url: whoever has the link alone cannot finish it."
        ),
        .choice("codeChallengeMethod", of: ["S256"], "Means the same where it is missing."),
    ]

    /// What is told of such a request, whoever has the address.
    static let boundRequest: [Member] = [
        .text("requestId", "With `codeChallenge`: the request, for `awaitOobCode`."),
        .text("matchNumber", "With `codeChallenge`: two digits to show, for which the page asks on another device."),
        .text("expiresIn", "With `codeChallenge`: seconds that the link lives."),
    ]

    /// What a person and the operator may both change of an account.
    static let profile: [Member] =
        [.text("email", "The address."), .text("password", "The password.")] + .texts { !$0.isOperators } + [
            .texts("deleteAttribute", "`EMAIL`, `DISPLAY_NAME`, `PHOTO_URL`, `PASSWORD`: what the account loses."),
            .texts("deleteProvider", "`password`, `phone`, or another provider: what the account loses."),
        ]

    /// What only the operator may change.
    static let privileged: [Member] =
        [
            .text("localId", "The account's id."),
            .flag("emailVerified", "Whether somebody has proven to read the address's mail."),
            .flag("disableUser", "Whether the person is kept out."), .flag("disabled", "The same."),
            .int64("validSince", "Tokens of earlier sign-ins are not valid; in seconds since 1970."),
            .int64("createdAt", "When the account was made, in milliseconds since 1970."),
            .int64("lastLoginAt", "When the person last signed in, in milliseconds since 1970."),
        ] + .texts(where: \.isOperators) + [
            .object("linkProviderUserInfo", .provider, "An id with another provider, as data."),
            .object(
                "mfa", [.anything("enrollments", "Second factors, which are not offered: an empty list is taken.")],
                "Second factors."),
        ]
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

extension IdentityToolkit {
    /// The parts of Identity Toolkit that are left out on purpose. Every SDK understands `OPERATION_NOT_ALLOWED`, but
    /// not a bare 404.
    enum NotOffered: String, CaseIterable {
        case providers = "Signing in with other identity providers is not offered."
        case phone = "Signing in with a phone number is not offered."
        case secondFactors = "Second factors are not offered."
        case passkeys = "Passkeys are not offered."
        case signOut = "Sessions are not ended by this operation: apps forget their tokens, back ends set validSince."

        /// Google's methods that it is about.
        var methods: [GoogleMethod] {
            switch self {
            case .providers:
                [
                    .signInWithIdp, .signInWithGameCenter, .issueSamlResponse, .revokeToken, .listDefaultSupportedIdps,
                ]
            case .phone: [.sendVerificationCode, .signInWithPhoneNumber, .verifyIosClient, .getRecaptchaParams]
            case .secondFactors: GoogleMethod.secondFactors
            case .passkeys: GoogleMethod.passkeys
            case .signOut: [.signOutUser]
            }
        }
    }

    private static let providerSettings = ["defaultSupportedIdpConfigs", "inboundSamlConfigs", "oauthIdpConfigs"]

    /// What back ends ask of a project or a tenant and is left out, by the path behind the project.
    static let notOfferedOfProjects: [(path: String, sentence: String)] =
        (providerSettings + ["identityPlatform:initializeAuth"] + providerSettings.map { "tenants/{tenant}/\($0)" })
        .map { ($0, NotOffered.providers.rawValue) }
        + ["getIamPolicy", "setIamPolicy", "testIamPermissions"].map {
            ("tenants/{tenant}:\($0)", "Access is granted by admin keys.")
        }
}

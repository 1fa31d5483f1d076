// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension IdentityToolkit {
    /// The parts of Identity Toolkit that are left out on purpose. Every SDK understands `OPERATION_NOT_ALLOWED`, but
    /// not a bare 404.
    enum NotOffered: String, CaseIterable {
        case providers = "Signing in with other identity providers is not offered."
        case phone = "Signing in with a phone number is not offered."
        case secondFactors = "Second factors are not offered."
        case passkeys = "Passkeys are not offered."
        case signOut = "Sessions are not ended by this operation: apps forget their tokens, back ends set validSince."

        /// The paths below the host prefix that take POST.
        var operations: [String] {
            switch self {
            case .providers:
                [
                    "v1/accounts:signInWithIdp", "v1/accounts:signInWithGameCenter", "v1/accounts:issueSamlResponse",
                    "v2/accounts:revokeToken",
                ]
            case .phone:
                [
                    "v1/accounts:sendVerificationCode", "v1/accounts:signInWithPhoneNumber",
                    "v1/accounts:verifyIosClient",
                ]
            case .secondFactors:
                ["start", "finalize", "withdraw"].map { "v2/accounts/mfaEnrollment:\($0)" }
                    + ["start", "finalize"].map { "v2/accounts/mfaSignIn:\($0)" }
            case .passkeys:
                ["passkeyEnrollment", "passkeySignIn"].flatMap { name in
                    ["start", "finalize"].map { "v2/accounts/\(name):\($0)" }
                }
            case .signOut: []
            }
        }

        /// The paths below the host prefix that take GET.
        var readings: [String] {
            switch self {
            case .providers: ["v2/defaultSupportedIdps"]
            case .phone: ["v1/recaptchaParams"]
            case .secondFactors, .passkeys, .signOut: []
            }
        }

        /// The names in version 3 that take GET.
        var relyingPartyReadings: [String] { self == .phone ? ["getRecaptchaParam"] : [] }

        /// The names in version 3 that take POST.
        var relyingParty: [String] {
            switch self {
            case .providers: ["verifyAssertion", "signInWithGameCenter"]
            case .phone: ["sendVerificationCode", "verifyPhoneNumber", "verifyClient"]
            case .secondFactors, .passkeys: []
            case .signOut: ["signOutUser"]
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

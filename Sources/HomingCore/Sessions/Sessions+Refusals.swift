// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

extension Refusal {
    package static let invalidIDToken = Refusal("INVALID_ID_TOKEN")
    package static let invalidRefreshToken = Refusal("INVALID_REFRESH_TOKEN")
    package static let tokenExpired = Refusal("TOKEN_EXPIRED")
    package static let credentialTooOld = Refusal("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    /// A request that names one tenant, with the token of another, or of none.
    package static let tenantIDMismatch = Refusal("TENANT_ID_MISMATCH")
    /// A custom token of nobody whom the project knows.
    package static let credentialMismatch = Refusal("CREDENTIAL_MISMATCH")

    /// The sentence says what is wrong with it.
    package static func invalidCustomToken(_ sentence: String) -> Refusal { Refusal(.invalidCustomToken, sentence) }
}

extension Refusal.Code {
    package static let invalidCustomToken: Self = "INVALID_CUSTOM_TOKEN"
}

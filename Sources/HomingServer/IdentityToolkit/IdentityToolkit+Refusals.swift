// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore

// What is refused of the members of Identity Toolkit's requests, before a verb sees them.
extension Refusal {
    static let missingRequestType = Refusal("MISSING_REQ_TYPE")
    static let unsupportedParameters = Refusal(
        Code("UNSUPPORTED_PARAMETERS", says: "INVALID_REQ_TYPE"), "Unsupported request parameters.")
    static let invalidNewEmail = Refusal("INVALID_NEW_EMAIL")
    static let missingPassword = Refusal("MISSING_PASSWORD")
    static let missingLocalID = Refusal("MISSING_LOCAL_ID")
    static let missingProviderID = Refusal("MISSING_PROVIDER_ID")
    static let missingRawID = Refusal("MISSING_RAW_ID")
    static let missingIdentifier = Refusal("MISSING_IDENTIFIER")
    static let invalidIdentifier = Refusal("INVALID_IDENTIFIER")
    static let missingClientType = Refusal("MISSING_CLIENT_TYPE")
    static let missingRecaptchaVersion = Refusal("MISSING_RECAPTCHA_VERSION")

    static func unexpectedParameter(_ name: String) -> Refusal { Refusal("UNEXPECTED_PARAMETER", name) }

    static func invalidProfileAttribute(_ sentence: String) -> Refusal {
        Refusal("INVALID_PROFILE_ATTRIBUTE", sentence)
    }

    // Tokens.
    static let missingIDToken = Refusal("MISSING_ID_TOKEN")
    static let missingCustomToken = Refusal("MISSING_CUSTOM_TOKEN")
    /// A session cookie that is to live too short or too long.
    static let invalidDuration = Refusal("INVALID_DURATION")
    static let missingGrantType = Refusal("MISSING_GRANT_TYPE")
    static let invalidGrantType = Refusal("INVALID_GRANT_TYPE")
    static let missingRefreshToken = Refusal("MISSING_REFRESH_TOKEN")

    // Lists of accounts.
    static let missingUserAccount = Refusal("MISSING_USER_ACCOUNT")
    static let localIDListExceedsLimit = Refusal("LOCAL_ID_LIST_EXCEEDS_LIMIT")

    /// One list of accounts has an id twice.
    static func duplicateLocalIDs(_ id: AccountID) -> Refusal {
        Refusal(Code("DUPLICATE_LOCAL_IDS", says: "DUPLICATE_LOCAL_ID"), id.text)
    }

    static func duplicateEmail(_ address: String) -> Refusal { Refusal("DUPLICATE_EMAIL", address) }

    static func duplicateRawID(provider: String, id: String) -> Refusal {
        Refusal("DUPLICATE_RAW_ID", "Provider id(\(provider)), Raw id(\(id))")
    }
}

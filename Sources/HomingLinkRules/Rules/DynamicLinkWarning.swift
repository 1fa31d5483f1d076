// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// A warning about a link that works, but not as its author thinks; `warning[]` on the wire.
package struct DynamicLinkWarning: Sendable, Hashable {
    /// The values of Firebase's `warningCode` that Homing gives.
    package enum Code: String, Sendable, CaseIterable {
        case notInProjectAndroidPackageName = "NOT_IN_PROJECT_ANDROID_PACKAGE_NAME"
        case notIntegerAndroidPackageMinVersion = "NOT_INTEGER_ANDROID_PACKAGE_MIN_VERSION"
        case unnecessaryAndroidPackageMinVersion = "UNNECESSARY_ANDROID_PACKAGE_MIN_VERSION"
        case notURIAndroidLink = "NOT_URI_ANDROID_LINK"
        case unnecessaryAndroidLink = "UNNECESSARY_ANDROID_LINK"
        case notURIAndroidFallbackLink = "NOT_URI_ANDROID_FALLBACK_LINK"
        case badURISchemeAndroidFallbackLink = "BAD_URI_SCHEME_ANDROID_FALLBACK_LINK"
        case notInProjectIOSBundleID = "NOT_IN_PROJECT_IOS_BUNDLE_ID"
        case notInProjectIPadBundleID = "NOT_IN_PROJECT_IPAD_BUNDLE_ID"
        case unnecessaryIOSURLScheme = "UNNECESSARY_IOS_URL_SCHEME"
        case notNumericIOSAppStoreID = "NOT_NUMERIC_IOS_APP_STORE_ID"
        case unnecessaryIOSAppStoreID = "UNNECESSARY_IOS_APP_STORE_ID"
        case notURIIOSFallbackLink = "NOT_URI_IOS_FALLBACK_LINK"
        case badURISchemeIOSFallbackLink = "BAD_URI_SCHEME_IOS_FALLBACK_LINK"
        case notURIIPadFallbackLink = "NOT_URI_IPAD_FALLBACK_LINK"
        case badURISchemeIPadFallbackLink = "BAD_URI_SCHEME_IPAD_FALLBACK_LINK"
        case notMatchingIOSBundleIDAndStoreID = "NOT_MATCHING_IOS_BUNDLE_ID_AND_STORE_ID"
        case badDebugParam = "BAD_DEBUG_PARAM"
        case badAdParam = "BAD_AD_PARAM"
        case deprecatedParam = "DEPRECATED_PARAM"
        case unrecognizedParam = "UNRECOGNIZED_PARAM"
        case tooLongParam = "TOO_LONG_PARAM"
        case linkLengthTooLong = "LINK_LENGTH_TOO_LONG"
        case linkWithFragments = "LINK_WITH_FRAGMENTS"
        case notURISocialImageLink = "NOT_URI_SOCIAL_IMAGE_LINK"
        case badURISchemeSocialImageLink = "BAD_URI_SCHEME_SOCIAL_IMAGE_LINK"
    }

    package let code: Code
    /// The problem, and what to do.
    package let message: String
    package let remedy: Remedy?

    package init(code: Code, message: String, remedy: Remedy? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}

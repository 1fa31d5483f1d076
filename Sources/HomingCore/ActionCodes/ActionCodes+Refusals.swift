// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

extension Refusal {
    package static let missingCode = Refusal("MISSING_OOB_CODE")
    package static let codeExpired = Refusal("EXPIRED_OOB_CODE")
    package static let signInEmailMismatch = Refusal(
        Code("SIGN_IN_EMAIL_MISMATCH", says: "INVALID_EMAIL"),
        "The email provided does not match the sign-in email address.")

    /// Its cause is the ``DeadCode``.
    package static func codeInvalid(_ reason: DeadCode) -> Refusal { Refusal("INVALID_OOB_CODE", cause: reason) }

    /// - Parameter name: a kind of mail that cannot be asked for here; empty for one that is none.
    package static func invalidRequestType(_ name: String) -> Refusal { Refusal("INVALID_REQ_TYPE", name) }

    // The settings of a code.
    package static let missingAndroidPackageName = Refusal(
        "MISSING_ANDROID_PACKAGE_NAME",
        "androidPackageName is needed with androidInstallApp and androidMinimumVersion.")
    package static let missingIOSBundleID = Refusal(
        "MISSING_IOS_BUNDLE_ID", "iOSBundleId is needed with iOSAppStoreId.")
    package static let invalidHostingLinkDomain = Refusal(
        "INVALID_HOSTING_LINK_DOMAIN", "The provided hosting link domain is not configured for the project.")
    package static let invalidDynamicLinkDomain = Refusal(
        "INVALID_DYNAMIC_LINK_DOMAIN", "The provided dynamic link domain is not configured for the project.")
    package static let dynamicLinkNotActivated = Refusal(
        "DYNAMIC_LINK_NOT_ACTIVATED", "add a link domain", remedy: .addLinkDomain)

    package static func missingContinueURI(member: String) -> Refusal {
        Refusal(
            "MISSING_CONTINUE_URI",
            "\(member) is needed: the URL of a page or app of yours, where the person goes on.")
    }
}

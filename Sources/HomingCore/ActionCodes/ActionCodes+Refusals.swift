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

    package static let emailLinksAreOff = operationNotAllowed(
        "Signing in by a mailed link is switched off in the project.")

    // Bound requests.
    package static let missingCodeVerifier = Refusal(
        "MISSING_CODE_VERIFIER", "This code works together with the codeVerifier of the client that asked for it.")
    package static let invalidRequestID = Refusal("INVALID_REQUEST_ID")

    package static func invalidCodeChallenge(_ sentence: String) -> Refusal {
        Refusal("INVALID_CODE_CHALLENGE", sentence)
    }

    /// The two digits on the page are not those that were asked for. Its cause is the ``TriesLeft``; after the last one
    /// the code is dead.
    package static func wrongNumber(triesLeft: Int) -> Refusal {
        Refusal(.wrongNumber, cause: TriesLeft(count: triesLeft))
    }

    /// The code that was typed is not the one in the mail. Its cause is the ``TriesLeft``.
    package static func wrongTypedCode(triesLeft: Int) -> Refusal {
        Refusal(.wrongTypedCode, cause: TriesLeft(count: triesLeft))
    }

    /// The tries that are left, where it is a wrong number or a wrong typed code.
    package var triesLeft: Int? { (cause as? TriesLeft)?.count }

    static let mailedAMomentAgo = mailedAMomentAgo(retryAfterSeconds: nil)

    static func mailedAMomentAgo(retryAfterSeconds seconds: Int?) -> Refusal {
        Refusal(
            .tooManyAttempts, "An email went to this address a moment ago. Try again later.", retryAfter: seconds)
    }

    static func bindingRequired(_ kind: ActionCodeKind) -> Refusal {
        .operationNotAllowed("This project takes requests of \(kind.name) with a codeChallenge only.")
    }

    static let tooManyWrongNumbers = tooManyAttempts(
        "Too many wrong numbers were given for this address. Try again later, or open the link where it was asked for.")
    static let tooManyWrongTypedCodes = tooManyAttempts(
        "Too many wrong codes were typed for this address. Open the link in the email, or try again later.")

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

/// How often somebody may try again.
package struct TriesLeft: Sendable, Equatable {
    package let count: Int
}

extension Refusal.Code {
    package static let wrongNumber = Self("WRONG_NUMBER", says: "INVALID_OOB_CODE")
    package static let wrongTypedCode = Self("WRONG_TYPED_CODE", says: "INVALID_OOB_CODE")
}

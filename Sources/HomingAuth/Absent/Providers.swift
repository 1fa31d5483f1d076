// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Google, whose id code compares; signing in with it is not offered.
public enum GoogleAuthProvider {
    /// `google.com`
    public static let id = "google.com"

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in with Google. Let your back end check Google's token and call \
            signIn(withCustomToken:).
            """
    )
    public static func credential(withIDToken idToken: String, accessToken: String) -> AuthCredential { absent() }
}

/// Facebook, whose id code compares; signing in with it is not offered.
public enum FacebookAuthProvider {
    /// `facebook.com`
    public static let id = "facebook.com"

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in with Facebook. Let your back end check Facebook's token and call \
            signIn(withCustomToken:).
            """
    )
    public static func credential(withAccessToken accessToken: String) -> AuthCredential { absent() }
}

/// X, whose id code compares; signing in with it is not offered.
public enum TwitterAuthProvider {
    /// `twitter.com`
    public static let id = "twitter.com"

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in with X. Let your back end check the token and call signIn(withCustomToken:).
            """
    )
    public static func credential(withToken token: String, secret: String) -> AuthCredential { absent() }
}

/// GitHub, whose id code compares; signing in with it is not offered.
public enum GitHubAuthProvider {
    /// `github.com`
    public static let id = "github.com"

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in with GitHub. Let your back end check GitHub's token and call \
            signIn(withCustomToken:).
            """
    )
    public static func credential(withToken token: String) -> AuthCredential { absent() }
}

/// Phone numbers, whose id code compares; signing in with one is not offered.
public enum PhoneAuthProvider {
    /// `phone`
    public static let id = "phone"

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing sends no text messages. Offer a mailed link or its code: \
            sendSignInLink(toEmail:actionCodeSettings:finishing:).
            """
    )
    public static func provider() -> PhoneAuthProvider { absent() }

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing sends no text messages. Offer a mailed link or its code: \
            sendSignInLink(toEmail:actionCodeSettings:finishing:).
            """
    )
    public static func provider(auth: Auth) -> PhoneAuthProvider { absent() }

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing sends no text messages. Offer a mailed link or its code: \
            sendSignInLink(toEmail:actionCodeSettings:finishing:).
            """
    )
    public func verifyPhoneNumber(
        _ phoneNumber: String, uiDelegate: (any AnyObject)?, completion: ((String?, (any Error)?) -> Void)?
    ) { absent() }

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing sends no text messages. Offer a mailed link or its code: \
            sendSignInLink(toEmail:actionCodeSettings:finishing:).
            """
    )
    public func credential(withVerificationID verificationID: String, verificationCode: String) -> AuthCredential {
        absent()
    }
}

/// Apple and others, by OAuth; signing in with them is not offered.
public enum OAuthProvider {
    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in with Apple. Let your back end check Apple's token and call \
            signIn(withCustomToken:).
            """
    )
    public static func appleCredential(withIDToken idToken: String, rawNonce: String?, fullName: Any?)
        -> AuthCredential
    { absent() }

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in by OAuth. Let your back end check the token and call signIn(withCustomToken:).
            """
    )
    public static func credential(
        withProviderID providerID: String, idToken: String, rawNonce: String?, accessToken: String? = nil
    ) -> AuthCredential { absent() }

    /// Not offered.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in by OAuth. Let your back end check the token and call signIn(withCustomToken:).
            """
    )
    public static func credential(
        providerID: AuthProviderID, idToken: String, rawNonce: String? = nil, accessToken: String? = nil
    ) -> AuthCredential { absent() }
}

/// The body of what nobody can call.
func absent() -> Never { fatalError("The compiler lets nobody call this.") }

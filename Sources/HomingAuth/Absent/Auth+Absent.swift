// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

// What FirebaseAuth has and Homing has not, on purpose: the compiler says what to do instead.
extension Auth {
    /// It would tell strangers who has an account.
    @available(
        *, unavailable,
        message: """
            It would tell strangers who has an account. Show both ways in, or send a mail: \
            sendSignInLink(toEmail:actionCodeSettings:).
            """
    )
    public func fetchSignInMethods(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil) {
        absent()
    }

    /// It would tell strangers who has an account.
    @available(
        *, unavailable,
        message: """
            It would tell strangers who has an account. Show both ways in, or send a mail: \
            sendSignInLink(toEmail:actionCodeSettings:).
            """
    )
    public func fetchSignInMethods(forEmail email: String) async throws -> [String] { absent() }

    /// It would tell strangers who has an account.
    @available(
        *, unavailable,
        message: """
            It would tell strangers who has an account. Show both ways in, or send a mail: \
            sendSignInLink(toEmail:actionCodeSettings:).
            """
    )
    public func fetchProviders(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil) {
        absent()
    }

    /// Of phone sign-in.
    @available(
        *, unavailable,
        message: """
            There is no phone sign-in, so no URL of its. For the links of mails call handle(_:), which says what \
            a URL is.
            """
    )
    public func canHandle(_ url: URL) -> Bool { absent() }

    /// Of phone sign-in.
    @available(*, unavailable, message: "There is no phone sign-in, so no notification of its. Delete the call.")
    public func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { absent() }

    /// Of phone sign-in.
    @available(
        *, unavailable,
        message: """
            There is no phone sign-in, so no token for its notifications. Delete the line.
            """
    )
    public var apnsToken: Data? {
        get { absent() }
        set { absent() }
    }

    /// Of phone sign-in.
    @available(
        *, unavailable,
        message: """
            There is no phone sign-in, so no token for its notifications. Delete the call.
            """
    )
    public func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) { absent() }

    /// Of reCAPTCHA.
    @available(*, unavailable, message: "Homing uses no reCAPTCHA: the server counts tries. Delete the call.")
    public func initializeRecaptchaConfig(completion: (((any Error)?) -> Void)? = nil) { absent() }

    /// Of reCAPTCHA.
    @available(*, unavailable, message: "Homing uses no reCAPTCHA: the server counts tries. Delete the call.")
    public func initializeRecaptchaConfig() async throws { absent() }

    /// Of signing in with Apple.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in with Apple, so it keeps no token of Apple's. Let your back end revoke it.
            """
    )
    public func revokeToken(
        withAuthorizationCode authorizationCode: String, completion: (((any Error)?) -> Void)? = nil
    ) { absent() }

    /// Of signing in with Apple.
    @available(
        *, unavailable,
        message: """
            Homing signs nobody in with Apple, so it keeps no token of Apple's. Let your back end revoke it.
            """
    )
    public func revokeToken(withAuthorizationCode authorizationCode: String) async throws { absent() }

    /// A session leaves no device.
    @available(
        *, unavailable,
        message: """
            A session leaves no device: a refresh token is as good as a password. Apps of one team on one device \
            share it with useUserAccessGroup(_:).
            """
    )
    public var shareAuthStateAcrossDevices: Bool {
        get { absent() }
        set { absent() }
    }

    /// The domain of pages.
    @available(
        *, unavailable,
        message: """
            The server's own URL is the domain of every page: HomingApp.configure(endpoint:apiKey:).
            """
    )
    public var customAuthDomain: String? {
        get { absent() }
        set { absent() }
    }

    /// FirebaseAuth's name before version 4.
    @available(*, unavailable, renamed: "createUser(withEmail:password:completion:)")
    public func createUser(email: String, password: String, completion: ((AuthDataResult?, (any Error)?) -> Void)?) {
        absent()
    }

    /// FirebaseAuth's name before version 5.
    @available(*, unavailable, renamed: "signIn(with:completion:)")
    public func signInAndRetrieveData(
        with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) { absent() }
}

/// Of phone sign-in.
public enum AuthAPNSTokenType: Int, Sendable {
    /// Whatever the app was signed for.
    case unknown
    /// Development.
    case sandbox
    /// Production.
    case prod
}

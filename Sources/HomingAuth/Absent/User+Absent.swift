// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// What FirebaseAuth has and Homing has not, on purpose: the compiler says what to do instead.
extension User {
    /// An address is not changed before somebody has answered a mail to it.
    @available(
        *, unavailable,
        message: """
            An address changes when somebody has answered a mail to it: \
            sendEmailVerification(beforeUpdatingEmail:).
            """
    )
    public func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) { absent() }

    /// An address is not changed before somebody has answered a mail to it.
    @available(
        *, unavailable,
        message: """
            An address changes when somebody has answered a mail to it: \
            sendEmailVerification(beforeUpdatingEmail:).
            """
    )
    public func updateEmail(to email: String) async throws { absent() }

    /// Of phone sign-in.
    @available(*, unavailable, message: "Homing keeps no phone numbers. Keep it in your own data, by the user's uid.")
    public func updatePhoneNumber(_ credential: AuthCredential, completion: (((any Error)?) -> Void)? = nil) {
        absent()
    }

    /// Of phone sign-in.
    @available(*, unavailable, message: "Homing keeps no phone numbers. Keep it in your own data, by the user's uid.")
    public func updatePhoneNumber(_ credential: AuthCredential) async throws { absent() }

    /// There is one provider.
    @available(
        *, unavailable,
        message: """
            There is one provider, and without it the account has no way in. Delete the account with delete(), or \
            set a new password.
            """
    )
    public func unlink(fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil) { absent() }

    /// There is one provider.
    @available(
        *, unavailable,
        message: """
            There is one provider, and without it the account has no way in. Delete the account with delete(), or \
            set a new password.
            """
    )
    public func unlink(fromProvider provider: String) async throws -> User { absent() }

    /// Of a second factor.
    @available(
        *, unavailable,
        message: """
            Homing has no second factor by phone or app. Ask for a mailed link again with reauthenticate(with:) \
            before what matters.
            """
    )
    public var multiFactor: MultiFactor { absent() }

    /// FirebaseAuth's name before version 5.
    @available(*, unavailable, renamed: "link(with:completion:)")
    public func linkAndRetrieveData(
        with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) { absent() }

    /// FirebaseAuth's name before version 5.
    @available(*, unavailable, renamed: "reauthenticate(with:completion:)")
    public func reauthenticateAndRetrieveData(
        with credential: AuthCredential, completion: ((AuthDataResult?, (any Error)?) -> Void)?
    ) { absent() }

    /// FirebaseAuth's name before version 4.
    @available(*, unavailable, renamed: "getIDTokenForcingRefresh(_:completion:)")
    public func getTokenForcingRefresh(_ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?) {
        absent()
    }

    /// What Firebase's page on state in email actions calls it.
    @available(*, unavailable, renamed: "sendEmailVerification(with:completion:)")
    public func sendEmailVerification(
        withActionCodeSettings actionCodeSettings: ActionCodeSettings?, completion: (((any Error)?) -> Void)? = nil
    ) { absent() }

    /// FirebaseAuth's name before version 4.
    @available(*, unavailable, renamed: "createProfileChangeRequest()")
    public func profileChangeRequest() -> UserProfileChangeRequest { absent() }
}

/// Of a second factor, which is not offered.
public enum MultiFactor: Sendable {
    /// Nothing is ever enrolled.
    @available(*, unavailable, message: "Homing has no second factor by phone or app. Delete the call.")
    public var enrolledFactors: [any UserInfo] { absent() }
}

// The names on Firebase's page on state in email actions, which FirebaseAuth does not have either.
extension ActionCodeSettings {
    /// On Firebase's page.
    @available(*, unavailable, renamed: "handleCodeInApp")
    public var canHandleInApp: Bool {
        get { absent() }
        set { absent() }
    }

    /// On Firebase's page, and a text there.
    @available(
        *, unavailable,
        message: """
            It is url here, a URL: settings.url = URL(string: "https://www.example.com/?email=…")
            """
    )
    public var URL: String {
        get { absent() }
        set { absent() }
    }

    /// On Firebase's page.
    @available(*, unavailable, renamed: "iOSBundleID")
    public var iOSbundleID: String? {
        get { absent() }
        set { absent() }
    }

    /// In the other SDKs.
    @available(*, unavailable, renamed: "iOSBundleID")
    public var iOSBundleId: String? {
        get { absent() }
        set { absent() }
    }

    /// In the other SDKs.
    @available(*, unavailable, renamed: "setIOSBundleID(_:)")
    public func setIOSBundleId(_ bundleID: String) { absent() }

    /// In the other SDKs.
    @available(*, unavailable, renamed: "setAndroidPackageName(_:installIfNotAvailable:minimumVersion:)")
    public func setAndroidPackageName(_ name: String, installApp: Bool, minimumVersion: String?) { absent() }
}

extension Auth {
    /// On Firebase's page.
    @available(*, unavailable, renamed: "sendPasswordReset(withEmail:actionCodeSettings:completion:)")
    public func sendPasswordReset(
        withEmail email: String, withActionCodeSettings actionCodeSettings: ActionCodeSettings?,
        completion: (((any Error)?) -> Void)? = nil
    ) { absent() }
}

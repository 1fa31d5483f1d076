// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// The domain of every error of the calls.
extern NSString *const FIRAuthErrorDomain;

/// Under which `userInfo` has the name, such as `ERROR_USER_NOT_FOUND`.
extern NSString *const FIRAuthErrorUserInfoNameKey;

/// Under which `userInfo` has the address that the error is about.
extern NSString *const FIRAuthErrorUserInfoEmailKey;

/// Under which `userInfo` has, as an `NSNumber`, how often the code of a mail may still be typed, when one that was typed
/// is wrong.
extern NSString *const HOMAuthErrorUserInfoTriesLeftKey;

/// What went wrong, with the names and numbers of FirebaseAuth. The error's `localizedDescription` says what to do.
typedef NS_ENUM(NSInteger, FIRAuthErrorCode) {
    /// The back end's token is malformed, too old, or not signed by a service account of the server.
    FIRAuthErrorCodeInvalidCustomToken = 17000,
    /// The back end's token is of another project.
    FIRAuthErrorCodeCustomTokenMismatch = 17002,
    /// The address, the password or the code is wrong.
    FIRAuthErrorCodeInvalidCredential = 17004,
    /// The operator has disabled the account.
    FIRAuthErrorCodeUserDisabled = 17005,
    /// The project does not offer this way of signing in, or this change.
    FIRAuthErrorCodeOperationNotAllowed = 17006,
    /// Another account has the address.
    FIRAuthErrorCodeEmailAlreadyInUse = 17007,
    /// The address is not one, or not the one that the link was mailed to.
    FIRAuthErrorCodeInvalidEmail = 17008,
    /// The password is wrong.
    FIRAuthErrorCodeWrongPassword = 17009,
    /// A limit was reached; try again later.
    FIRAuthErrorCodeTooManyRequests = 17010,
    /// There is no such account, or it is gone.
    FIRAuthErrorCodeUserNotFound = 17011,
    /// The change needs a fresh sign-in: `reauthenticateWithCredential:completion:` first.
    FIRAuthErrorCodeRequiresRecentLogin = 17014,
    /// The user has an address to sign in with already.
    FIRAuthErrorCodeProviderAlreadyLinked = 17015,
    /// The session is not valid; sign in again.
    FIRAuthErrorCodeInvalidUserToken = 17017,
    /// The server was not reached or had no time.
    FIRAuthErrorCodeNetworkError = 17020,
    /// The session was ended, by a new password for example; sign in again.
    FIRAuthErrorCodeUserTokenExpired = 17021,
    /// The server does not know the key, or nothing was configured.
    FIRAuthErrorCodeInvalidAPIKey = 17023,
    /// The credential belongs to somebody else than the signed-in user.
    FIRAuthErrorCodeUserMismatch = 17024,
    /// The password is too short or too easy.
    FIRAuthErrorCodeWeakPassword = 17026,
    /// The code's time is over; ask for a new mail.
    FIRAuthErrorCodeExpiredActionCode = 17029,
    /// The code was used, replaced or damaged; ask for a new mail.
    FIRAuthErrorCodeInvalidActionCode = 17030,
    /// Nothing can be mailed to the address.
    FIRAuthErrorCodeInvalidRecipientEmail = 17033,
    /// An address is needed.
    FIRAuthErrorCodeMissingEmail = 17034,
    /// The settings' `iOSBundleID` is needed.
    FIRAuthErrorCodeMissingIosBundleID = 17036,
    /// The settings' `androidPackageName` is needed too.
    FIRAuthErrorCodeMissingAndroidPackageName = 17037,
    /// The continue URL's domain is not on the project's list.
    FIRAuthErrorCodeUnauthorizedDomain = 17038,
    /// The continue URL is not one.
    FIRAuthErrorCodeInvalidContinueURI = 17039,
    /// The settings' `URL` is needed.
    FIRAuthErrorCodeMissingContinueURI = 17040,
    /// The project's quota is used up.
    FIRAuthErrorCodeQuotaExceeded = 17052,
    /// A user is needed.
    FIRAuthErrorCodeNullUser = 17067,
    /// The project has no link domain.
    FIRAuthErrorCodeDynamicLinkNotActivated = 17068,
    /// The session belongs to another tenant.
    FIRAuthErrorCodeTenantIDMismatch = 17072,
    /// The settings' `dynamicLinkDomain` is not one of the project's.
    FIRAuthErrorCodeInvalidDynamicLinkDomain = 17074,
    /// Only the operator may do this.
    FIRAuthErrorCodeAdminRestrictedOperation = 17085,
    /// The new address has to be verified first.
    FIRAuthErrorCodeEmailChangeNeedsVerification = 17090,
    /// The project's password policy refuses the password; the message lists what is missing.
    FIRAuthErrorCodePasswordDoesNotMeetRequirements = 17211,
    /// The settings' `linkDomain` is not one of the project's.
    FIRAuthErrorCodeInvalidHostingLinkDomain = 17214,
    /// The session could not be kept on, or removed from, this device.
    FIRAuthErrorCodeKeychainError = 17995,
    /// Anything else; the message says what.
    FIRAuthErrorCodeInternalError = 17999,

    // Of requests that are finished anywhere. FirebaseAuth has no number above 18000.

    /// Another device has asked for the code, or this app before it was installed anew.
    FIRAuthErrorCodeMissingCodeVerifier = 19001,
    /// The server does not know the request that is waited for.
    FIRAuthErrorCodeInvalidRequestID = 19002,
    /// The server does not take the challenge of a request.
    FIRAuthErrorCodeInvalidCodeChallenge = 19003,
    /// Whoever opened the mail did not ask for it, or typed three wrong numbers.
    FIRAuthErrorCodeActionDeclined = 19004,
    /// The app itself has stopped waiting.
    FIRAuthErrorCodeWaitCancelled = 19005,

    // A Homing server has no reason for the following. They are here for code that was written for FirebaseAuth.

    FIRAuthErrorCodeAccountExistsWithDifferentCredential = 17012,
    FIRAuthErrorCodeNoSuchProvider = 17016,
    FIRAuthErrorCodeCredentialAlreadyInUse = 17025,
    FIRAuthErrorCodeAppNotAuthorized = 17028,
    FIRAuthErrorCodeInvalidMessagePayload = 17031,
    FIRAuthErrorCodeInvalidSender = 17032,
    FIRAuthErrorCodeMissingPhoneNumber = 17041,
    FIRAuthErrorCodeInvalidPhoneNumber = 17042,
    FIRAuthErrorCodeMissingVerificationCode = 17043,
    FIRAuthErrorCodeInvalidVerificationCode = 17044,
    FIRAuthErrorCodeMissingVerificationID = 17045,
    FIRAuthErrorCodeInvalidVerificationID = 17046,
    FIRAuthErrorCodeMissingAppCredential = 17047,
    FIRAuthErrorCodeInvalidAppCredential = 17048,
    FIRAuthErrorCodeSessionExpired = 17051,
    FIRAuthErrorCodeMissingAppToken = 17053,
    FIRAuthErrorCodeNotificationNotForwarded = 17054,
    FIRAuthErrorCodeAppNotVerified = 17055,
    FIRAuthErrorCodeCaptchaCheckFailed = 17056,
    FIRAuthErrorCodeWebContextAlreadyPresented = 17057,
    FIRAuthErrorCodeWebContextCancelled = 17058,
    FIRAuthErrorCodeAppVerificationUserInteractionFailure = 17059,
    FIRAuthErrorCodeInvalidClientID = 17060,
    FIRAuthErrorCodeWebNetworkRequestFailed = 17061,
    FIRAuthErrorCodeWebInternalError = 17062,
    FIRAuthErrorCodeWebSignInUserInteractionFailure = 17063,
    FIRAuthErrorCodeLocalPlayerNotAuthenticated = 17066,
    FIRAuthErrorCodeInvalidProviderID = 17071,
    FIRAuthErrorCodeUnsupportedTenantOperation = 17073,
    FIRAuthErrorCodeRejectedCredential = 17075,
    FIRAuthErrorCodeGameKitNotLinked = 17076,
    FIRAuthErrorCodeSecondFactorRequired = 17078,
    FIRAuthErrorCodeMissingMultiFactorSession = 17081,
    FIRAuthErrorCodeMissingMultiFactorInfo = 17082,
    FIRAuthErrorCodeInvalidMultiFactorSession = 17083,
    FIRAuthErrorCodeMultiFactorInfoNotFound = 17084,
    FIRAuthErrorCodeUnverifiedEmail = 17086,
    FIRAuthErrorCodeSecondFactorAlreadyEnrolled = 17087,
    FIRAuthErrorCodeMaximumSecondFactorCountExceeded = 17088,
    FIRAuthErrorCodeUnsupportedFirstFactor = 17089,
    FIRAuthErrorCodeMissingClientIdentifier = 17093,
    FIRAuthErrorCodeMissingOrInvalidNonce = 17094,
    FIRAuthErrorCodeBlockingCloudFunctionError = 17105,
    FIRAuthErrorCodeRecaptchaNotEnabled = 17200,
    FIRAuthErrorCodeMissingRecaptchaToken = 17201,
    FIRAuthErrorCodeInvalidRecaptchaToken = 17202,
    FIRAuthErrorCodeInvalidRecaptchaAction = 17203,
    FIRAuthErrorCodeMissingClientType = 17204,
    FIRAuthErrorCodeMissingRecaptchaVersion = 17205,
    FIRAuthErrorCodeInvalidRecaptchaVersion = 17206,
    FIRAuthErrorCodeInvalidReqType = 17207,
    FIRAuthErrorCodeRecaptchaSDKNotLinked = 17208,
    FIRAuthErrorCodeRecaptchaSiteKeyMissing = 17209,
    FIRAuthErrorCodeRecaptchaActionCreationFailed = 17210,
    FIRAuthErrorCodeMalformedJWT = 18000,
};

NS_ASSUME_NONNULL_END

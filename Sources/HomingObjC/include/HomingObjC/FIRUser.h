// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

#import "FIRUserInfo.h"
#import "HOMPendingAction.h"

NS_ASSUME_NONNULL_BEGIN

@class FIRActionCodeSettings;
@class FIRAuthCredential;
@class FIRAuthDataResult;
@class FIRAuthTokenResult;
@class FIRUserMetadata;
@class FIRUserProfileChangeRequest;

/// Takes an ID token or the error.
typedef void (^FIRAuthTokenCallback)(NSString *_Nullable token, NSError *_Nullable error);

/// Takes an ID token and what it says, or the error.
typedef void (^FIRAuthTokenResultCallback)(FIRAuthTokenResult *_Nullable tokenResult, NSError *_Nullable error);

/// Takes nothing or the error.
typedef void (^FIRUserProfileChangeCallback)(NSError *_Nullable error);

/// Takes nothing or the error.
typedef void (^FIRSendEmailVerificationCallback)(NSError *_Nullable error);

/// Somebody with an account: who is signed in, or was. Every completion block runs once, on the main queue.
@interface FIRUser : NSObject <FIRUserInfo> {
  @private
    void *_handle;
}

/// `Firebase`, as in FirebaseAuth: the account itself and not one of its ways of signing in.
@property(nonatomic, readonly, copy) NSString *providerID;

/// The account's id, the same for ever.
@property(nonatomic, readonly, copy) NSString *uid;

/// The address; nil for an anonymous user, and for one of a custom token who has none.
@property(nonatomic, readonly, copy, nullable) NSString *email;

/// Whether a mail to the address was answered, as of the last `reloadWithCompletion:`.
@property(nonatomic, readonly, getter=isEmailVerified) BOOL emailVerified;

/// Whether the account has nothing to sign in with.
@property(nonatomic, readonly, getter=isAnonymous) BOOL anonymous;

/// The name to show; `profileChangeRequest` changes it.
@property(nonatomic, readonly, copy, nullable) NSString *displayName;

/// A picture of the user; `profileChangeRequest` changes it.
@property(nonatomic, readonly, copy, nullable) NSURL *photoURL;

/// The tenant of the project that the account is in; nil for one of the project itself.
@property(nonatomic, readonly, copy, nullable) NSString *tenantID;

/// Always nil: Homing keeps no phone numbers.
@property(nonatomic, readonly, copy, nullable) NSString *phoneNumber;

/// When the account was made and last used.
@property(nonatomic, readonly) FIRUserMetadata *metadata;

/// The ways in which this user can sign in: `password`, or none.
@property(nonatomic, readonly, copy) NSArray<id<FIRUserInfo>> *providerData;

/// What gets new ID tokens. It is as good as a password: keep it out of logs and off the network.
@property(nonatomic, readonly, copy, nullable) NSString *refreshToken;

/// Users come from `FIRAuth`.
- (instancetype)init __attribute__((unavailable));

/// Asks the server what has changed: whether the address is verified, above all.
- (void)reloadWithCompletion:(nullable void (^)(NSError *_Nullable error))completion;

/// An ID token for the app's own back end, refreshed when it is about to end.
- (void)getIDTokenWithCompletion:(nullable void (^)(NSString *_Nullable token, NSError *_Nullable error))completion;

/// An ID token for the app's own back end.
///
/// @param forceRefresh YES for a new one in any case.
- (void)getIDTokenForcingRefresh:(BOOL)forceRefresh
                      completion:(nullable void (^)(NSString *_Nullable token, NSError *_Nullable error))completion;

/// An ID token and what it says.
- (void)getIDTokenResultWithCompletion:(nullable void (^)(FIRAuthTokenResult *_Nullable tokenResult,
                                                          NSError *_Nullable error))completion;

/// An ID token and what it says.
///
/// @param forceRefresh YES for a new one in any case.
- (void)getIDTokenResultForcingRefresh:(BOOL)forceRefresh
                            completion:(nullable void (^)(FIRAuthTokenResult *_Nullable tokenResult,
                                                          NSError *_Nullable error))completion;

/// Mails a link that verifies the address.
- (void)sendEmailVerificationWithCompletion:(nullable void (^)(NSError *_Nullable error))completion;

/// Mails a link that verifies the address and brings the person back.
- (void)sendEmailVerificationWithActionCodeSettings:(nullable FIRActionCodeSettings *)actionCodeSettings
                                         completion:(nullable void (^)(NSError *_Nullable error))completion;

/// Mails a link to a new address, which becomes the user's when the link is followed.
///
/// The error is `FIRAuthErrorCodeRequiresRecentLogin` when the sign-in is too long ago.
- (void)sendEmailVerificationBeforeUpdatingEmail:(NSString *)email
                                      completion:(nullable void (^)(NSError *_Nullable error))completion;

/// The same, and brings the person back.
- (void)sendEmailVerificationBeforeUpdatingEmail:(NSString *)email
                              actionCodeSettings:(nullable FIRActionCodeSettings *)actionCodeSettings
                                      completion:(nullable void (^)(NSError *_Nullable error))completion;

/// Mails a link that verifies the address, wherever the mail is opened.
///
/// @param completion Takes what to show and wait for.
- (void)sendEmailVerificationWithActionCodeSettings:(nullable FIRActionCodeSettings *)actionCodeSettings
                                          finishing:(HOMFinishing)finishing
                                         completion:(nullable void (^)(HOMPendingAction *_Nullable action,
                                                                       NSError *_Nullable error))completion;

/// Mails a link to a new address, which becomes the user's when the link is followed, wherever that is.
///
/// @param completion Takes what to show and wait for.
- (void)sendEmailVerificationBeforeUpdatingEmail:(NSString *)email
                              actionCodeSettings:(nullable FIRActionCodeSettings *)actionCodeSettings
                                       finishing:(HOMFinishing)finishing
                                      completion:(nullable void (^)(HOMPendingAction *_Nullable action,
                                                                    NSError *_Nullable error))completion;

/// Sets a new password. It ends every other session.
///
/// The error is `FIRAuthErrorCodeRequiresRecentLogin` when the sign-in is too long ago.
- (void)updatePassword:(NSString *)password completion:(nullable void (^)(NSError *_Nullable error))completion;

/// A request that changes the user's name and picture.
- (FIRUserProfileChangeRequest *)profileChangeRequest;

/// Proves again who this is, for the calls that need a fresh sign-in.
///
/// The error is `FIRAuthErrorCodeUserMismatch` when the credential is somebody else's; the user stays who it was.
- (void)reauthenticateWithCredential:(FIRAuthCredential *)credential
                          completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                                        NSError *_Nullable error))completion;

/// Gives an anonymous user an address to sign in with, a password or a mailed link. The `uid` stays.
- (void)linkWithCredential:(FIRAuthCredential *)credential
                completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                              NSError *_Nullable error))completion;

/// Deletes the account and signs out.
///
/// The error is `FIRAuthErrorCodeRequiresRecentLogin` when the sign-in is too long ago.
- (void)deleteWithCompletion:(nullable void (^)(NSError *_Nullable error))completion;

@end

NS_ASSUME_NONNULL_END

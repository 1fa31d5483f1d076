// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

#import "HOMPendingAction.h"

NS_ASSUME_NONNULL_BEGIN

@class FIRActionCodeInfo;
@class FIRActionCodeSettings;
@class FIRAuth;
@class FIRAuthCredential;
@class FIRAuthDataResult;
@class FIRUser;
@class HOMApp;
@class HOMIncomingURL;
@class HOMUnfinishedAction;

/// What `addAuthStateDidChangeListener:` answers, for `removeAuthStateDidChangeListener:`.
typedef id<NSObject> FIRAuthStateDidChangeListenerHandle;

/// Hears who is signed in.
typedef void (^FIRAuthStateDidChangeListenerBlock)(FIRAuth *auth, FIRUser *_Nullable user);

/// What `addIDTokenDidChangeListener:` answers, for `removeIDTokenDidChangeListener:`.
typedef id<NSObject> FIRIDTokenDidChangeListenerHandle;

/// Hears who is signed in, and of new ID tokens.
typedef void (^FIRIDTokenDidChangeListenerBlock)(FIRAuth *auth, FIRUser *_Nullable user);

/// Takes a sign-in or the error.
typedef void (^FIRAuthDataResultCallback)(FIRAuthDataResult *_Nullable authResult, NSError *_Nullable error);

/// Takes nothing or the error.
typedef void (^FIRAuthVoidErrorCallback)(NSError *_Nullable error);

/// Takes nothing or the error.
typedef void (^FIRSendPasswordResetCallback)(NSError *_Nullable error);

/// Takes nothing or the error.
typedef void (^FIRSendSignInLinkToEmailCallback)(NSError *_Nullable error);

/// Takes nothing or the error.
typedef void (^FIRConfirmPasswordResetCallback)(NSError *_Nullable error);

/// Takes the address whose password a code sets, or the error.
typedef void (^FIRVerifyPasswordResetCodeCallback)(NSString *_Nullable email, NSError *_Nullable error);

/// Takes what a code does, or the error.
typedef void (^FIRCheckActionCodeCallBack)(FIRActionCodeInfo *_Nullable info, NSError *_Nullable error);

/// Takes nothing or the error.
typedef void (^FIRApplyActionCodeCallback)(NSError *_Nullable error);

/// Posted on the main queue when somebody else is signed in, or the user has a new ID token. Its object is no
/// `FIRAuth`: observe it with nil.
extern NSString *const FIRAuthStateDidChangeNotification;

/// Signing in and email actions. Every completion block runs once, on the main queue.
@interface FIRAuth : NSObject {
  @private
    void *_handle;
    FIRUser *_user;
}

/// Who is signed in; the last known user from the start, also without a network.
@property(nonatomic, readonly, nullable) FIRUser *currentUser;

/// Why the last session ended, when it was the server that ended it; nil after a sign-in and after `signOut:`.
@property(nonatomic, readonly, nullable) NSError *sessionEndReason;

/// The language of mails and pages, a BCP 47 tag; nil means the project's.
@property(nonatomic, copy, nullable) NSString *languageCode;

/// The tenant of the project in which people sign up and in, and ask for mails; nil means the project itself. A link and
/// whoever is signed in have a tenant of their own, which counts for them.
@property(nonatomic, copy, nullable) NSString *tenantID;

/// The access group of `useUserAccessGroup:error:`.
@property(nonatomic, readonly, copy, nullable) NSString *userAccessGroup;

/// The one of `HOMApp`'s default app, always the same object for it. Without an app every request fails with
/// `FIRAuthErrorCodeInvalidAPIKey` and says so.
+ (FIRAuth *)auth;

/// The one of an app.
+ (FIRAuth *)authWithApp:(HOMApp *)app;

/// What this app has asked for and can still be finished, the newest first; also after a relaunch.
@property(nonatomic, readonly, copy) NSArray<HOMPendingAction *> *pendingActions;

/// There is one for each app: `auth` and `authWithApp:`.
- (instancetype)init __attribute__((unavailable));

/// Takes the language that this device's user prefers.
- (void)useAppLanguage;

/// Asks an Auth emulator on this machine, `homing-emulator` or Firebase's, in the place of the server. Call it right after
/// `auth`, before anything else: whoever is signed in at the server stays so there, and is nobody here.
///
/// Links whose key is the one that emulators write, `fake-api-key`, are the project's own from then on.
- (void)useEmulatorWithHost:(NSString *)host port:(NSInteger)port;

#pragma mark - Sharing who is signed in

/// Shares who is signed in with the apps and extensions of a group on this device. From then on that is who is signed in
/// there; `updateCurrentUser:completion:` brings along who was signed in here. Call it at each start.
///
/// @param accessGroup With the team's prefix, from the entitlements; nil means the app's own store.
/// @param outError Why that failed.
- (BOOL)useUserAccessGroup:(nullable NSString *)accessGroup error:(NSError *_Nullable *_Nullable)outError;

/// Who is signed in in a group, without becoming a member of it: for widgets and extensions that only look.
///
/// @param accessGroup nil means the app's own store.
/// @param outError Why the store could not be read.
- (nullable FIRUser *)getStoredUserForAccessGroup:(nullable NSString *)accessGroup
                                            error:(NSError *_Nullable *_Nullable)outError;

/// Makes a user the current one, on this device: somebody who was signed in before `useUserAccessGroup:error:`.
- (void)updateCurrentUser:(nullable FIRUser *)user completion:(nullable void (^)(NSError *_Nullable error))completion;

/// Holds a password against the rules of the project. It does not leave the device.
- (void)validatePassword:(NSString *)password
              completion:(nullable void (^)(BOOL isValid, NSError *_Nullable error))completion;

#pragma mark - Signing in

/// Makes an account with an address and a password, and signs in.
- (void)createUserWithEmail:(NSString *)email
                   password:(NSString *)password
                 completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                               NSError *_Nullable error))completion;

/// Signs in with an address and its password.
- (void)signInWithEmail:(NSString *)email
               password:(NSString *)password
             completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                           NSError *_Nullable error))completion;

/// Signs in with the link that was mailed to an address; an address without an account gets one.
///
/// The error is `FIRAuthErrorCodeInvalidActionCode`, without a request, when it is no sign-in link.
- (void)signInWithEmail:(NSString *)email
                   link:(NSString *)link
             completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                           NSError *_Nullable error))completion;

/// Signs in with a sign-in link that this app has asked for: nobody has to say the address again.
///
/// The error is `FIRAuthErrorCodeMissingEmail`, without a request, when no sign-in is pending here: ask for the address.
- (void)signInWithLink:(NSString *)link
            completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                          NSError *_Nullable error))completion;

/// Signs in with a credential.
- (void)signInWithCredential:(FIRAuthCredential *)credential
                  completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                                NSError *_Nullable error))completion;

/// Signs in with a token that the app's own back end has made with a service account of the server. Somebody of whom the
/// server has not heard gets an account with the token's id.
///
/// The error is `FIRAuthErrorCodeInvalidCustomToken`, and `FIRAuthErrorCodeCustomTokenMismatch` for a token of another
/// project.
- (void)signInWithCustomToken:(NSString *)token
                   completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                                 NSError *_Nullable error))completion;

/// Signs in as nobody in particular. An anonymous user who is signed in stays the same one.
- (void)signInAnonymouslyWithCompletion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                                           NSError *_Nullable error))completion;

/// Forgets the user on this device. The session of other devices goes on.
///
/// @param error `FIRAuthErrorCodeKeychainError` when the device keeps the session; the user then stays signed in.
- (BOOL)signOut:(NSError *_Nullable *_Nullable)error;

#pragma mark - Asking for mails

/// Mails a link that sets a new password. Whether the address has an account is not told.
- (void)sendPasswordResetWithEmail:(NSString *)email
                        completion:(nullable void (^)(NSError *_Nullable error))completion;

/// Mails a link that sets a new password and brings the person back.
- (void)sendPasswordResetWithEmail:(NSString *)email
                actionCodeSettings:(nullable FIRActionCodeSettings *)actionCodeSettings
                        completion:(nullable void (^)(NSError *_Nullable error))completion;

/// Mails a link that signs in. The settings' `handleCodeInApp` has to be YES.
- (void)sendSignInLinkToEmail:(NSString *)email
           actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                   completion:(nullable void (^)(NSError *_Nullable error))completion;

/// Mails a link that sets a new password, wherever the mail is opened.
///
/// @param completion Takes what to show and wait for.
- (void)sendPasswordResetWithEmail:(NSString *)email
                actionCodeSettings:(nullable FIRActionCodeSettings *)actionCodeSettings
                         finishing:(HOMFinishing)finishing
                        completion:(nullable void (^)(HOMPendingAction *_Nullable action,
                                                      NSError *_Nullable error))completion;

/// Mails a link that signs in, on this device, wherever the mail is opened. The settings' `handleCodeInApp` has to be
/// YES.
///
/// @param completion Takes what to show and wait for.
- (void)sendSignInLinkToEmail:(NSString *)email
           actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                    finishing:(HOMFinishing)finishing
                   completion:(nullable void (^)(HOMPendingAction *_Nullable action,
                                                 NSError *_Nullable error))completion;

/// Tells what the signed-in user was about to do when a mailed link was opened in a browser of a device without the app,
/// and did not finish. The server tells it once, and for a day.
- (void)pendingActionWithCompletion:(nullable void (^)(HOMUnfinishedAction *_Nullable action,
                                                       NSError *_Nullable error))completion;

#pragma mark - Using codes

/// The address whose password a code sets, without using the code up.
///
/// The error is `FIRAuthErrorCodeInvalidActionCode` also for a code that does something else.
- (void)verifyPasswordResetCode:(NSString *)code
                     completion:(void (^)(NSString *_Nullable email, NSError *_Nullable error))completion;

/// Sets a new password with a code from a mail. It ends every session of the account.
- (void)confirmPasswordResetWithCode:(NSString *)code
                         newPassword:(NSString *)newPassword
                          completion:(void (^)(NSError *_Nullable error))completion;

/// What a code does, without using it up.
- (void)checkActionCode:(NSString *)code
             completion:(void (^)(FIRActionCodeInfo *_Nullable info, NSError *_Nullable error))completion;

/// Does what a code is for: verifies an address, changes it, or takes a change back.
///
/// The signed-in user learns of it with `reloadWithCompletion:`.
- (void)applyActionCode:(NSString *)code completion:(void (^)(NSError *_Nullable error))completion;

/// Whether `signInWithEmail:link:completion:` takes a link, wrapped or not.
- (BOOL)isSignInWithEmailLink:(NSString *)link;

/// Says what a URL is that the app was opened with. Call it first in `scene:continueUserActivity:` and
/// `scene:openURLContexts:`.
///
/// It takes every form: the mailed link itself, a link domain's around it, a custom scheme's, and those that mail
/// scanners put around them. Nothing is asked of the server and nothing is used up.
///
/// @return Never nil; `HOMIncomingURLKindNotOurs` for everything that is none of ours.
- (HOMIncomingURL *)handleURL:(NSURL *)URL;

#pragma mark - Listening

/// Calls back on the main queue with who is signed in now, and again whenever that is somebody else.
///
/// @return What ends it. The listener stays also when the handle is let go.
- (FIRAuthStateDidChangeListenerHandle)addAuthStateDidChangeListener:(FIRAuthStateDidChangeListenerBlock)listener;

/// Calls a listener no more, and lets go of it.
- (void)removeAuthStateDidChangeListener:(FIRAuthStateDidChangeListenerHandle)listenerHandle;

/// Calls back like `addAuthStateDidChangeListener:`, and also when the user has a new ID token.
- (FIRIDTokenDidChangeListenerHandle)addIDTokenDidChangeListener:(FIRIDTokenDidChangeListenerBlock)listener;

/// Calls a listener no more, and lets go of it.
- (void)removeIDTokenDidChangeListener:(FIRIDTokenDidChangeListenerHandle)listenerHandle;

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

#import "FIRActionCodeInfo.h"

NS_ASSUME_NONNULL_BEGIN

@class FIRAuthDataResult;
@class HOMPendingAction;

/// Where a mail may be answered that this app asks for.
typedef NS_ENUM(NSInteger, HOMFinishing) {
    /// Here, by opening the link or typing the code of the mail, or on any other device, by the number that this one
    /// shows; and by nobody who knows neither.
    HOMFinishingAnywhere = 0,
};

/// How a mail that was asked for goes on.
typedef NS_ENUM(NSInteger, HOMPendingActionState) {
    /// Nobody has answered the mail yet.
    HOMPendingActionStatePending = 0,
    /// The sign-in is done, and here.
    HOMPendingActionStateSignedIn = 1,
    /// The action is done.
    HOMPendingActionStateDone = 2,
    /// Whoever opened the mail did not ask for it, or typed three wrong numbers.
    HOMPendingActionStateDeclined = 3,
    /// The mail's time is over, or a newer one has replaced it.
    HOMPendingActionStateExpired = 4,
    /// The server does not know the request, or the session could not be kept.
    HOMPendingActionStateFailed = 5,
};

/// Takes a mail that was asked for, to show its number and wait for, or the error.
typedef void (^HOMPendingActionCallback)(HOMPendingAction *_Nullable action, NSError *_Nullable error);

/// Takes what a typed code has done, or the error: a sign-in, or the code that sets a new password; for a verification
/// or a change neither.
typedef void (^HOMTypedCodeCallback)(FIRAuthDataResult *_Nullable authResult,
                                     NSString *_Nullable code,
                                     NSError *_Nullable error);

/// A mail that this app has asked for and that waits to be answered.
///
/// Show `matchNumber` while it waits: whoever opens the mail on another device types it there. After a relaunch
/// `pendingActions` of `FIRAuth` has it again.
@interface HOMPendingAction : NSObject {
  @private
    void *_handle;
}

/// The two digits that the page asks for on another device. Show them large.
@property(nonatomic, readonly, copy) NSString *matchNumber;

/// The server's id of the request, with which its page that waits opens: `/__/auth/wait?request=`.
@property(nonatomic, readonly, copy) NSString *requestID;

/// The address that the mail goes to; for a change of address the new one.
@property(nonatomic, readonly, copy) NSString *email;

/// What the mail is for.
@property(nonatomic, readonly) FIRActionCodeOperation operation;

/// Where the link of the mail leads in the end, with the state that the settings' `URL` has: the place to show when it is
/// done, also after a relaunch.
@property(nonatomic, readonly, copy, nullable) NSURL *continueURL;

/// When the mail's time is over.
@property(nonatomic, readonly, copy) NSDate *expiresAt;

/// How it stands, as far as is known; only `resultWithCompletion:` asks the server.
@property(nonatomic, readonly) HOMPendingActionState state;

/// They come from `FIRAuth` and `FIRUser`.
- (instancetype)init __attribute__((unavailable));

/// Waits until the mail is answered, also after a connection was lost or the server restarted.
///
/// The block takes who has signed in, and neither that nor an error for an action that is no sign-in and is done. The
/// error is `FIRAuthErrorCodeActionDeclined`, `FIRAuthErrorCodeExpiredActionCode`, or
/// `FIRAuthErrorCodeWaitCancelled` after `cancel`.
- (void)resultWithCompletion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                                NSError *_Nullable error))completion;

/// Finishes it with the eight digits of the mail, for people who read it on another screen.
///
/// The error is `FIRAuthErrorCodeInvalidActionCode` for a wrong one, and its `userInfo` has under
/// `HOMAuthErrorUserInfoTriesLeftKey` how often it may still be typed.
///
/// @param code As it was typed or pasted, `1234 5678`, with any separators.
/// @param completion For a reset it takes the code for `confirmPasswordResetWithCode:newPassword:completion:`.
- (void)finishWithTypedCode:(NSString *)code
                 completion:(nullable void (^)(FIRAuthDataResult *_Nullable authResult,
                                               NSString *_Nullable code,
                                               NSError *_Nullable error))completion;

/// Stops waiting and forgets the request: the link of its mail then works on no device without the number.
- (void)cancel;

@end

NS_ASSUME_NONNULL_END

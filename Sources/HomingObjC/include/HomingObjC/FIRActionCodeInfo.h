// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// What an action code does.
typedef NS_ENUM(NSInteger, FIRActionCodeOperation) {
    /// Something that this version does not know.
    FIRActionCodeOperationUnknown = 0,
    /// Sets a new password: `confirmPasswordResetWithCode:newPassword:completion:`.
    FIRActionCodeOperationPasswordReset = 1,
    /// Verifies the address: `applyActionCode:completion:`.
    FIRActionCodeOperationVerifyEmail = 2,
    /// Takes a change of address back: `applyActionCode:completion:`.
    FIRActionCodeOperationRecoverEmail = 3,
    /// Signs in: `signInWithEmail:link:completion:`.
    FIRActionCodeOperationEmailLink = 4,
    /// Verifies a new address and puts it in the old one's place: `applyActionCode:completion:`.
    FIRActionCodeOperationVerifyAndChangeEmail = 5,
    /// Takes a second factor off again.
    FIRActionCodeOperationRevertSecondFactorAddition = 6,
};

/// What the server tells about an action code without using it up.
@interface FIRActionCodeInfo : NSObject {
  @private
    FIRActionCodeOperation _operation;
    NSString *_email;
    NSString *_previousEmail;
}

/// What the code does.
@property(nonatomic, readonly) FIRActionCodeOperation operation;

/// The address that the code is about, for a change of address the new one; empty for a sign-in link.
@property(nonatomic, readonly, copy) NSString *email;

/// The address before, when the code changes an address or takes a change back.
@property(nonatomic, readonly, copy, nullable) NSString *previousEmail;

/// Infos come from `checkActionCode:completion:`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

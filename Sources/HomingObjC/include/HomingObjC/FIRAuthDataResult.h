// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@class FIRAdditionalUserInfo;
@class FIRUser;

/// Who signed in.
@interface FIRAuthDataResult : NSObject {
  @private
    FIRUser *_user;
    FIRAdditionalUserInfo *_additionalUserInfo;
}

/// The user.
@property(nonatomic, readonly) FIRUser *user;

/// What the sign-in told besides.
@property(nonatomic, readonly, nullable) FIRAdditionalUserInfo *additionalUserInfo;

/// Results come from a sign-in.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

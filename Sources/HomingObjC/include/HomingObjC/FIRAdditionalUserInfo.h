// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// What a sign-in told besides the user.
@interface FIRAdditionalUserInfo : NSObject {
  @private
    NSString *_providerID;
    BOOL _newUser;
}

/// The provider's id, `password`; `anonymous` for nobody in particular, `custom` for whom a back end has signed in.
@property(nonatomic, readonly, copy) NSString *providerID;

/// Whether the sign-in made the account.
@property(nonatomic, readonly, getter=isNewUser) BOOL newUser;

/// Infos come with a `FIRAuthDataResult`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

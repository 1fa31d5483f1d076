// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// A user as one way of signing in knows them: an entry of `FIRUser`'s `providerData`, and the `FIRUser`.
@protocol FIRUserInfo <NSObject>

/// The provider's id, `password` for passwords and mailed links alike.
@property(nonatomic, readonly, copy) NSString *providerID;

/// The user's id at the provider: the address.
@property(nonatomic, readonly, copy) NSString *uid;

/// The name to show.
@property(nonatomic, readonly, copy, nullable) NSString *displayName;

/// A picture of the user.
@property(nonatomic, readonly, copy, nullable) NSURL *photoURL;

/// The address.
@property(nonatomic, readonly, copy, nullable) NSString *email;

/// Always nil: Homing keeps no phone numbers.
@property(nonatomic, readonly, copy, nullable) NSString *phoneNumber;

@end

NS_ASSUME_NONNULL_END

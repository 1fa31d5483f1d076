// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@class FIRAuthCredential;

/// `password`, for passwords and mailed links alike.
extern NSString *const FIREmailAuthProviderID;

/// The name of signing in with a mailed link, `emailLink`.
extern NSString *const FIREmailLinkAuthSignInMethod;

/// The name of signing in with a password, `password`.
extern NSString *const FIREmailPasswordAuthSignInMethod;

/// Credentials of people who sign in with their email address.
@interface FIREmailAuthProvider : NSObject

/// Address and password.
+ (FIRAuthCredential *)credentialWithEmail:(NSString *)email password:(NSString *)password;

/// Address and the link that was mailed to it.
+ (FIRAuthCredential *)credentialWithEmail:(NSString *)email link:(NSString *)link;

/// There is nothing to make one for.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// An ID token and what it says. The app reads its own token here; a back end that is given one has to verify the
/// signature first.
@interface FIRAuthTokenResult : NSObject {
  @private
    NSString *_token;
    NSDate *_expirationDate;
    NSDate *_authDate;
    NSDate *_issuedAtDate;
    NSString *_signInProvider;
    NSDictionary *_claims;
}

/// The token itself.
@property(nonatomic, readonly, copy) NSString *token;

/// When it ends.
@property(nonatomic, readonly, copy) NSDate *expirationDate;

/// When the person signed in.
@property(nonatomic, readonly, copy) NSDate *authDate;

/// When the token was made.
@property(nonatomic, readonly, copy) NSDate *issuedAtDate;

/// How the person signed in, `password` or `anonymous`.
@property(nonatomic, readonly, copy) NSString *signInProvider;

/// Empty: Homing has no second factor.
@property(nonatomic, readonly, copy) NSString *signInSecondFactor;

/// Everything that the token says, the operator's own claims among it.
@property(nonatomic, readonly, copy) NSDictionary<NSString *, id> *claims;

/// It comes from `FIRUser`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

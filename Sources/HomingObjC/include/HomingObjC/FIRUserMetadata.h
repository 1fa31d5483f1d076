// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// When an account was made and last used, as of the last `reloadWithCompletion:`.
@interface FIRUserMetadata : NSObject {
  @private
    NSDate *_creationDate;
    NSDate *_lastSignInDate;
}

/// When the account was made.
@property(nonatomic, readonly, copy, nullable) NSDate *creationDate;

/// When somebody last signed in with it.
@property(nonatomic, readonly, copy, nullable) NSDate *lastSignInDate;

/// It comes from `FIRUser`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// A way of proving who one is, made by `FIREmailAuthProvider`.
@interface FIRAuthCredential : NSObject {
  @private
    void *_handle;
}

/// The provider's id, `password`.
@property(nonatomic, readonly, copy) NSString *provider;

/// Credentials come from `FIREmailAuthProvider`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// Changes a user's name and picture: set what is to change, then `commitChangesWithCompletion:`.
///
/// A property that was never set is left alone; one that was set to nil is removed.
@interface FIRUserProfileChangeRequest : NSObject {
  @private
    void *_handle;
}

/// The name to show, at most 256 bytes.
@property(nonatomic, copy, nullable) NSString *displayName;

/// A picture of the user, at most 2,048 bytes.
@property(nonatomic, copy, nullable) NSURL *photoURL;

/// Requests come from `profileChangeRequest`.
- (instancetype)init __attribute__((unavailable));

/// Sends the changes. The user's properties have them afterwards.
- (void)commitChangesWithCompletion:(nullable void (^)(NSError *_Nullable error))completion;

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

#import "FIRActionCodeInfo.h"

NS_ASSUME_NONNULL_BEGIN

@class HOMUnfinishedAction;

/// Takes what was not finished, if anything, or the error.
typedef void (^HOMUnfinishedActionCallback)(HOMUnfinishedAction *_Nullable action, NSError *_Nullable error);

/// What somebody was about to do when the app was not installed yet: the answer of `FIRAuth`'s
/// `pendingActionWithCompletion:`.
@interface HOMUnfinishedAction : NSObject {
  @private
    FIRActionCodeOperation _operation;
    NSURL *_continueURL;
}

/// What the mail is for whose link was opened in a browser.
@property(nonatomic, readonly) FIRActionCodeOperation operation;

/// Where the person wants to go: the `URL` of the request's settings, if there is one. Go only to places of your own.
@property(nonatomic, readonly, copy, nullable) NSURL *continueURL;

/// They come from `pendingActionWithCompletion:`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

#import "FIRActionCodeInfo.h"

NS_ASSUME_NONNULL_BEGIN

/// An action link as it reaches an app: the mailed one, or one that a link domain or a custom scheme has wrapped.
@interface FIRActionCodeURL : NSObject {
  @private
    NSString *_APIKey;
    FIRActionCodeOperation _operation;
    NSString *_code;
    NSURL *_continueURL;
    NSString *_languageCode;
    NSString *_tenantID;
}

/// The project's key.
@property(nonatomic, readonly, copy, nullable) NSString *APIKey;

/// What the link does.
@property(nonatomic, readonly) FIRActionCodeOperation operation;

/// The code, for `applyActionCode:completion:` and its like.
@property(nonatomic, readonly, copy, nullable) NSString *code;

/// Where the person wants to go when the action is done: the settings' `URL` of the request.
@property(nonatomic, readonly, copy, nullable) NSURL *continueURL;

/// The language of the mail, a BCP 47 tag.
@property(nonatomic, readonly, copy, nullable) NSString *languageCode;

/// The tenant whose account the code is about; nil for one of the project itself.
@property(nonatomic, readonly, copy, nullable) NSString *tenantID;

/// Reads a link; nil for every link that is not an action link.
+ (nullable instancetype)actionCodeURLWithLink:(NSString *)link;

/// Links are read by `actionCodeURLWithLink:`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

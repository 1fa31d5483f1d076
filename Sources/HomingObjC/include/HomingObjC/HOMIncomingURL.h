// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@class FIRActionCodeURL;

/// What a URL is that has opened the app.
typedef NS_ENUM(NSInteger, HOMIncomingURLKind) {
    /// None of ours.
    HOMIncomingURLKindNotOurs = 0,
    /// An email action of this project: use the code of `actionCodeURL`, then go to its `continueURL`, if that is a
    /// place of your own.
    HOMIncomingURLKindAction = 1,
    /// A continue URL that came back through a link domain: go to `URL`, if that is a place of your own.
    HOMIncomingURLKindContinueURL = 2,
    /// A dynamic link that says everything itself: go to `URL`, its deep link, if that is a place of your own.
    HOMIncomingURLKindDynamicLink = 3,
    /// A short dynamic link, in `URL`: only the server knows where it leads.
    HOMIncomingURLKindShortLink = 4,
    /// An email action of another project, in `actionCodeURL`: no code of it works here.
    HOMIncomingURLKindOtherProject = 5,
    /// A link of ours that is cut short, torn apart or contradicts itself.
    HOMIncomingURLKindDamaged = 6,
};

/// What a URL is that has opened the app: the answer of `FIRAuth`'s `handleURL:`.
@interface HOMIncomingURL : NSObject {
  @private
    HOMIncomingURLKind _kind;
    FIRActionCodeURL *_actionCodeURL;
    NSURL *_URL;
    NSError *_error;
}

/// What it is.
@property(nonatomic, readonly) HOMIncomingURLKind kind;

/// The link of an email action, of this project or of another; nil for everything else.
@property(nonatomic, readonly, nullable) FIRActionCodeURL *actionCodeURL;

/// A continue URL, a deep link or a short link; nil for everything else. Whoever can send a link can name any URL.
@property(nonatomic, readonly, copy, nullable) NSURL *URL;

/// What is wrong with a link that is damaged or of another project; nil otherwise.
@property(nonatomic, readonly, nullable) NSError *error;

/// Answers come from `handleURL:`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// How long the path of a short link is.
typedef NS_ENUM(NSInteger, FIRShortDynamicLinkPathLength) {
    /// As the project says.
    FIRShortDynamicLinkPathLengthDefault = 0,
    /// Short, for links that anybody may guess.
    FIRShortDynamicLinkPathLengthShort = 1,
    /// Long enough that nobody guesses it.
    FIRShortDynamicLinkPathLengthUnguessable = 2,
};

/// Takes a short link and what the server has noticed about the parts, or the error.
typedef void (^FIRDynamicLinkShortenerCompletion)(NSURL *_Nullable shortURL,
                                                  NSArray<NSString *> *_Nullable warnings,
                                                  NSError *_Nullable error);

/// Parts of a dynamic link: what its subclasses hold.
@interface HOMDynamicLinkParameters : NSObject {
  @private
    NSMutableDictionary *_values;
}
@end

/// Where a click is to be counted as coming from.
@interface FIRDynamicLinkGoogleAnalyticsParameters : HOMDynamicLinkParameters

/// The source.
@property(nonatomic, copy) NSString *source;

/// The medium.
@property(nonatomic, copy) NSString *medium;

/// The campaign.
@property(nonatomic, copy) NSString *campaign;

/// The term.
@property(nonatomic, copy, nullable) NSString *term;

/// The content.
@property(nonatomic, copy, nullable) NSString *content;

/// Parameters with these values.
+ (instancetype)parametersWithSource:(NSString *)source medium:(NSString *)medium campaign:(NSString *)campaign;

/// Parameters with these values.
- (instancetype)initWithSource:(NSString *)source medium:(NSString *)medium campaign:(NSString *)campaign;

@end

/// Which Apple app opens the link.
@interface FIRDynamicLinkIOSParameters : HOMDynamicLinkParameters

/// The bundle id of the app.
@property(nonatomic, copy) NSString *bundleID;

/// The number of the app in the App Store.
@property(nonatomic, copy, nullable) NSString *appStoreID;

/// Where devices without the app go.
@property(nonatomic, copy, nullable) NSURL *fallbackURL;

/// The URL scheme of the app.
@property(nonatomic, copy, nullable) NSString *customScheme;

/// The bundle id of the app for iPads.
@property(nonatomic, copy, nullable) NSString *iPadBundleID;

/// Where iPads without the app go.
@property(nonatomic, copy, nullable) NSURL *iPadFallbackURL;

/// The lowest version that understands the link.
@property(nonatomic, copy, nullable) NSString *minimumAppVersion;

/// Parameters with these values.
+ (instancetype)parametersWithBundleID:(NSString *)bundleID;

/// Parameters with these values.
- (instancetype)initWithBundleID:(NSString *)bundleID;

@end

/// How the App Store is to count.
@interface FIRDynamicLinkItunesConnectAnalyticsParameters : HOMDynamicLinkParameters

/// The affiliate.
@property(nonatomic, copy, nullable) NSString *affiliateToken;

/// The campaign.
@property(nonatomic, copy, nullable) NSString *campaignToken;

/// The provider.
@property(nonatomic, copy, nullable) NSString *providerToken;

/// Parameters with these values.
+ (instancetype)parameters;

@end

/// Which Android app opens the link.
@interface FIRDynamicLinkAndroidParameters : HOMDynamicLinkParameters

/// The package of the app.
@property(nonatomic, copy) NSString *packageName;

/// Where devices without the app go.
@property(nonatomic, copy, nullable) NSURL *fallbackURL;

/// The lowest version code that understands the link.
@property(nonatomic) NSInteger minimumVersion;

/// Parameters with these values.
+ (instancetype)parametersWithPackageName:(NSString *)packageName;

/// Parameters with these values.
- (instancetype)initWithPackageName:(NSString *)packageName;

@end

/// How the link looks where it is shared.
@interface FIRDynamicLinkSocialMetaTagParameters : HOMDynamicLinkParameters

/// The title.
@property(nonatomic, copy, nullable) NSString *title;

/// The text.
@property(nonatomic, copy, nullable) NSString *descriptionText;

/// The picture.
@property(nonatomic, copy, nullable) NSURL *imageURL;

/// Parameters with these values.
+ (instancetype)parameters;

@end

/// How the link leads on.
@interface FIRDynamicLinkNavigationInfoParameters : HOMDynamicLinkParameters

/// Whether the page between is left out.
@property(nonatomic, getter=isForcedRedirectEnabled) BOOL forcedRedirectEnabled;

/// Parameters with these values.
+ (instancetype)parameters;

@end

/// Where other systems go.
@interface FIRDynamicLinkOtherPlatformParameters : HOMDynamicLinkParameters

/// Where they go.
@property(nonatomic, copy, nullable) NSURL *fallbackUrl;

/// Parameters with these values.
+ (instancetype)parameters;

@end

/// How short links are made.
@interface FIRDynamicLinkComponentsOptions : NSObject {
  @private
    FIRShortDynamicLinkPathLength _pathLength;
}

/// How long the path is.
@property(nonatomic) FIRShortDynamicLinkPathLength pathLength;

/// Options as the project says.
+ (instancetype)options;

@end

/// The parts of a dynamic link.
@interface FIRDynamicLinkComponents : HOMDynamicLinkParameters {
  @private
    NSURL *_link;
    NSString *_domain;
    FIRDynamicLinkComponentsOptions *_options;
}

/// See `FIRDynamicLinkGoogleAnalyticsParameters`.
@property(nonatomic, strong, nullable) FIRDynamicLinkGoogleAnalyticsParameters *analyticsParameters;

/// See `FIRDynamicLinkSocialMetaTagParameters`.
@property(nonatomic, strong, nullable) FIRDynamicLinkSocialMetaTagParameters *socialMetaTagParameters;

/// See `FIRDynamicLinkIOSParameters`.
@property(nonatomic, strong, nullable) FIRDynamicLinkIOSParameters *iOSParameters;

/// See `FIRDynamicLinkItunesConnectAnalyticsParameters`.
@property(nonatomic, strong, nullable) FIRDynamicLinkItunesConnectAnalyticsParameters *iTunesConnectParameters;

/// See `FIRDynamicLinkAndroidParameters`.
@property(nonatomic, strong, nullable) FIRDynamicLinkAndroidParameters *androidParameters;

/// See `FIRDynamicLinkNavigationInfoParameters`.
@property(nonatomic, strong, nullable) FIRDynamicLinkNavigationInfoParameters *navigationInfoParameters;

/// See `FIRDynamicLinkOtherPlatformParameters`.
@property(nonatomic, strong, nullable) FIRDynamicLinkOtherPlatformParameters *otherPlatformParameters;

/// How a short link is made.
@property(nonatomic, strong, nullable) FIRDynamicLinkComponentsOptions *options;

/// Where the link leads.
@property(nonatomic, copy) NSURL *link;

/// The link domain as a full prefix, `https://links.example.com`.
@property(nonatomic, copy, nullable) NSString *domain;

/// The long link; nil where the parts make none.
@property(nonatomic, readonly, copy, nullable) NSURL *url;

/// Parts of a link; nil for a prefix that is no link domain's.
///
/// @param link Where it leads.
/// @param domainURIPrefix The link domain as a full prefix.
+ (nullable instancetype)componentsWithLink:(NSURL *)link domainURIPrefix:(NSString *)domainURIPrefix;

/// The same.
- (nullable instancetype)initWithLink:(NSURL *)link domainURIPrefix:(NSString *)domainURIPrefix;

/// Makes a short link of these parts, on the main queue.
- (void)shortenWithCompletion:(FIRDynamicLinkShortenerCompletion)completion;

/// Makes a short link of a long one, on the main queue.
+ (void)shortenURL:(NSURL *)url
           options:(nullable FIRDynamicLinkComponentsOptions *)options
        completion:(FIRDynamicLinkShortenerCompletion)completion;

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// How sure it is that a link is meant for this person.
typedef NS_ENUM(NSUInteger, FIRDLMatchType) {
    /// Nothing matched.
    FIRDLMatchTypeNone = 0,
    /// Never given here.
    FIRDLMatchTypeWeak = 1,
    /// Never given here.
    FIRDLMatchTypeDefault = 2,
    /// The link that the person has opened.
    FIRDLMatchTypeUnique = 3,
};

/// A dynamic link that has opened the app.
@interface FIRDynamicLink : NSObject {
  @private
    NSURL *_url;
    FIRDLMatchType _matchType;
    NSString *_minimumAppVersion;
    NSDictionary *_utmParametersDictionary;
}

/// The deep link, where the person wants to go; nil when nothing matched. Go only to places of your own.
@property(nonatomic, readonly, copy, nullable) NSURL *url;

/// How sure it is that the link is meant for this person.
@property(nonatomic, readonly) FIRDLMatchType matchType;

/// The lowest version of the app that understands the deep link.
@property(nonatomic, readonly, copy, nullable) NSString *minimumAppVersion;

/// Where the click came from, under `utm_source`, `utm_medium`, `utm_campaign`, `utm_term` and `utm_content`.
@property(nonatomic, readonly, copy) NSDictionary<NSString *, NSString *> *utmParametersDictionary;

/// Links come from `FIRDynamicLinks`.
- (instancetype)init __attribute__((unavailable));

@end

/// Takes a link or the error.
typedef void (^FIRDynamicLinkUniversalLinkHandler)(FIRDynamicLink *_Nullable dynamicLink, NSError *_Nullable error);

/// Takes what a short link stands for, or the error.
typedef void (^FIRDynamicLinkResolverHandler)(NSURL *_Nullable url, NSError *_Nullable error);

/// Incoming dynamic links of the default app. Every completion block runs once, on the main queue.
@interface FIRDynamicLinks : NSObject

/// The one of `HOMApp`'s default app.
+ (instancetype)dynamicLinks;

/// Says which link domains and URL schemes are the app's own, where its `Info.plist` does not.
///
/// @param prefixes Link domains as full prefixes, `https://links.example.com`.
/// @param schemes nil means the bundle id.
+ (void)setLinkDomains:(NSArray<NSString *> *)prefixes schemes:(nullable NSArray<NSString *> *)schemes;

/// Whether a URL came through the app's own scheme for this library.
- (BOOL)shouldHandleDynamicLinkFromCustomSchemeURL:(NSURL *)url;

/// The link in a URL that came through the app's own scheme; nil for every other URL.
- (nullable FIRDynamicLink *)dynamicLinkFromCustomSchemeURL:(NSURL *)url;

/// The link in a long universal link, read on the device; nil for a short one and for every other URL.
- (nullable FIRDynamicLink *)dynamicLinkFromUniversalLinkURL:(NSURL *)url;

/// The same with a block, which gets an error for a URL that is no long link.
- (void)dynamicLinkFromUniversalLinkURL:(NSURL *)url completion:(FIRDynamicLinkUniversalLinkHandler)completion;

/// The link in a universal link: a long one at once, a short one from the server.
///
/// @return Whether the URL is a dynamic link of this app.
- (BOOL)handleUniversalLink:(NSURL *)url completion:(FIRDynamicLinkUniversalLinkHandler)completion;

/// What a short link stands for, as the URL that `dynamicLinkFromCustomSchemeURL:` reads.
- (void)resolveShortLink:(NSURL *)url completion:(FIRDynamicLinkResolverHandler)completion;

/// Whether a server has to be asked what a universal link says, by the rules of Firebase's client.
- (BOOL)matchesShortLinkFormat:(NSURL *)url;

@end

NS_ASSUME_NONNULL_END

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

#define HOM_OBJECT(type, getter, setter) \
    -(type)getter { \
        return [self.values objectForKey:@#getter]; \
    } \
    -(void)setter : (type)value { \
        [self set:value for:@#getter]; \
    }

@implementation HOMDynamicLinkParameters

- (instancetype)init {
    if ((self = [super init])) _values = [[NSMutableDictionary alloc] init];
    return self;
}

- (NSMutableDictionary *)values {
    return _values;
}

- (void)set:(id)value for:(NSString *)name {
    if (value == nil) {
        [_values removeObjectForKey:name];
    } else {
        [_values setObject:value forKey:name];
    }
}

- (void)dealloc {
    HOM_RELEASE(_values);
    HOM_SUPER_DEALLOC;
}

@end

@implementation FIRDynamicLinkGoogleAnalyticsParameters

HOM_OBJECT(NSString *, source, setSource)
HOM_OBJECT(NSString *, medium, setMedium)
HOM_OBJECT(NSString *, campaign, setCampaign)
HOM_OBJECT(NSString *, term, setTerm)
HOM_OBJECT(NSString *, content, setContent)

+ (instancetype)parametersWithSource:(NSString *)source medium:(NSString *)medium campaign:(NSString *)campaign {
    return HOM_AUTORELEASE([[self alloc] initWithSource:source medium:medium campaign:campaign]);
}

- (instancetype)initWithSource:(NSString *)source medium:(NSString *)medium campaign:(NSString *)campaign {
    if ((self = [super init])) {
        self.source = source;
        self.medium = medium;
        self.campaign = campaign;
    }
    return self;
}

@end

@implementation FIRDynamicLinkIOSParameters

HOM_OBJECT(NSString *, bundleID, setBundleID)
HOM_OBJECT(NSString *, appStoreID, setAppStoreID)
HOM_OBJECT(NSURL *, fallbackURL, setFallbackURL)
HOM_OBJECT(NSString *, customScheme, setCustomScheme)
HOM_OBJECT(NSString *, iPadBundleID, setIPadBundleID)
HOM_OBJECT(NSURL *, iPadFallbackURL, setIPadFallbackURL)
HOM_OBJECT(NSString *, minimumAppVersion, setMinimumAppVersion)

+ (instancetype)parametersWithBundleID:(NSString *)bundleID {
    return HOM_AUTORELEASE([[self alloc] initWithBundleID:bundleID]);
}

- (instancetype)initWithBundleID:(NSString *)bundleID {
    if ((self = [super init])) {
        self.bundleID = bundleID;
    }
    return self;
}

@end

@implementation FIRDynamicLinkItunesConnectAnalyticsParameters

HOM_OBJECT(NSString *, affiliateToken, setAffiliateToken)
HOM_OBJECT(NSString *, campaignToken, setCampaignToken)
HOM_OBJECT(NSString *, providerToken, setProviderToken)

+ (instancetype)parameters {
    return HOM_AUTORELEASE([[self alloc] init]);
}

@end

@implementation FIRDynamicLinkAndroidParameters

HOM_OBJECT(NSString *, packageName, setPackageName)
HOM_OBJECT(NSURL *, fallbackURL, setFallbackURL)

- (NSInteger)minimumVersion {
    return [[self.values objectForKey:@"minimumVersion"] integerValue];
}

- (void)setMinimumVersion:(NSInteger)value {
    [self set:[NSNumber numberWithInteger:value] for:@"minimumVersion"];
}

+ (instancetype)parametersWithPackageName:(NSString *)packageName {
    return HOM_AUTORELEASE([[self alloc] initWithPackageName:packageName]);
}

- (instancetype)initWithPackageName:(NSString *)packageName {
    if ((self = [super init])) {
        self.packageName = packageName;
    }
    return self;
}

@end

@implementation FIRDynamicLinkSocialMetaTagParameters

HOM_OBJECT(NSString *, title, setTitle)
HOM_OBJECT(NSString *, descriptionText, setDescriptionText)
HOM_OBJECT(NSURL *, imageURL, setImageURL)

+ (instancetype)parameters {
    return HOM_AUTORELEASE([[self alloc] init]);
}

@end

@implementation FIRDynamicLinkNavigationInfoParameters

- (BOOL)isForcedRedirectEnabled {
    return [[self.values objectForKey:@"forcedRedirectEnabled"] boolValue];
}

- (void)setForcedRedirectEnabled:(BOOL)value {
    [self set:[NSNumber numberWithBool:value] for:@"forcedRedirectEnabled"];
}

+ (instancetype)parameters {
    return HOM_AUTORELEASE([[self alloc] init]);
}

@end

@implementation FIRDynamicLinkOtherPlatformParameters

HOM_OBJECT(NSURL *, fallbackUrl, setFallbackUrl)

+ (instancetype)parameters {
    return HOM_AUTORELEASE([[self alloc] init]);
}

@end

@implementation FIRDynamicLinkComponentsOptions

@synthesize pathLength = _pathLength;

+ (instancetype)options {
    return HOM_AUTORELEASE([[self alloc] init]);
}

@end

static void HOMAnswerShort(void *context, void *answer, void *error) {
    @autoreleasepool {
        FIRDynamicLinkShortenerCompletion completion = HOM_TAKE_BLOCK(FIRDynamicLinkShortenerCompletion, context);
        NSArray *lines = nil;
        if (answer != NULL) {
            lines = [HOMTakeText(homing_text(answer)) componentsSeparatedByString:@"\n"];
            homing_release(answer);
        }
        NSURL *url = lines == nil ? nil : [NSURL URLWithString:[lines objectAtIndex:0]];
        NSArray *warnings = lines.count < 2 ? nil : [lines subarrayWithRange:NSMakeRange(1, lines.count - 1)];
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(url, warnings, fault);
        HOM_END_BLOCK(completion);
    }
}

@implementation FIRDynamicLinkComponents

@synthesize link = _link;
@synthesize domain = _domain;
@synthesize options = _options;

HOM_OBJECT(FIRDynamicLinkGoogleAnalyticsParameters *, analyticsParameters, setAnalyticsParameters)
HOM_OBJECT(FIRDynamicLinkSocialMetaTagParameters *, socialMetaTagParameters, setSocialMetaTagParameters)
HOM_OBJECT(FIRDynamicLinkIOSParameters *, iOSParameters, setIOSParameters)
HOM_OBJECT(FIRDynamicLinkItunesConnectAnalyticsParameters *, iTunesConnectParameters, setITunesConnectParameters)
HOM_OBJECT(FIRDynamicLinkAndroidParameters *, androidParameters, setAndroidParameters)
HOM_OBJECT(FIRDynamicLinkNavigationInfoParameters *, navigationInfoParameters, setNavigationInfoParameters)
HOM_OBJECT(FIRDynamicLinkOtherPlatformParameters *, otherPlatformParameters, setOtherPlatformParameters)

+ (instancetype)componentsWithLink:(NSURL *)link domainURIPrefix:(NSString *)domainURIPrefix {
    return HOM_AUTORELEASE([[self alloc] initWithLink:link domainURIPrefix:domainURIPrefix]);
}

- (instancetype)initWithLink:(NSURL *)link domainURIPrefix:(NSString *)domainURIPrefix {
    if ((self = [super init])) {
        _link = [link copy];
        _domain = [domainURIPrefix copy];
        if (self.url == nil) {
            HOM_RELEASE(self);
            return nil;
        }
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_link);
    HOM_RELEASE(_domain);
    HOM_RELEASE(_options);
    HOM_SUPER_DEALLOC;
}

- (NSURL *)url {
    NSMutableDictionary *parts = [NSMutableDictionary dictionary];
    for (NSString *name in self.values) {
        NSMutableDictionary *texts = [NSMutableDictionary dictionary];
        HOMDynamicLinkParameters *part = [self.values objectForKey:name];
        for (NSString *member in part.values) {
            id value = [part.values objectForKey:member];
            BOOL isURL = [value isKindOfClass:[NSURL class]];
            [texts setObject:isURL ? [value absoluteString] : [value description] forKey:member];
        }
        [parts setObject:texts forKey:name];
    }
    NSData *data = [NSJSONSerialization dataWithJSONObject:parts options:0 error:NULL];
    NSString *text = HOM_AUTORELEASE([[NSString alloc] initWithData:data encoding:NSUTF8StringEncoding]);
    return HOMTakeURL(homing_links_long(HOMText([_link absoluteString]), HOMText(_domain), HOMText(text)));
}

- (void)shortenWithCompletion:(FIRDynamicLinkShortenerCompletion)completion {
    [FIRDynamicLinkComponents shortenURL:self.url options:_options completion:completion];
}

+ (void)shortenURL:(NSURL *)url
           options:(FIRDynamicLinkComponentsOptions *)options
        completion:(FIRDynamicLinkShortenerCompletion)completion {
    homing_links_shorten(
        HOMText([url absoluteString]), options.pathLength, HOM_KEEP_BLOCK(completion), HOMAnswerShort);
}

@end

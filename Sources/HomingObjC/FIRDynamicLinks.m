// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

static id HOMParsed(NSString *text) {
    NSData *data = [text dataUsingEncoding:NSUTF8StringEncoding];
    return data == nil ? nil : [NSJSONSerialization JSONObjectWithData:data options:0 error:NULL];
}

static NSString *HOMList(NSArray *texts) {
    NSData *data = texts == nil ? nil : [NSJSONSerialization dataWithJSONObject:texts options:0 error:NULL];
    if (data == nil) return nil;
    return HOM_AUTORELEASE([[NSString alloc] initWithData:data encoding:NSUTF8StringEncoding]);
}

@implementation FIRDynamicLink

@synthesize url = _url;
@synthesize matchType = _matchType;
@synthesize minimumAppVersion = _minimumAppVersion;
@synthesize utmParametersDictionary = _utmParametersDictionary;

- (instancetype)initWithLink:(const void *)link {
    if ((self = [super init])) {
        _url = [HOMTakeURL(homing_dynamic_link_url(link)) copy];
        _matchType = (FIRDLMatchType)homing_dynamic_link_match_type(link);
        _minimumAppVersion = [HOMTakeText(homing_dynamic_link_minimum_version(link)) copy];
        _utmParametersDictionary = [HOMParsed(HOMTakeText(homing_dynamic_link_campaign(link))) copy];
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_url);
    HOM_RELEASE(_minimumAppVersion);
    HOM_RELEASE(_utmParametersDictionary);
    HOM_SUPER_DEALLOC;
}

@end

/// The object of a link from C, which is released; nil for NULL.
static FIRDynamicLink *HOMTakeLink(void *link) {
    if (link == NULL) return nil;
    FIRDynamicLink *taken = HOM_AUTORELEASE([[FIRDynamicLink alloc] initWithLink:link]);
    homing_release(link);
    return taken;
}

static void HOMAnswerLink(void *context, void *answer, void *error) {
    @autoreleasepool {
        FIRDynamicLinkUniversalLinkHandler completion =
            HOM_TAKE_BLOCK(FIRDynamicLinkUniversalLinkHandler, context);
        FIRDynamicLink *link = HOMTakeLink(answer);
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(link, fault);
        HOM_END_BLOCK(completion);
    }
}

static void HOMAnswerURL(void *context, void *answer, void *error) {
    @autoreleasepool {
        FIRDynamicLinkResolverHandler completion = HOM_TAKE_BLOCK(FIRDynamicLinkResolverHandler, context);
        NSURL *url = answer == NULL ? nil : HOMTakeURL(homing_text(answer));
        if (answer != NULL) homing_release(answer);
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(url, fault);
        HOM_END_BLOCK(completion);
    }
}

@implementation FIRDynamicLinks

+ (instancetype)dynamicLinks {
    static FIRDynamicLinks *links;
    @synchronized([FIRDynamicLinks class]) {
        if (links == nil) links = [[FIRDynamicLinks alloc] init];
    }
    return links;
}

+ (void)setLinkDomains:(NSArray *)prefixes schemes:(NSArray *)schemes {
    homing_links_set_domains(HOMText(HOMList(prefixes)), HOMText(HOMList(schemes)));
}

- (BOOL)shouldHandleDynamicLinkFromCustomSchemeURL:(NSURL *)url {
    return homing_links_matches_scheme(HOMText([url absoluteString]));
}

- (FIRDynamicLink *)dynamicLinkFromCustomSchemeURL:(NSURL *)url {
    return HOMTakeLink(homing_links_of_scheme(HOMText([url absoluteString])));
}

- (FIRDynamicLink *)dynamicLinkFromUniversalLinkURL:(NSURL *)url {
    return HOMTakeLink(homing_links_of_universal(HOMText([url absoluteString])));
}

- (void)dynamicLinkFromUniversalLinkURL:(NSURL *)url completion:(FIRDynamicLinkUniversalLinkHandler)completion {
    homing_links_read(HOMText([url absoluteString]), HOM_KEEP_BLOCK(completion), HOMAnswerLink);
}

- (BOOL)handleUniversalLink:(NSURL *)url completion:(FIRDynamicLinkUniversalLinkHandler)completion {
    return homing_links_handle(HOMText([url absoluteString]), HOM_KEEP_BLOCK(completion), HOMAnswerLink);
}

- (void)resolveShortLink:(NSURL *)url completion:(FIRDynamicLinkResolverHandler)completion {
    homing_links_resolve(HOMText([url absoluteString]), HOM_KEEP_BLOCK(completion), HOMAnswerURL);
}

- (BOOL)matchesShortLinkFormat:(NSURL *)url {
    return homing_links_matches_short(HOMText([url absoluteString]));
}

@end

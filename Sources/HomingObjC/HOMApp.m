// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation HOMApp

@synthesize name = _name;

+ (void)configureWithEndpoint:(NSURL *)endpoint APIKey:(NSString *)APIKey {
    homing_app_configure(NULL, HOMText([endpoint absoluteString]), HOMText(APIKey));
}

+ (void)configureWithName:(NSString *)name endpoint:(NSURL *)endpoint APIKey:(NSString *)APIKey {
    homing_app_configure(HOMText(name), HOMText([endpoint absoluteString]), HOMText(APIKey));
}

+ (void)configureWithName:(NSString *)name
                 endpoint:(NSURL *)endpoint
                   APIKey:(NSString *)APIKey
                transport:(id<HOMTransport>)transport
             sessionStore:(id<HOMSessionStore>)sessionStore {
    HOMConfigure(name, endpoint, APIKey, transport, sessionStore);
}

static BOOL HOMHasConfigured(void *fault, NSError **error) {
    NSError *why = HOMTakeError(fault);
    if (error != NULL) *error = why;
    return why == nil;
}

+ (BOOL)configure:(NSError **)error {
    return HOMHasConfigured(homing_app_configure_file(NULL, NULL), error);
}

+ (BOOL)configureWithContentsOfFile:(NSString *)path name:(NSString *)name error:(NSError **)error {
    const char *text = HOMText(path);
    return HOMHasConfigured(homing_app_configure_file(HOMText(name), text == NULL ? "" : text), error);
}

+ (HOMApp *)defaultApp {
    return [self appNamed:HOMTakeText(homing_app_default_name())];
}

+ (HOMApp *)appNamed:(NSString *)name {
    if (!homing_app_exists(HOMText(name))) return nil;
    return HOM_AUTORELEASE([[HOMApp alloc] initWithName:name]);
}

- (instancetype)initWithName:(NSString *)name {
    if ((self = [super init])) _name = [name copy];
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_name);
    HOM_SUPER_DEALLOC;
}

@end

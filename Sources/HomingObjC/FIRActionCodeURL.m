// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation FIRActionCodeURL

@synthesize APIKey = _APIKey;
@synthesize operation = _operation;
@synthesize code = _code;
@synthesize continueURL = _continueURL;
@synthesize languageCode = _languageCode;
@synthesize tenantID = _tenantID;

+ (instancetype)actionCodeURLWithLink:(NSString *)link {
    void *parsed = homing_link(HOMText(link));
    if (parsed == NULL) return nil;
    FIRActionCodeURL *url = HOM_AUTORELEASE([[self alloc] initWithParsedLink:parsed]);
    homing_release(parsed);
    return url;
}

- (instancetype)initWithParsedLink:(const void *)link {
    if ((self = [super init])) {
        _APIKey = [HOMTakeText(homing_link_api_key(link)) copy];
        _operation = homing_link_operation(link);
        _code = [HOMTakeText(homing_link_code(link)) copy];
        _continueURL = [HOMTakeURL(homing_link_continue_url(link)) copy];
        _languageCode = [HOMTakeText(homing_link_language_code(link)) copy];
        _tenantID = [HOMTakeText(homing_link_tenant_id(link)) copy];
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_APIKey);
    HOM_RELEASE(_code);
    HOM_RELEASE(_continueURL);
    HOM_RELEASE(_languageCode);
    HOM_RELEASE(_tenantID);
    HOM_SUPER_DEALLOC;
}

@end

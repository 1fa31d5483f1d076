// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

static NSDictionary *HOMClaims(NSString *text) {
    NSData *data = [text dataUsingEncoding:NSUTF8StringEncoding];
    id claims = data == nil ? nil : [NSJSONSerialization JSONObjectWithData:data options:0 error:NULL];
    return [claims isKindOfClass:[NSDictionary class]] ? claims : [NSDictionary dictionary];
}

@implementation FIRAuthTokenResult

@synthesize token = _token;
@synthesize expirationDate = _expirationDate;
@synthesize authDate = _authDate;
@synthesize issuedAtDate = _issuedAtDate;
@synthesize signInProvider = _signInProvider;
@synthesize claims = _claims;

- (instancetype)initWithTokenResult:(const void *)result {
    if ((self = [super init])) {
        _token = [HOMTakeText(homing_token_text(result)) copy];
        _expirationDate = [[NSDate dateWithTimeIntervalSince1970:homing_token_expires(result)] copy];
        _authDate = [[NSDate dateWithTimeIntervalSince1970:homing_token_authenticated(result)] copy];
        _issuedAtDate = [[NSDate dateWithTimeIntervalSince1970:homing_token_issued(result)] copy];
        _signInProvider = [HOMTakeText(homing_token_provider(result)) copy];
        _claims = [HOMClaims(HOMTakeText(homing_token_claims(result))) copy];
    }
    return self;
}

- (NSString *)signInSecondFactor {
    return @"";
}

- (void)dealloc {
    HOM_RELEASE(_token);
    HOM_RELEASE(_expirationDate);
    HOM_RELEASE(_authDate);
    HOM_RELEASE(_issuedAtDate);
    HOM_RELEASE(_signInProvider);
    HOM_RELEASE(_claims);
    HOM_SUPER_DEALLOC;
}

@end

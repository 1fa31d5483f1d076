// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

NSString *const FIREmailAuthProviderID = @"password";
NSString *const FIREmailLinkAuthSignInMethod = @"emailLink";
NSString *const FIREmailPasswordAuthSignInMethod = @"password";

@implementation FIRAuthCredential

- (instancetype)initWithHandle:(void *)handle {
    if ((self = [super init])) _handle = handle;
    return self;
}

- (void *)handle {
    return _handle;
}

- (NSString *)provider {
    return HOMTakeText(homing_credential_provider(_handle));
}

- (void)dealloc {
    homing_release(_handle);
    HOM_SUPER_DEALLOC;
}

@end

@implementation FIREmailAuthProvider

+ (FIRAuthCredential *)credentialWithEmail:(NSString *)email password:(NSString *)password {
    void *handle = homing_credential_password(HOMText(email), HOMText(password));
    return HOM_AUTORELEASE([[FIRAuthCredential alloc] initWithHandle:handle]);
}

+ (FIRAuthCredential *)credentialWithEmail:(NSString *)email link:(NSString *)link {
    void *handle = homing_credential_link(HOMText(email), HOMText(link));
    return HOM_AUTORELEASE([[FIRAuthCredential alloc] initWithHandle:handle]);
}

@end

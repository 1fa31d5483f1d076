// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation FIRAdditionalUserInfo

@synthesize providerID = _providerID;
@synthesize newUser = _newUser;

- (instancetype)initWithProviderID:(NSString *)providerID isNewUser:(BOOL)isNewUser {
    if ((self = [super init])) {
        _providerID = [providerID copy];
        _newUser = isNewUser;
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_providerID);
    HOM_SUPER_DEALLOC;
}

@end

@implementation FIRAuthDataResult

@synthesize user = _user;
@synthesize additionalUserInfo = _additionalUserInfo;

- (instancetype)initWithResult:(const void *)result {
    if ((self = [super init])) {
        void *user = homing_result_user(result);
        _user = HOM_RETAIN([[FIRAuth authWithHandle:homing_user_auth(user)] userWithHandle:user]);
        NSString *provider = HOMTakeText(homing_result_provider(result));
        if (provider != nil) {
            _additionalUserInfo = [[FIRAdditionalUserInfo alloc] initWithProviderID:provider
                                                                          isNewUser:homing_result_is_new_user(result)];
        }
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_user);
    HOM_RELEASE(_additionalUserInfo);
    HOM_SUPER_DEALLOC;
}

@end

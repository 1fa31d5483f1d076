// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation FIRActionCodeInfo

@synthesize operation = _operation;
@synthesize email = _email;
@synthesize previousEmail = _previousEmail;

- (instancetype)initWithInfo:(const void *)info {
    if ((self = [super init])) {
        _operation = homing_info_operation(info);
        _email = [HOMTakeText(homing_info_email(info)) copy];
        _previousEmail = [HOMTakeText(homing_info_previous_email(info)) copy];
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_email);
    HOM_RELEASE(_previousEmail);
    HOM_SUPER_DEALLOC;
}

@end

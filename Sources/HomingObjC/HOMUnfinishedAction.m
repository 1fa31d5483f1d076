// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation HOMUnfinishedAction

@synthesize operation = _operation;
@synthesize continueURL = _continueURL;

- (instancetype)initWithUnfinished:(const void *)unfinished {
    if ((self = [super init])) {
        _operation = homing_unfinished_operation(unfinished);
        _continueURL = [HOMTakeURL(homing_unfinished_continue_url(unfinished)) copy];
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_continueURL);
    HOM_SUPER_DEALLOC;
}

@end

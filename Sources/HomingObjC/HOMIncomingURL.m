// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation HOMIncomingURL

@synthesize kind = _kind;
@synthesize actionCodeURL = _actionCodeURL;
@synthesize URL = _URL;
@synthesize error = _error;

- (instancetype)initWithIncoming:(const void *)incoming {
    if ((self = [super init])) {
        _kind = homing_incoming_kind(incoming);
        void *link = homing_incoming_link(incoming);
        if (link != NULL) {
            _actionCodeURL = [[FIRActionCodeURL alloc] initWithParsedLink:link];
            homing_release(link);
        }
        _URL = [HOMTakeURL(homing_incoming_url(incoming)) copy];
        _error = HOM_RETAIN(HOMTakeError(homing_incoming_error(incoming)));
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_actionCodeURL);
    HOM_RELEASE(_URL);
    HOM_RELEASE(_error);
    HOM_SUPER_DEALLOC;
}

@end

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

static NSDate *HOMDate(double seconds) {
    return seconds < 0 ? nil : [NSDate dateWithTimeIntervalSince1970:seconds];
}

@implementation FIRUserMetadata

@synthesize creationDate = _creationDate;
@synthesize lastSignInDate = _lastSignInDate;

- (instancetype)initWithUser:(const void *)user {
    if ((self = [super init])) {
        _creationDate = [HOMDate(homing_user_created(user)) copy];
        _lastSignInDate = [HOMDate(homing_user_last_sign_in(user)) copy];
    }
    return self;
}

- (void)dealloc {
    HOM_RELEASE(_creationDate);
    HOM_RELEASE(_lastSignInDate);
    HOM_SUPER_DEALLOC;
}

@end

@implementation HOMUserInfo

@synthesize email = _email;
@synthesize displayName = _displayName;
@synthesize photoURL = _photoURL;

- (instancetype)initWithUser:(FIRUser *)user {
    if ((self = [super init])) {
        _email = [user.email copy];
        _displayName = [user.displayName copy];
        _photoURL = [user.photoURL copy];
    }
    return self;
}

- (NSString *)providerID {
    return FIREmailAuthProviderID;
}

- (NSString *)uid {
    return _email == nil ? @"" : _email;
}

- (NSString *)phoneNumber {
    return nil;
}

- (void)dealloc {
    HOM_RELEASE(_email);
    HOM_RELEASE(_displayName);
    HOM_RELEASE(_photoURL);
    HOM_SUPER_DEALLOC;
}

@end

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation FIRUserProfileChangeRequest

- (instancetype)initWithHandle:(void *)handle {
    if ((self = [super init])) _handle = handle;
    return self;
}

- (void)dealloc {
    homing_release(_handle);
    HOM_SUPER_DEALLOC;
}

- (NSString *)displayName {
    return HOMTakeText(homing_profile_change_display_name(_handle));
}

- (void)setDisplayName:(NSString *)displayName {
    const char *text = HOMText(displayName);
    // No text would remove the name; text that C cannot carry leaves it alone.
    if (text != NULL || displayName == nil) homing_profile_change_set_display_name(_handle, text);
}

- (NSURL *)photoURL {
    return HOMTakeURL(homing_profile_change_photo_url(_handle));
}

- (void)setPhotoURL:(NSURL *)photoURL {
    homing_profile_change_set_photo_url(_handle, HOMText([photoURL absoluteString]));
}

- (void)commitChangesWithCompletion:(void (^)(NSError *))completion {
    homing_profile_change_commit(_handle, HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
}

@end

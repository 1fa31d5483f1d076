// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

static void HOMAnswerFinish(void *context, void *answer, void *error) {
    @autoreleasepool {
        HOMTypedCodeCallback completion = HOM_TAKE_BLOCK(HOMTypedCodeCallback, context);
        FIRAuthDataResult *result = nil;
        NSString *code = nil;
        if (answer != NULL) {
            void *signedIn = homing_finish_result(answer);
            if (signedIn != NULL) {
                result = HOM_AUTORELEASE([[FIRAuthDataResult alloc] initWithResult:signedIn]);
                homing_release(signedIn);
            }
            code = HOMTakeText(homing_finish_code(answer));
            homing_release(answer);
        }
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(result, code, fault);
        HOM_END_BLOCK(completion);
    }
}

@implementation HOMPendingAction

- (instancetype)initWithHandle:(void *)handle {
    if ((self = [super init])) _handle = handle;
    return self;
}

- (void *)handle {
    return _handle;
}

- (void)dealloc {
    homing_release(_handle);
    HOM_SUPER_DEALLOC;
}

- (BOOL)isEqual:(id)other {
    return [other isKindOfClass:[HOMPendingAction class]] && homing_pending_action_is(_handle, [other handle]);
}

- (NSUInteger)hash {
    return [self.requestID hash];
}

- (NSString *)matchNumber {
    return HOMTakeText(homing_pending_action_match_number(_handle));
}

- (NSString *)requestID {
    return HOMTakeText(homing_pending_action_request_id(_handle));
}

- (NSString *)email {
    return HOMTakeText(homing_pending_action_email(_handle));
}

- (FIRActionCodeOperation)operation {
    return homing_pending_action_operation(_handle);
}

- (NSURL *)continueURL {
    return HOMTakeURL(homing_pending_action_continue_url(_handle));
}

- (NSDate *)expiresAt {
    return [NSDate dateWithTimeIntervalSince1970:homing_pending_action_expires(_handle)];
}

- (HOMPendingActionState)state {
    return homing_pending_action_state(_handle);
}

- (void)resultWithCompletion:(void (^)(FIRAuthDataResult *, NSError *))completion {
    homing_pending_action_result(_handle, HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

- (void)finishWithTypedCode:(NSString *)code
                 completion:(void (^)(FIRAuthDataResult *, NSString *, NSError *))completion {
    homing_pending_action_finish(_handle, HOMText(code), HOM_KEEP_BLOCK(completion), HOMAnswerFinish);
}

- (void)cancel {
    homing_pending_action_cancel(_handle);
}

@end

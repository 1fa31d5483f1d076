// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

#include <stdlib.h>
#include <string.h>

const char *HOMText(NSString *text) {
    if (text == nil || ![text canBeConvertedToEncoding:NSUTF8StringEncoding]) return NULL;
    const char *bytes = [text UTF8String];
    if (bytes == NULL || strlen(bytes) != [text lengthOfBytesUsingEncoding:NSUTF8StringEncoding]) return NULL;
    return bytes;
}

NSString *HOMTakeText(char *text) {
    if (text == NULL) return nil;
    NSString *taken = [NSString stringWithUTF8String:text];
    free(text);
    return taken;
}

NSURL *HOMTakeURL(char *text) {
    NSString *taken = HOMTakeText(text);
    return taken == nil ? nil : [NSURL URLWithString:taken];
}

NSError *HOMTakeError(void *error) {
    if (error == NULL) return nil;
    NSMutableDictionary *info = [NSMutableDictionary dictionary];
    void (^add)(NSString *, id) = ^(NSString *key, id value) {
      if (value != nil) [info setObject:value forKey:key];
    };
    add(NSLocalizedDescriptionKey, HOMTakeText(homing_error_description(error)));
    add(NSLocalizedFailureReasonErrorKey, HOMTakeText(homing_error_reason(error)));
    add(FIRAuthErrorUserInfoNameKey, HOMTakeText(homing_error_name(error)));
    add(FIRAuthErrorUserInfoEmailKey, HOMTakeText(homing_error_email(error)));
    long triesLeft = homing_error_tries_left(error);
    if (triesLeft >= 0) add(HOMAuthErrorUserInfoTriesLeftKey, [NSNumber numberWithLong:triesLeft]);
    add(NSUnderlyingErrorKey, HOMTakeError(homing_error_underlying(error)));
    NSString *domain = HOMTakeText(homing_error_domain(error));
    NSInteger code = homing_error_code(error);
    homing_release(error);
    return [NSError errorWithDomain:domain == nil ? FIRAuthErrorDomain : domain code:code userInfo:info];
}

void *HOMSettings(FIRActionCodeSettings *settings) {
    if (settings == nil) return NULL;
    return homing_settings(
        HOMText([settings.URL absoluteString]), settings.handleCodeInApp, HOMText(settings.iOSBundleID),
        HOMText(settings.androidPackageName), settings.androidInstallIfNotAvailable,
        HOMText(settings.androidMinimumVersion), HOMText(settings.dynamicLinkDomain), HOMText(settings.linkDomain));
}

void HOMAnswerNothing(void *context, void *answer, void *error) {
    @autoreleasepool {
        void (^completion)(NSError *) = HOM_TAKE_BLOCK(void (^)(NSError *), context);
        if (answer != NULL) homing_release(answer);
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(fault);
        HOM_END_BLOCK(completion);
    }
}

void HOMAnswerText(void *context, void *answer, void *error) {
    @autoreleasepool {
        void (^completion)(NSString *, NSError *) = HOM_TAKE_BLOCK(void (^)(NSString *, NSError *), context);
        NSString *text = answer == NULL ? nil : HOMTakeText(homing_text(answer));
        if (answer != NULL) homing_release(answer);
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(text, fault);
        HOM_END_BLOCK(completion);
    }
}

void HOMAnswerResult(void *context, void *answer, void *error) {
    @autoreleasepool {
        FIRAuthDataResultCallback completion = HOM_TAKE_BLOCK(FIRAuthDataResultCallback, context);
        FIRAuthDataResult *result = nil;
        if (answer != NULL) {
            result = HOM_AUTORELEASE([[FIRAuthDataResult alloc] initWithResult:answer]);
            homing_release(answer);
        }
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(result, fault);
        HOM_END_BLOCK(completion);
    }
}

void HOMAnswerInfo(void *context, void *answer, void *error) {
    @autoreleasepool {
        FIRCheckActionCodeCallBack completion = HOM_TAKE_BLOCK(FIRCheckActionCodeCallBack, context);
        FIRActionCodeInfo *info = nil;
        if (answer != NULL) {
            info = HOM_AUTORELEASE([[FIRActionCodeInfo alloc] initWithInfo:answer]);
            homing_release(answer);
        }
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(info, fault);
        HOM_END_BLOCK(completion);
    }
}

void HOMAnswerTokenResult(void *context, void *answer, void *error) {
    @autoreleasepool {
        FIRAuthTokenResultCallback completion = HOM_TAKE_BLOCK(FIRAuthTokenResultCallback, context);
        FIRAuthTokenResult *result = nil;
        if (answer != NULL) {
            result = HOM_AUTORELEASE([[FIRAuthTokenResult alloc] initWithTokenResult:answer]);
            homing_release(answer);
        }
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(result, fault);
        HOM_END_BLOCK(completion);
    }
}

void HOMAnswerPending(void *context, void *answer, void *error) {
    @autoreleasepool {
        HOMPendingActionCallback completion = HOM_TAKE_BLOCK(HOMPendingActionCallback, context);
        HOMPendingAction *action = nil;
        if (answer != NULL) action = HOM_AUTORELEASE([[HOMPendingAction alloc] initWithHandle:answer]);
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(action, fault);
        HOM_END_BLOCK(completion);
    }
}

void HOMAnswerUnfinished(void *context, void *answer, void *error) {
    @autoreleasepool {
        HOMUnfinishedActionCallback completion = HOM_TAKE_BLOCK(HOMUnfinishedActionCallback, context);
        HOMUnfinishedAction *action = nil;
        if (answer != NULL) {
            action = HOM_AUTORELEASE([[HOMUnfinishedAction alloc] initWithUnfinished:answer]);
            homing_release(answer);
        }
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(action, fault);
        HOM_END_BLOCK(completion);
    }
}

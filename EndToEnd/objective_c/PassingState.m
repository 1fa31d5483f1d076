// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// The example of "Passing state in email actions", in Objective-C, and a main function around it.

#import <HomingObjC/HomingObjC.h>

#import "MainQueue.h"

static BOOL isDone;

static void Finish(NSError *error, const char *otherwise) {
    if (error != nil) {
        printf("error %ld %s\n", (long)error.code, error.localizedDescription.UTF8String);
    } else {
        printf("%s %s\n", otherwise, [NSThread isMainThread] ? "main" : "elsewhere");
    }
    isDone = YES;
}

/// The page's example; its `'12'`, which is no string, is `@"12"` here.
static void SendVerification(FIRUser *user, NSString *bundleID) {
    FIRActionCodeSettings *actionCodeSettings = [[[FIRActionCodeSettings alloc] init] autorelease];
    actionCodeSettings.URL =
        [NSURL URLWithString:[NSString stringWithFormat:@"https://www.example.com/?email=%@", user.email]];
    [actionCodeSettings setIOSBundleID:bundleID];
    [actionCodeSettings setAndroidPackageName:@"com.example.android"
                        installIfNotAvailable:YES
                               minimumVersion:@"12"];
    // Which of several link domains to use.
    actionCodeSettings.dynamicLinkDomain = @"example.page.link";
    actionCodeSettings.handleCodeInApp = [[[NSProcessInfo processInfo] arguments] containsObject:@"--in-app"];
    [user sendEmailVerificationWithActionCodeSettings:actionCodeSettings
                                           completion:^(NSError *error) {
                                             Finish(error, "sent");
                                           }];
}

int main(void) {
    @autoreleasepool {
        MainQueueJoinRunLoop();
        NSDictionary *given = [[NSProcessInfo processInfo] environment];
        [HOMApp configureWithEndpoint:[NSURL URLWithString:[given objectForKey:@"ENDPOINT"]]
                               APIKey:[given objectForKey:@"API_KEY"]];
        [[FIRAuth auth] createUserWithEmail:[given objectForKey:@"ADDRESS"]
                                   password:[given objectForKey:@"PASSWORD"]
                                 completion:^(FIRAuthDataResult *authResult, NSError *error) {
                                   if (error != nil) return Finish(error, "");
                                   printf("created %s\n", authResult.user.email.UTF8String);
                                   SendVerification([FIRAuth auth].currentUser, @"com.example.ios");
                                 }];
        RunUntil(&isDone);
    }
    return 0;
}

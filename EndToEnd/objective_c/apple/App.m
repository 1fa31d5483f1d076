// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// An app on Apple platforms, with ARC: its import, its configure line, and the page's calls. It is compiled only.

@import HomingObjC;

FIRAuthErrorCode lastCode;

NSURL *lastPlace;

NSString *lastNumber;

void SendVerification(NSURL *endpoint, NSString *APIKey, NSURL *continueURL);
void Open(NSURL *URL);
void SignInAnywhere(NSString *email, FIRActionCodeSettings *actionCodeSettings);

void SendVerification(NSURL *endpoint, NSString *APIKey, NSURL *continueURL) {
    [HOMApp configureWithEndpoint:endpoint APIKey:APIKey];
    [[FIRAuth auth] useEmulatorWithHost:@"127.0.0.1" port:9099];
    FIRActionCodeSettings *actionCodeSettings = [[FIRActionCodeSettings alloc] init];
    actionCodeSettings.URL = continueURL;
    [actionCodeSettings setAndroidPackageName:@"com.example.android"
                        installIfNotAvailable:YES
                               minimumVersion:@"12"];
    actionCodeSettings.dynamicLinkDomain = @"example.page.link";
    [[FIRAuth auth].currentUser sendEmailVerificationWithActionCodeSettings:actionCodeSettings
                                                                 completion:^(NSError *_Nullable error) {
                                                                   if (error.domain == FIRAuthErrorDomain) {
                                                                       lastCode = (FIRAuthErrorCode)error.code;
                                                                   }
                                                                 }];
}

void Open(NSURL *URL) {
    HOMIncomingURL *incoming = [[FIRAuth auth] handleURL:URL];
    if (incoming.kind == HOMIncomingURLKindAction) {
        lastPlace = incoming.actionCodeURL.continueURL;
    } else if (incoming.kind == HOMIncomingURLKindContinueURL) {
        lastPlace = incoming.URL;
    }
}

void SignInAnywhere(NSString *email, FIRActionCodeSettings *actionCodeSettings) {
    [[FIRAuth auth] sendSignInLinkToEmail:email
                       actionCodeSettings:actionCodeSettings
                                finishing:HOMFinishingAnywhere
                               completion:^(HOMPendingAction *_Nullable action, NSError *_Nullable error) {
                                 lastNumber = action.matchNumber;
                                 [action resultWithCompletion:^(FIRAuthDataResult *_Nullable result,
                                                                NSError *_Nullable why) {
                                   if (result == nil) lastCode = (FIRAuthErrorCode)why.code;
                                 }];
                                 if (error != nil) lastCode = (FIRAuthErrorCode)error.code;
                               }];
}

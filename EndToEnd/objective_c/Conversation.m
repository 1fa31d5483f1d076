// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// An app that makes one call for each line it reads, a JSON object, and writes a line with what came back.

#import <HomingObjC/HomingObjC.h>

#import "MainQueue.h"

static NSMutableDictionary *answer;
static BOOL isAnswered;
static id<NSObject> stateListener;
static id<NSObject> tokenListener;
static NSMutableArray *heard;
static NSUInteger wanted;

// Blocks retain nothing they capture with GCC's runtime, so these are functions of what is global.

static void Note(NSString *key, id value) {
    if (value != nil) [answer setObject:value forKey:key];
}

static NSDictionary *Described(NSError *error) {
    if (error == nil) return nil;
    NSMutableDictionary *told = [NSMutableDictionary dictionary];
    [told setObject:error.domain forKey:@"domain"];
    [told setObject:[NSNumber numberWithLong:error.code] forKey:@"code"];
    [told setObject:error.localizedDescription forKey:@"message"];
    NSArray *keys =
        @[ FIRAuthErrorUserInfoNameKey, FIRAuthErrorUserInfoEmailKey, HOMAuthErrorUserInfoTriesLeftKey ];
    for (NSString *key in keys) {
        if ([error.userInfo objectForKey:key] != nil) [told setObject:[error.userInfo objectForKey:key] forKey:key];
    }
    NSDictionary *underlying = Described([error.userInfo objectForKey:NSUnderlyingErrorKey]);
    if (underlying != nil) [told setObject:underlying forKey:@"underlying"];
    return told;
}

static id Known(FIRUser *user) {
    if (user == nil) return [NSNull null];
    NSMutableDictionary *told = [NSMutableDictionary dictionary];
    [told setObject:user.uid forKey:@"uid"];
    if (user.email != nil) [told setObject:user.email forKey:@"email"];
    if (user.displayName != nil) [told setObject:user.displayName forKey:@"displayName"];
    if (user.photoURL != nil) [told setObject:user.photoURL.absoluteString forKey:@"photoURL"];
    if (user.tenantID != nil) [told setObject:user.tenantID forKey:@"tenantID"];
    [told setObject:[NSNumber numberWithBool:user.isEmailVerified] forKey:@"emailVerified"];
    [told setObject:[NSNumber numberWithBool:user.anonymous] forKey:@"anonymous"];
    [told setObject:user.providerID forKey:@"providerID"];
    [told setObject:[NSNumber numberWithBool:user.refreshToken.length > 0] forKey:@"hasRefreshToken"];
    return told;
}

static void Finish(NSError *error) {
    Note(@"error", Described(error));
    Note(@"isMainThread", [NSNumber numberWithBool:[NSThread isMainThread]]);
    isAnswered = YES;
}

static void Hear(NSString *what) {
    [heard addObject:what];
    if (heard.count == wanted && !isAnswered) Finish(nil);
}

static void FinishSignIn(FIRAuthDataResult *result, NSError *error) {
    if (result != nil) {
        Note(@"user", Known(result.user));
        Note(@"isCurrentUser", [NSNumber numberWithBool:result.user == [FIRAuth auth].currentUser]);
        Note(@"providerID", result.additionalUserInfo.providerID);
        Note(@"isNewUser", [NSNumber numberWithBool:result.additionalUserInfo.isNewUser]);
    }
    Finish(error);
}

static void FinishText(NSString *text, NSError *error) {
    Note(@"text", text);
    Finish(error);
}

static NSDictionary *Shown(HOMPendingAction *action) {
    NSMutableDictionary *told = [NSMutableDictionary dictionary];
    [told setObject:action.matchNumber forKey:@"matchNumber"];
    [told setObject:action.requestID forKey:@"requestID"];
    [told setObject:action.email forKey:@"email"];
    [told setObject:[NSNumber numberWithLong:action.operation] forKey:@"operation"];
    [told setObject:[NSNumber numberWithLong:action.state] forKey:@"state"];
    [told setObject:[NSNumber numberWithDouble:[action.expiresAt timeIntervalSinceNow]] forKey:@"secondsLeft"];
    return told;
}

static void FinishAsking(HOMPendingAction *action, NSError *error) {
    if (action != nil) Note(@"action", Shown(action));
    Finish(error);
}

static NSURL *URLOf(NSString *text) {
    return text == nil ? nil : [NSURL URLWithString:text];
}

static FIRActionCodeSettings *SettingsOf(NSDictionary *given) {
    NSDictionary *wanted = [given objectForKey:@"settings"];
    if (wanted == nil) return nil;
    FIRActionCodeSettings *settings = [[[FIRActionCodeSettings alloc] init] autorelease];
    settings.URL = URLOf([wanted objectForKey:@"URL"]);
    settings.handleCodeInApp = [[wanted objectForKey:@"handleCodeInApp"] boolValue];
    settings.androidPackageName = [wanted objectForKey:@"androidPackageName"];
    settings.androidInstallIfNotAvailable = [[wanted objectForKey:@"androidInstallIfNotAvailable"] boolValue];
    settings.androidMinimumVersion = [wanted objectForKey:@"androidMinimumVersion"];
    settings.linkDomain = [wanted objectForKey:@"linkDomain"];
    return settings;
}

static FIRAuthCredential *CredentialOf(NSDictionary *given) {
    NSString *email = [given objectForKey:@"email"];
    return [given objectForKey:@"link"] == nil
               ? [FIREmailAuthProvider credentialWithEmail:email password:[given objectForKey:@"password"]]
               : [FIREmailAuthProvider credentialWithEmail:email link:[given objectForKey:@"link"]];
}

@interface Conversation : NSObject
@end

@implementation Conversation

#pragma mark - Configuring

- (void)configure:(NSDictionary *)given {
    [HOMApp configureWithEndpoint:URLOf([given objectForKey:@"endpoint"]) APIKey:[given objectForKey:@"APIKey"]];
    Note(@"name", [HOMApp defaultApp].name);
    Finish(nil);
}

- (void)configureBesides:(NSDictionary *)given {
    [HOMApp configureWithName:@"besides"
                     endpoint:URLOf([given objectForKey:@"endpoint"])
                       APIKey:[given objectForKey:@"APIKey"]];
    FIRAuth *besides = [FIRAuth authWithApp:[HOMApp appNamed:@"besides"]];
    Note(@"isAnother", [NSNumber numberWithBool:besides != [FIRAuth auth]]);
    Note(@"isTheSame", [NSNumber numberWithBool:besides == [FIRAuth authWithApp:[HOMApp appNamed:@"besides"]]]);
    Note(@"hasUnknown", [NSNumber numberWithBool:[HOMApp appNamed:@"unknown"] != nil]);
    Note(@"user", Known(besides.currentUser));
    Finish(nil);
}

- (void)useEmulator:(NSDictionary *)given {
    [[FIRAuth auth] useEmulatorWithHost:[given objectForKey:@"host"]
                                   port:[[given objectForKey:@"port"] integerValue]];
    Finish(nil);
}

- (void)configureFromFile:(NSDictionary *)given {
    NSError *error = nil;
    BOOL isDone = [HOMApp configureWithContentsOfFile:[given objectForKey:@"path"] name:nil error:&error];
    Note(@"isDone", [NSNumber numberWithBool:isDone]);
    Finish(error);
}

- (void)configureFromBundle:(NSDictionary *)given {
    (void)given;
    NSError *error = nil;
    Note(@"isDone", [NSNumber numberWithBool:[HOMApp configure:&error]]);
    Finish(error);
}

#pragma mark - Auth

- (void)state:(NSDictionary *)given {
    (void)given;
    FIRAuth *auth = [FIRAuth auth];
    Note(@"isOneObject", [NSNumber numberWithBool:auth == [FIRAuth auth] && auth.currentUser == auth.currentUser]);
    Note(@"user", Known(auth.currentUser));
    Note(@"languageCode", auth.languageCode);
    Note(@"heard", [NSArray arrayWithArray:heard]);
    Note(@"reason", Described(auth.sessionEndReason));
    Finish(nil);
}

/// Chooses the tenant; without one, the project itself.
- (void)enter:(NSDictionary *)given {
    [FIRAuth auth].tenantID = [given objectForKey:@"tenantID"];
    Note(@"tenantID", [FIRAuth auth].tenantID);
    Finish(nil);
}

- (void)speak:(NSDictionary *)given {
    [FIRAuth auth].languageCode = [given objectForKey:@"languageCode"];
    if ([given objectForKey:@"languageCode"] == nil) [[FIRAuth auth] useAppLanguage];
    Finish(nil);
}

/// Listens, and answers when so much was heard.
- (void)listen:(NSDictionary *)given {
    heard = [[NSMutableArray alloc] init];
    stateListener = [[[FIRAuth auth] addAuthStateDidChangeListener:^(FIRAuth *auth, FIRUser *user) {
      NSString *place = auth == [FIRAuth auth] && [NSThread isMainThread] ? @"" : @"elsewhere ";
      Hear([place stringByAppendingString:user == nil ? @"nobody" : user.uid]);
    }] retain];
    tokenListener = [[[FIRAuth auth] addIDTokenDidChangeListener:^(FIRAuth *auth, FIRUser *user) {
      (void)auth;
      Hear(user == nil ? @"no token" : @"token");
    }] retain];
    [self hear:given];
}

/// Answers when so much was heard.
- (void)hear:(NSDictionary *)given {
    wanted = [[given objectForKey:@"count"] unsignedIntegerValue];
    if (heard.count >= wanted) Finish(nil);
}

- (void)stopListening:(NSDictionary *)given {
    (void)given;
    [[FIRAuth auth] removeAuthStateDidChangeListener:stateListener];
    [[FIRAuth auth] removeIDTokenDidChangeListener:tokenListener];
    [[FIRAuth auth] removeAuthStateDidChangeListener:@"not a handle"];
    [stateListener release];
    [tokenListener release];
    stateListener = tokenListener = nil;
    Finish(nil);
}

- (void)createUser:(NSDictionary *)given {
    [[FIRAuth auth] createUserWithEmail:[given objectForKey:@"email"]
                               password:[given objectForKey:@"password"]
                             completion:^(FIRAuthDataResult *result, NSError *error) {
                               FinishSignIn(result, error);
                             }];
}

- (void)signIn:(NSDictionary *)given {
    [[FIRAuth auth] signInWithEmail:[given objectForKey:@"email"]
                           password:[given objectForKey:@"password"]
                         completion:^(FIRAuthDataResult *result, NSError *error) {
                           FinishSignIn(result, error);
                         }];
}

- (void)signInWithLink:(NSDictionary *)given {
    NSString *link = [given objectForKey:@"link"];
    Note(@"isSignInLink", [NSNumber numberWithBool:[[FIRAuth auth] isSignInWithEmailLink:link]]);
    [[FIRAuth auth] signInWithEmail:[given objectForKey:@"email"]
                               link:link
                         completion:^(FIRAuthDataResult *result, NSError *error) {
                           FinishSignIn(result, error);
                         }];
}

- (void)signInWithCredential:(NSDictionary *)given {
    FIRAuthCredential *credential = CredentialOf(given);
    Note(@"provider", credential.provider);
    [[FIRAuth auth] signInWithCredential:credential
                              completion:^(FIRAuthDataResult *result, NSError *error) {
                                FinishSignIn(result, error);
                              }];
}

- (void)signInAnonymously:(NSDictionary *)given {
    (void)given;
    [[FIRAuth auth] signInAnonymouslyWithCompletion:^(FIRAuthDataResult *result, NSError *error) {
      FinishSignIn(result, error);
    }];
}

- (void)signInWithCustomToken:(NSDictionary *)given {
    [[FIRAuth auth] signInWithCustomToken:[given objectForKey:@"token"]
                               completion:^(FIRAuthDataResult *result, NSError *error) {
                                 FinishSignIn(result, error);
                               }];
}

- (void)signOut:(NSDictionary *)given {
    (void)given;
    NSError *error = nil;
    Note(@"isDone", [NSNumber numberWithBool:[[FIRAuth auth] signOut:&error]]);
    Finish(error);
}

- (void)sendPasswordReset:(NSDictionary *)given {
    FIRActionCodeSettings *settings = SettingsOf(given);
    NSString *email = [given objectForKey:@"email"];
    if (settings == nil) {
        [[FIRAuth auth] sendPasswordResetWithEmail:email
                                        completion:^(NSError *error) {
                                          Finish(error);
                                        }];
        return;
    }
    [[FIRAuth auth] sendPasswordResetWithEmail:email
                            actionCodeSettings:settings
                                    completion:^(NSError *error) {
                                      Finish(error);
                                    }];
    // What is changed now is too late for the call.
    settings.androidPackageName = @"com.example.too.late";
    settings.linkDomain = @"too.late.example";
}

- (void)sendSignInLink:(NSDictionary *)given {
    [[FIRAuth auth] sendSignInLinkToEmail:[given objectForKey:@"email"]
                       actionCodeSettings:SettingsOf(given)
                               completion:^(NSError *error) {
                                 Finish(error);
                               }];
}

#pragma mark - Finishing anywhere

/// Asks for a mail that is finished anywhere, of a kind.
- (void)ask:(NSDictionary *)given {
    NSString *kind = [given objectForKey:@"kind"];
    NSString *email = [given objectForKey:@"email"];
    FIRActionCodeSettings *settings = SettingsOf(given);
    FIRUser *user = [FIRAuth auth].currentUser;
    HOMPendingActionCallback completion = ^(HOMPendingAction *action, NSError *error) {
      FinishAsking(action, error);
    };
    if ([kind isEqual:@"signIn"]) {
        [[FIRAuth auth] sendSignInLinkToEmail:email
                           actionCodeSettings:settings
                                    finishing:HOMFinishingAnywhere
                                   completion:completion];
    } else if ([kind isEqual:@"resetPassword"]) {
        [[FIRAuth auth] sendPasswordResetWithEmail:email
                                actionCodeSettings:settings
                                         finishing:HOMFinishingAnywhere
                                        completion:completion];
    } else if ([kind isEqual:@"verifyEmail"]) {
        [user sendEmailVerificationWithActionCodeSettings:settings
                                                finishing:HOMFinishingAnywhere
                                               completion:completion];
    } else {
        [user sendEmailVerificationBeforeUpdatingEmail:email
                                    actionCodeSettings:settings
                                             finishing:HOMFinishingAnywhere
                                            completion:completion];
    }
}

/// What can still be finished.
- (void)pending:(NSDictionary *)given {
    (void)given;
    NSMutableArray *told = [NSMutableArray array];
    for (HOMPendingAction *action in [FIRAuth auth].pendingActions) [told addObject:Shown(action)];
    Note(@"actions", told);
    Note(@"areTheSame",
         [NSNumber numberWithBool:[[FIRAuth auth].pendingActions isEqual:[FIRAuth auth].pendingActions]]);
    Finish(nil);
}

/// Types a code into the newest request.
- (void)typeCode:(NSDictionary *)given {
    HOMPendingAction *action = [[FIRAuth auth].pendingActions objectAtIndex:0];
    [action finishWithTypedCode:[given objectForKey:@"code"]
                     completion:^(FIRAuthDataResult *result, NSString *code, NSError *error) {
                       Note(@"code", code);
                       FinishSignIn(result, error);
                     }];
}

/// Waits for the newest request.
- (void)await:(NSDictionary *)given {
    HOMPendingAction *action = [[FIRAuth auth].pendingActions objectAtIndex:0];
    [action resultWithCompletion:^(FIRAuthDataResult *result, NSError *error) {
      FinishSignIn(result, error);
    }];
    if ([given objectForKey:@"cancelled"] != nil) [action cancel];
}

- (void)signInWithLinkAlone:(NSDictionary *)given {
    [[FIRAuth auth] signInWithLink:[given objectForKey:@"link"]
                        completion:^(FIRAuthDataResult *result, NSError *error) {
                          FinishSignIn(result, error);
                        }];
}

/// What was not finished before the app was installed.
- (void)unfinished:(NSDictionary *)given {
    (void)given;
    [[FIRAuth auth] pendingActionWithCompletion:^(HOMUnfinishedAction *action, NSError *error) {
      Note(@"isUnfinished", [NSNumber numberWithBool:action != nil]);
      Note(@"continueURL", action.continueURL.absoluteString);
      Finish(error);
    }];
}

#pragma mark - Links and codes

- (void)readLink:(NSDictionary *)given {
    FIRActionCodeURL *link = [FIRActionCodeURL actionCodeURLWithLink:[given objectForKey:@"link"]];
    Note(@"isLink", [NSNumber numberWithBool:link != nil]);
    if (link != nil) {
        Note(@"operation", [NSNumber numberWithLong:link.operation]);
        Note(@"code", link.code);
        Note(@"APIKey", link.APIKey);
        Note(@"continueURL", link.continueURL.absoluteString);
        Note(@"languageCode", link.languageCode);
        Note(@"tenantID", link.tenantID);
    }
    Finish(nil);
}

- (void)handle:(NSDictionary *)given {
    HOMIncomingURL *incoming = [[FIRAuth auth] handleURL:URLOf([given objectForKey:@"URL"])];
    Note(@"kind", [NSNumber numberWithLong:incoming.kind]);
    Note(@"code", incoming.actionCodeURL.code);
    Note(@"continueURL", incoming.actionCodeURL.continueURL.absoluteString);
    Note(@"URL", incoming.URL.absoluteString);
    Note(@"wrong", Described(incoming.error));
    Finish(nil);
}

- (void)verifyPasswordResetCode:(NSDictionary *)given {
    [[FIRAuth auth] verifyPasswordResetCode:[given objectForKey:@"code"]
                                 completion:^(NSString *email, NSError *error) {
                                   FinishText(email, error);
                                 }];
}

- (void)confirmPasswordReset:(NSDictionary *)given {
    [[FIRAuth auth] confirmPasswordResetWithCode:[given objectForKey:@"code"]
                                     newPassword:[given objectForKey:@"password"]
                                      completion:^(NSError *error) {
                                        Finish(error);
                                      }];
}

- (void)checkActionCode:(NSDictionary *)given {
    [[FIRAuth auth] checkActionCode:[given objectForKey:@"code"]
                         completion:^(FIRActionCodeInfo *info, NSError *error) {
                           if (info != nil) {
                               Note(@"operation", [NSNumber numberWithLong:info.operation]);
                               Note(@"email", info.email);
                               Note(@"previousEmail", info.previousEmail);
                           }
                           Finish(error);
                         }];
}

- (void)applyActionCode:(NSDictionary *)given {
    [[FIRAuth auth] applyActionCode:[given objectForKey:@"code"]
                         completion:^(NSError *error) {
                           Finish(error);
                         }];
}

/// Makes a long link of parts, and reads it as it opens an app.
- (void)dynamicLink:(NSDictionary *)given {
    NSString *domain = [given objectForKey:@"domain"];
    [FIRDynamicLinks setLinkDomains:@[ domain ] schemes:@[ @"com.example.ios" ]];
    FIRDynamicLinkComponents *components =
        [FIRDynamicLinkComponents componentsWithLink:URLOf([given objectForKey:@"link"]) domainURIPrefix:domain];
    components.iOSParameters = [FIRDynamicLinkIOSParameters parametersWithBundleID:@"com.example.ios"];
    components.iOSParameters.minimumAppVersion = @"1.2";
    components.androidParameters = [FIRDynamicLinkAndroidParameters parametersWithPackageName:@"com.example.android"];
    components.androidParameters.minimumVersion = 12;
    components.analyticsParameters = [FIRDynamicLinkGoogleAnalyticsParameters parametersWithSource:@"mail"
                                                                                           medium:@"email"
                                                                                         campaign:@"spring"];
    components.navigationInfoParameters = [FIRDynamicLinkNavigationInfoParameters parameters];
    components.navigationInfoParameters.forcedRedirectEnabled = YES;
    Note(@"long", components.url.absoluteString);
    FIRDynamicLinks *links = [FIRDynamicLinks dynamicLinks];
    FIRDynamicLink *link = [links dynamicLinkFromUniversalLinkURL:components.url];
    Note(@"url", link.url.absoluteString);
    Note(@"minimumAppVersion", link.minimumAppVersion);
    Note(@"campaign", link.utmParametersDictionary);
    Note(@"matchType", [NSNumber numberWithUnsignedLong:link.matchType]);
    Note(@"isOther", [NSNumber numberWithBool:[links handleUniversalLink:URLOf(@"https://other.example/x")
                                                              completion:^(FIRDynamicLink *none, NSError *error) {
                                                                (void)none;
                                                                Finish(error);
                                                              }]]);
}

/// What is known of the user besides: times, ways of signing in, what the token says.
- (void)know:(NSDictionary *)given {
    (void)given;
    FIRUser *user = [FIRAuth auth].currentUser;
    Note(@"hasTimes", [NSNumber numberWithBool:user.metadata.creationDate != nil && user.metadata.lastSignInDate != nil]);
    id<FIRUserInfo> info = user.providerData.count == 0 ? nil : [user.providerData objectAtIndex:0];
    Note(@"provider", info.providerID);
    Note(@"address", info.email);
    [user getIDTokenResultWithCompletion:^(FIRAuthTokenResult *result, NSError *error) {
      Note(@"signInProvider", result.signInProvider);
      Note(@"claims", result.claims);
      Note(@"secondsLeft", [NSNumber numberWithDouble:[result.expirationDate timeIntervalSinceNow]]);
      Finish(error);
    }];
}

/// Shares who is signed in with a group.
- (void)share:(NSDictionary *)given {
    FIRUser *user = [FIRAuth auth].currentUser;
    NSString *group = [given objectForKey:@"group"];
    NSError *error = nil;
    Note(@"isDone", [NSNumber numberWithBool:[[FIRAuth auth] useUserAccessGroup:group error:&error]]);
    Note(@"group", [FIRAuth auth].userAccessGroup);
    Note(@"before", Known([FIRAuth auth].currentUser));
    [[FIRAuth auth] updateCurrentUser:user
                           completion:^(NSError *fault) {
                             FIRUser *stored = [[FIRAuth auth] getStoredUserForAccessGroup:@"TEAM.shop" error:NULL];
                             Note(@"stored", Known(stored));
                             Finish(fault);
                           }];
}

#pragma mark - User

- (void)reload:(NSDictionary *)given {
    (void)given;
    [[FIRAuth auth].currentUser reloadWithCompletion:^(NSError *error) {
      Note(@"user", Known([FIRAuth auth].currentUser));
      Finish(error);
    }];
}

- (void)token:(NSDictionary *)given {
    if ([given objectForKey:@"forced"] == nil) {
        [[FIRAuth auth].currentUser getIDTokenWithCompletion:^(NSString *token, NSError *error) {
          FinishText(token, error);
        }];
    } else {
        [[FIRAuth auth].currentUser getIDTokenForcingRefresh:YES
                                                  completion:^(NSString *token, NSError *error) {
                                                    FinishText(token, error);
                                                  }];
    }
}

- (void)sendVerification:(NSDictionary *)given {
    FIRActionCodeSettings *settings = SettingsOf(given);
    if (settings == nil) {
        [[FIRAuth auth].currentUser sendEmailVerificationWithCompletion:^(NSError *error) {
          Finish(error);
        }];
        return;
    }
    [[FIRAuth auth].currentUser sendEmailVerificationWithActionCodeSettings:settings
                                                                 completion:^(NSError *error) {
                                                                   Finish(error);
                                                                 }];
}

- (void)sendChange:(NSDictionary *)given {
    FIRActionCodeSettings *settings = SettingsOf(given);
    NSString *email = [given objectForKey:@"email"];
    if (settings == nil) {
        [[FIRAuth auth].currentUser sendEmailVerificationBeforeUpdatingEmail:email
                                                                  completion:^(NSError *error) {
                                                                    Finish(error);
                                                                  }];
        return;
    }
    [[FIRAuth auth].currentUser sendEmailVerificationBeforeUpdatingEmail:email
                                                      actionCodeSettings:settings
                                                              completion:^(NSError *error) {
                                                                Finish(error);
                                                              }];
}

- (void)updatePassword:(NSDictionary *)given {
    [[FIRAuth auth].currentUser updatePassword:[given objectForKey:@"password"]
                                    completion:^(NSError *error) {
                                      Finish(error);
                                    }];
}

- (void)changeProfile:(NSDictionary *)given {
    FIRUserProfileChangeRequest *request = [[FIRAuth auth].currentUser profileChangeRequest];
    request.displayName = [given objectForKey:@"displayName"];
    request.photoURL = URLOf([given objectForKey:@"photoURL"]);
    Note(@"displayName", request.displayName);
    Note(@"photoURL", request.photoURL.absoluteString);
    [request commitChangesWithCompletion:^(NSError *error) {
      Note(@"user", Known([FIRAuth auth].currentUser));
      Finish(error);
    }];
}

- (void)reauthenticate:(NSDictionary *)given {
    [[FIRAuth auth].currentUser reauthenticateWithCredential:CredentialOf(given)
                                                  completion:^(FIRAuthDataResult *result, NSError *error) {
                                                    FinishSignIn(result, error);
                                                  }];
}

- (void)link:(NSDictionary *)given {
    [[FIRAuth auth].currentUser linkWithCredential:CredentialOf(given)
                                        completion:^(FIRAuthDataResult *result, NSError *error) {
                                          FinishSignIn(result, error);
                                        }];
}

- (void)delete:(NSDictionary *)given {
    (void)given;
    [[FIRAuth auth].currentUser deleteWithCompletion:^(NSError *error) {
      Finish(error);
    }];
}

/// How many objects of the layer there are.
- (void)count:(NSDictionary *)given {
    for (NSString *name in [given objectForKey:@"classes"]) {
        Class counted = NSClassFromString(name);
        if (counted != Nil) Note(name, [NSNumber numberWithInt:GSDebugAllocationCount(counted)]);
    }
    Finish(nil);
}

/// No completion block, and nothing where something should be: neither may end the app.
- (void)beCareless:(NSDictionary *)given {
    (void)given;
    NSString *nothing = nil;
    FIRAuthCredential *nobody = nil;
    FIRActionCodeSettings *none = nil;
    [[FIRAuth auth] sendPasswordResetWithEmail:nothing completion:nil];
    [[FIRAuth auth] applyActionCode:nothing completion:^(NSError *error) { (void)error; }];
    [[FIRAuth auth] sendSignInLinkToEmail:nothing actionCodeSettings:none completion:nil];
    [[FIRAuth auth] signInWithCredential:nobody
                              completion:^(FIRAuthDataResult *result, NSError *error) {
                                FinishSignIn(result, error);
                              }];
}

@end

int main(void) {
    GSDebugAllocationActive(YES);
    MainQueueJoinRunLoop();
    Conversation *conversation = [[Conversation alloc] init];
    char line[65536];
    while (fgets(line, sizeof line, stdin) != NULL) {
        @autoreleasepool {
            NSData *bytes = [NSData dataWithBytes:line length:strlen(line)];
            NSDictionary *given = [NSJSONSerialization JSONObjectWithData:bytes options:0 error:NULL];
            NSString *call = [NSString stringWithFormat:@"%@:", [given objectForKey:@"call"]];
            answer = [[NSMutableDictionary alloc] init];
            isAnswered = NO;
            if ([conversation respondsToSelector:NSSelectorFromString(call)]) {
                [conversation performSelector:NSSelectorFromString(call) withObject:given];
                RunUntil(&isAnswered);
            }
            NSData *told = [NSJSONSerialization dataWithJSONObject:answer options:0 error:NULL];
            printf("%.*s\n", (int)told.length, (const char *)told.bytes);
            fflush(stdout);
            [answer release];
        }
    }
    [conversation release];
    return 0;
}

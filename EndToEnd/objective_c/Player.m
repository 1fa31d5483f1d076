// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// The player of Conformance/ for Objective-C: a JSON object a line comes in, and one goes out. What each call means stands
// in Conformance/README.md.

#import <HomingObjC/HomingObjC.h>

#import "MainQueue.h"

static NSMutableDictionary *answer;
static BOOL isAnswered;
static HOMPendingAction *pending;
static NSMutableSet *tokens;
static NSUInteger awaited;
static NSUInteger number;

// Blocks retain nothing they capture with GCC's runtime, so these are functions of what is global.

static id OrNull(id value) {
    return value == nil ? [NSNull null] : value;
}

static void Answer(id result) {
    if (isAnswered) return;
    [answer setObject:OrNull(result) forKey:@"result"];
    isAnswered = YES;
}

static void Refuse(NSString *code, NSString *message) {
    if (isAnswered) return;
    [answer setObject:code forKey:@"error"];
    [answer setObject:message forKey:@"message"];
    isAnswered = YES;
}

/// The codes of Firebase's JavaScript SDK, which are the names of FirebaseAuth but for these.
static NSString *CodeOf(NSError *error, NSString *call) {
    if ([error.domain isEqual:FIRAuthErrorDomain]) {
        if (error.code == FIRAuthErrorCodeUnauthorizedDomain) return @"auth/unauthorized-continue-uri";
        if (error.code == FIRAuthErrorCodeInvalidEmail && [call isEqual:@"verifyBeforeUpdateEmail"]) {
            return @"auth/invalid-new-email";
        }
        if (error.code == FIRAuthErrorCodeInvalidActionCode && [call isEqual:@"signInWithEmailLink"]
            && [error.localizedDescription hasPrefix:@"This is not a sign-in link"]) {
            return @"auth/argument-error";
        }
    }
    NSString *name = [error.userInfo objectForKey:FIRAuthErrorUserInfoNameKey];
    if (name == nil) return @"auth/internal-error";
    name = [[name substringFromIndex:[@"ERROR_" length]] lowercaseString];
    return [@"auth/" stringByAppendingString:[name stringByReplacingOccurrencesOfString:@"_" withString:@"-"]];
}

static NSString *called;

static void AnswerOr(id result, NSError *error) {
    if (error == nil) {
        Answer(result);
    } else {
        Refuse(CodeOf(error, called), error.localizedDescription);
    }
}

static id Known(FIRUser *user) {
    if (user == nil) return nil;
    NSMutableArray *providers = [NSMutableArray array];
    for (id<FIRUserInfo> info in user.providerData) [providers addObject:info.providerID];
    NSMutableDictionary *told = [NSMutableDictionary dictionary];
    [told setObject:user.uid forKey:@"uid"];
    [told setObject:OrNull(user.email) forKey:@"email"];
    [told setObject:OrNull(user.displayName) forKey:@"displayName"];
    [told setObject:OrNull(user.photoURL.absoluteString) forKey:@"photoURL"];
    [told setObject:OrNull(user.tenantID) forKey:@"tenantId"];
    [told setObject:[NSNumber numberWithBool:user.isEmailVerified] forKey:@"emailVerified"];
    [told setObject:[NSNumber numberWithBool:user.anonymous] forKey:@"isAnonymous"];
    [told setObject:providers forKey:@"providers"];
    return told;
}

static FIRAuth *Auth(void) {
    return [FIRAuth auth];
}

/// Who is signed in; nil after a refusal.
static FIRUser *Somebody(void) {
    FIRUser *user = Auth().currentUser;
    if (user == nil) Refuse(@"auth/no-current-user", @"Nobody is signed in.");
    return user;
}

static void AnswerMe(NSError *error) {
    AnswerOr(Known(Auth().currentUser), error);
}

static id Given(NSDictionary *given, NSString *name) {
    id value = [given objectForKey:name];
    return value == [NSNull null] ? nil : value;
}

static NSURL *URLOf(NSString *text) {
    return text == nil ? nil : [NSURL URLWithString:text];
}

static FIRActionCodeSettings *SettingsOf(NSDictionary *given) {
    NSDictionary *wanted = Given(given, @"settings");
    if (wanted == nil) return nil;
    FIRActionCodeSettings *settings = [[[FIRActionCodeSettings alloc] init] autorelease];
    settings.URL = URLOf(Given(wanted, @"url"));
    settings.handleCodeInApp = [Given(wanted, @"handleCodeInApp") boolValue];
    settings.iOSBundleID = Given(wanted, @"iOSBundleId");
    settings.androidPackageName = Given(wanted, @"androidPackageName");
    settings.androidInstallIfNotAvailable = [Given(wanted, @"androidInstallApp") boolValue];
    settings.androidMinimumVersion = Given(wanted, @"androidMinimumVersion");
    settings.linkDomain = Given(wanted, @"linkDomain");
    return settings;
}

static FIRAuthCredential *CredentialOf(NSDictionary *given) {
    return [FIREmailAuthProvider credentialWithEmail:Given(given, @"email") password:Given(given, @"password")];
}

static NSString *NameOf(FIRActionCodeOperation operation) {
    switch (operation) {
        case FIRActionCodeOperationPasswordReset: return @"PASSWORD_RESET";
        case FIRActionCodeOperationVerifyEmail: return @"VERIFY_EMAIL";
        case FIRActionCodeOperationEmailLink: return @"EMAIL_SIGNIN";
        case FIRActionCodeOperationVerifyAndChangeEmail: return @"VERIFY_AND_CHANGE_EMAIL";
        case FIRActionCodeOperationRecoverEmail: return @"RECOVER_EMAIL";
        default: return nil;
    }
}

static void Begin(HOMPendingAction *action, NSError *error) {
    if (action == nil) return AnswerOr(nil, error);
    [pending release];
    pending = [action retain];
    NSNumber *seconds = [NSNumber numberWithLong:lround([action.expiresAt timeIntervalSinceNow])];
    Answer(@{@"matchNumber" : action.matchNumber, @"expiresIn" : seconds});
}

/// A store that forgets with the process.
@interface MemoryStore : NSObject <HOMSessionStore> {
    NSMutableDictionary *_values;
}
@end

@implementation MemoryStore

- (instancetype)init {
    if ((self = [super init])) _values = [[NSMutableDictionary alloc] init];
    return self;
}

- (HOMSessionStoreStatus)readData:(NSData **)data forKey:(NSString *)key {
    @synchronized(self) {
        *data = [[[_values objectForKey:key] retain] autorelease];
    }
    return HOMSessionStoreStatusDone;
}

- (HOMSessionStoreStatus)writeData:(NSData *)data forKey:(NSString *)key {
    @synchronized(self) {
        if (data == nil) {
            [_values removeObjectForKey:key];
        } else {
            [_values setObject:data forKey:key];
        }
    }
    return HOMSessionStoreStatusDone;
}

- (void)dealloc {
    [_values release];
    [super dealloc];
}

@end

@interface Player : NSObject
@end

@implementation Player

- (void)configure:(NSDictionary *)given {
    [pending release];
    pending = nil;
    static MemoryStore *store;
    if (store == nil || ![Given(given, @"keepStore") boolValue]) {
        [store release];
        store = [[MemoryStore alloc] init];
    }
    NSString *server = Given(given, @"server");
    [HOMApp configureWithName:nil
                     endpoint:URLOf(server == nil ? @"http://localhost" : server)
                       APIKey:Given(given, @"apiKey")
                    transport:nil
                 sessionStore:store];
    Auth().tenantID = Given(given, @"tenantId");
    NSArray *emulator = [Given(given, @"emulator") componentsSeparatedByString:@":"];
    if (emulator != nil) {
        [Auth() useEmulatorWithHost:[emulator objectAtIndex:0] port:[[emulator lastObject] integerValue]];
    }
    Answer(nil);
}

- (void)createUser:(NSDictionary *)given {
    [Auth() createUserWithEmail:Given(given, @"email")
                       password:Given(given, @"password")
                     completion:^(FIRAuthDataResult *result, NSError *error) {
                       AnswerOr(Known(result.user), error);
                     }];
}

- (void)signIn:(NSDictionary *)given {
    [Auth() signInWithEmail:Given(given, @"email")
                   password:Given(given, @"password")
                 completion:^(FIRAuthDataResult *result, NSError *error) {
                   AnswerOr(Known(result.user), error);
                 }];
}

- (void)signInAnonymously:(NSDictionary *)given {
    (void)given;
    [Auth() signInAnonymouslyWithCompletion:^(FIRAuthDataResult *result, NSError *error) {
      AnswerOr(Known(result.user), error);
    }];
}

- (void)isSignInLink:(NSDictionary *)given {
    Answer([NSNumber numberWithBool:[Auth() isSignInWithEmailLink:Given(given, @"link")]]);
}

- (void)signInWithEmailLink:(NSDictionary *)given {
    [Auth() signInWithEmail:Given(given, @"email")
                       link:Given(given, @"link")
                 completion:^(FIRAuthDataResult *result, NSError *error) {
                   AnswerOr(Known(result.user), error);
                 }];
}

- (void)sendSignInLink:(NSDictionary *)given {
    [Auth() sendSignInLinkToEmail:Given(given, @"email")
               actionCodeSettings:SettingsOf(given)
                       completion:^(NSError *error) {
                         AnswerOr(nil, error);
                       }];
}

- (void)sendPasswordReset:(NSDictionary *)given {
    [Auth() sendPasswordResetWithEmail:Given(given, @"email")
                    actionCodeSettings:SettingsOf(given)
                            completion:^(NSError *error) {
                              AnswerOr(nil, error);
                            }];
}

- (void)sendEmailVerification:(NSDictionary *)given {
    [Somebody() sendEmailVerificationWithActionCodeSettings:SettingsOf(given)
                                                 completion:^(NSError *error) {
                                                   AnswerOr(nil, error);
                                                 }];
}

- (void)verifyBeforeUpdateEmail:(NSDictionary *)given {
    [Somebody() sendEmailVerificationBeforeUpdatingEmail:Given(given, @"newEmail")
                                      actionCodeSettings:SettingsOf(given)
                                              completion:^(NSError *error) {
                                                AnswerOr(nil, error);
                                              }];
}

- (void)checkActionCode:(NSDictionary *)given {
    [Auth() checkActionCode:Given(given, @"code")
                 completion:^(FIRActionCodeInfo *info, NSError *error) {
                   if (info == nil) return AnswerOr(nil, error);
                   // FirebaseAuth calls the address that a person has now the email, JavaScript the one to come back to.
                   BOOL isBack = info.operation == FIRActionCodeOperationRecoverEmail;
                   id email = info.email.length == 0 ? nil : info.email;
                   Answer(@{
                       @"operation" : OrNull(NameOf(info.operation)),
                       @"email" : OrNull(isBack ? info.previousEmail : email),
                       @"previousEmail" : OrNull(isBack ? email : info.previousEmail)
                   });
                 }];
}

- (void)verifyPasswordResetCode:(NSDictionary *)given {
    [Auth() verifyPasswordResetCode:Given(given, @"code")
                         completion:^(NSString *email, NSError *error) {
                           AnswerOr(@{@"email" : OrNull(email)}, error);
                         }];
}

- (void)confirmPasswordReset:(NSDictionary *)given {
    [Auth() confirmPasswordResetWithCode:Given(given, @"code")
                             newPassword:Given(given, @"newPassword")
                              completion:^(NSError *error) {
                                AnswerOr(nil, error);
                              }];
}

- (void)applyActionCode:(NSDictionary *)given {
    [Auth() applyActionCode:Given(given, @"code")
                 completion:^(NSError *error) {
                   AnswerOr(nil, error);
                 }];
}

- (void)parseActionLink:(NSDictionary *)given {
    FIRActionCodeURL *link = [FIRActionCodeURL actionCodeURLWithLink:Given(given, @"link")];
    NSString *operation = NameOf(link.operation);
    if (link == nil || operation == nil) return Answer(nil);
    Answer(@{
        @"operation" : operation,
        @"code" : OrNull(link.code),
        @"continueURL" : OrNull(link.continueURL.absoluteString),
        @"languageCode" : OrNull(link.languageCode),
        @"tenantId" : OrNull(link.tenantID)
    });
}

- (void)validatePassword:(NSDictionary *)given {
    [Auth() validatePassword:Given(given, @"password")
                  completion:^(BOOL isValid, NSError *error) {
                    AnswerOr(@{@"isValid" : [NSNumber numberWithBool:isValid]}, error);
                  }];
}

- (void)setLanguage:(NSDictionary *)given {
    Auth().languageCode = Given(given, @"code");
    Answer(nil);
}

#pragma mark - The user

- (void)currentUser:(NSDictionary *)given {
    (void)given;
    Answer(Known(Auth().currentUser));
}

- (void)reload:(NSDictionary *)given {
    (void)given;
    [Somebody() reloadWithCompletion:^(NSError *error) {
      AnswerMe(error);
    }];
}

- (void)signOut:(NSDictionary *)given {
    (void)given;
    NSError *error = nil;
    [Auth() signOut:&error];
    AnswerOr(nil, error);
}

- (void)deleteUser:(NSDictionary *)given {
    (void)given;
    [Somebody() deleteWithCompletion:^(NSError *error) {
      AnswerOr(nil, error);
    }];
}

- (void)updatePassword:(NSDictionary *)given {
    [Somebody() updatePassword:Given(given, @"newPassword")
                    completion:^(NSError *error) {
                      AnswerOr(nil, error);
                    }];
}

- (void)updateProfile:(NSDictionary *)given {
    FIRUserProfileChangeRequest *request = [Somebody() profileChangeRequest];
    if (Given(given, @"displayName") != nil) request.displayName = Given(given, @"displayName");
    if (Given(given, @"photoURL") != nil) request.photoURL = URLOf(Given(given, @"photoURL"));
    [request commitChangesWithCompletion:^(NSError *error) {
      AnswerMe(error);
    }];
}

- (void)linkWithPassword:(NSDictionary *)given {
    [Somebody() linkWithCredential:CredentialOf(given)
                        completion:^(FIRAuthDataResult *result, NSError *error) {
                          AnswerOr(Known(result.user), error);
                        }];
}

- (void)reauthenticate:(NSDictionary *)given {
    [Somebody() reauthenticateWithCredential:CredentialOf(given)
                                  completion:^(FIRAuthDataResult *result, NSError *error) {
                                    (void)result;
                                    AnswerOr(nil, error);
                                  }];
}

- (void)idToken:(NSDictionary *)given {
    [Somebody() getIDTokenResultForcingRefresh:[Given(given, @"forceRefresh") boolValue]
                                    completion:^(FIRAuthTokenResult *result, NSError *error) {
                                      if (result == nil) return AnswerOr(nil, error);
                                      Answer(@{@"token" : result.token, @"claims" : result.claims});
                                    }];
}

- (void)idTokens:(NSDictionary *)given {
    tokens = [[NSMutableSet alloc] init];
    awaited = [Given(given, @"count") unsignedIntegerValue];
    FIRUser *user = Somebody();
    for (NSUInteger index = 0, count = user == nil ? 0 : awaited; index < count; index++) {
        [user getIDTokenForcingRefresh:[Given(given, @"forceRefresh") boolValue]
                            completion:^(NSString *token, NSError *error) {
                              if (token == nil) return AnswerOr(nil, error);
                              [tokens addObject:token];
                              if (--awaited > 0) return;
                              Answer(@{@"distinct" : [NSNumber numberWithUnsignedInteger:tokens.count]});
                            }];
    }
}

#pragma mark - Finishing anywhere

- (void)beginReset:(NSDictionary *)given {
    [Auth() sendPasswordResetWithEmail:Given(given, @"email")
                    actionCodeSettings:SettingsOf(given)
                             finishing:HOMFinishingAnywhere
                            completion:^(HOMPendingAction *action, NSError *error) {
                              Begin(action, error);
                            }];
}

- (void)beginSignIn:(NSDictionary *)given {
    [Auth() sendSignInLinkToEmail:Given(given, @"email")
               actionCodeSettings:SettingsOf(given)
                        finishing:HOMFinishingAnywhere
                       completion:^(HOMPendingAction *action, NSError *error) {
                         Begin(action, error);
                       }];
}

- (void)beginVerification:(NSDictionary *)given {
    [Somebody() sendEmailVerificationWithActionCodeSettings:SettingsOf(given)
                                                  finishing:HOMFinishingAnywhere
                                                 completion:^(HOMPendingAction *action, NSError *error) {
                                                   Begin(action, error);
                                                 }];
}

- (void)typeCode:(NSDictionary *)given {
    [pending finishWithTypedCode:Given(given, @"code")
                      completion:^(FIRAuthDataResult *result, NSString *code, NSError *error) {
                        AnswerOr(@{@"user" : OrNull(Known(result.user)), @"code" : OrNull(code)}, error);
                      }];
}

- (void)waitForPending:(NSDictionary *)given {
    NSArray *names = @[ @"pending", @"approved", @"done", @"declined", @"expired", @"failed" ];
    static BOOL isOver;
    isOver = NO;
    NSUInteger mine = ++number;
    [pending resultWithCompletion:^(FIRAuthDataResult *result, NSError *error) {
      (void)result, (void)error;
      if (mine == number) isOver = YES;
    }];
    NSDate *end = [NSDate dateWithTimeIntervalSinceNow:[Given(given, @"seconds") doubleValue]];
    while (!isOver && [end timeIntervalSinceNow] > 0) {
        [[NSRunLoop mainRunLoop] runMode:NSDefaultRunLoopMode
                              beforeDate:[NSDate dateWithTimeIntervalSinceNow:0.05]];
    }
    number++;
    Answer(@{@"state" : [names objectAtIndex:(NSUInteger)pending.state]});
}

- (void)resumePending:(NSDictionary *)given {
    (void)given;
    [pending release];
    pending = Auth().pendingActions.count == 0 ? nil : [[Auth().pendingActions objectAtIndex:0] retain];
    if (pending == nil) return Answer(nil);
    Answer(@{
        @"matchNumber" : pending.matchNumber,
        @"email" : pending.email,
        @"operation" : OrNull(NameOf(pending.operation)),
        @"continueURL" : OrNull(pending.continueURL.absoluteString)
    });
}

@end

static void Play(Player *player, char *line) {
    NSData *bytes = [NSData dataWithBytes:line length:strlen(line)];
    NSDictionary *given = [NSJSONSerialization JSONObjectWithData:bytes options:0 error:NULL];
    called = [given objectForKey:@"call"];
    SEL selector = NSSelectorFromString([called stringByAppendingString:@":"]);
    answer = [NSMutableDictionary dictionary];
    isAnswered = NO;
    if ([player respondsToSelector:selector]) {
        [player performSelector:selector withObject:given];
        RunUntil(&isAnswered);
    } else {
        Refuse(@"player/unsupported", @"The client has no such call.");
    }
    NSData *told = [NSJSONSerialization dataWithJSONObject:answer options:0 error:NULL];
    printf("%.*s\n", (int)told.length, (const char *)told.bytes);
    fflush(stdout);
}

int main(void) {
    MainQueueJoinRunLoop();
    Player *player = [[Player alloc] init];
    char line[65536];
    while (fgets(line, sizeof line, stdin) != NULL) {
        @autoreleasepool {
            Play(player, line);
        }
    }
    [player release];
    return 0;
}

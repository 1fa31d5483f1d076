// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

/// What ends a listener.
@interface HOMListenerHandle : NSObject {
  @private
    void *_handle;
}
- (instancetype)initWithHandle:(void *)handle;
- (void *)handle;
@end

@implementation HOMListenerHandle

- (instancetype)initWithHandle:(void *)handle {
    if ((self = [super init])) _handle = handle;
    return self;
}

- (void *)handle {
    return _handle;
}

- (void)dealloc {
    if (_handle != NULL) homing_release(_handle);
    HOM_SUPER_DEALLOC;
}

@end

static void HOMHear(void *context, void *auth, void *user) {
    @autoreleasepool {
        // The reference stays the listener's: it hears again.
        FIRAuthStateDidChangeListenerBlock listener = (__bridge FIRAuthStateDidChangeListenerBlock)context;
        FIRAuth *told = [FIRAuth authWithHandle:auth];
        listener(told, [told userWithHandle:user]);
    }
}

static void HOMEndListener(void *context) {
    FIRAuthStateDidChangeListenerBlock listener = HOM_TAKE_BLOCK(FIRAuthStateDidChangeListenerBlock, context);
    HOM_END_BLOCK(listener);
    (void)listener;
}

NSString *const FIRAuthStateDidChangeNotification = @"FIRAuthStateDidChangeNotification";

@implementation FIRAuth

#pragma mark - One object for one thing

- (instancetype)initWithHandle:(void *)handle {
    if ((self = [super init])) _handle = handle;
    return self;
}

+ (FIRAuth *)authWithHandle:(void *)handle {
    static NSMutableDictionary *auths;
    @synchronized([FIRAuth class]) {
        if (auths == nil) auths = [[NSMutableDictionary alloc] init];
        NSValue *key = [NSValue valueWithPointer:handle];
        FIRAuth *auth = [auths objectForKey:key];
        if (auth != nil) {
            homing_release(handle);
            return auth;
        }
        // It is kept for ever, as what it stands for.
        auth = [[FIRAuth alloc] initWithHandle:handle];
        [auths setObject:auth forKey:key];
        HOM_RELEASE(auth);
        return auth;
    }
}

- (FIRUser *)userWithHandle:(void *)handle {
    @synchronized(self) {
        if (handle != NULL && handle == [_user handle]) {
            homing_release(handle);
        } else {
            HOM_RELEASE(_user);
            _user = handle == NULL ? nil : [[FIRUser alloc] initWithHandle:handle];
        }
        return HOM_AUTORELEASE(HOM_RETAIN(_user));
    }
}

- (void)dealloc {
    HOM_RELEASE(_user);
    homing_release(_handle);
    HOM_SUPER_DEALLOC;
}

+ (FIRAuth *)auth {
    return [self authWithHandle:homing_auth(NULL)];
}

+ (FIRAuth *)authWithApp:(HOMApp *)app {
    return [self authWithHandle:homing_auth(HOMText(app.name))];
}

#pragma mark - State

- (FIRUser *)currentUser {
    return [self userWithHandle:homing_auth_current_user(_handle)];
}

- (NSError *)sessionEndReason {
    return HOMTakeError(homing_auth_session_end_reason(_handle));
}

- (NSString *)languageCode {
    return HOMTakeText(homing_auth_language_code(_handle));
}

- (void)setLanguageCode:(NSString *)languageCode {
    homing_auth_set_language_code(_handle, HOMText(languageCode));
}

- (NSString *)tenantID {
    return HOMTakeText(homing_auth_tenant_id(_handle));
}

- (void)setTenantID:(NSString *)tenantID {
    homing_auth_set_tenant_id(_handle, HOMText(tenantID));
}

- (void)useAppLanguage {
    homing_auth_use_app_language(_handle);
}

- (void)useEmulatorWithHost:(NSString *)host port:(NSInteger)port {
    homing_auth_use_emulator(_handle, HOMText(host), port);
    // Lets go of the user.
    (void)[self currentUser];
}

- (BOOL)signOut:(NSError **)error {
    NSError *why = HOMTakeError(homing_auth_sign_out(_handle));
    // Lets go of the user.
    (void)[self currentUser];
    if (error != NULL) *error = why;
    return why == nil;
}

#pragma mark - Sharing who is signed in

- (NSString *)userAccessGroup {
    return HOMTakeText(homing_auth_access_group(_handle));
}

- (BOOL)useUserAccessGroup:(NSString *)accessGroup error:(NSError **)outError {
    NSError *fault = HOMTakeError(homing_auth_use_access_group(_handle, HOMText(accessGroup)));
    if (outError != NULL) *outError = fault;
    return fault == nil;
}

- (FIRUser *)getStoredUserForAccessGroup:(NSString *)accessGroup error:(NSError **)outError {
    void *fault = NULL;
    void *user = homing_auth_stored_user(_handle, HOMText(accessGroup), &fault);
    NSError *why = HOMTakeError(fault);
    if (outError != NULL) *outError = why;
    return user == NULL ? nil : HOM_AUTORELEASE([[FIRUser alloc] initWithHandle:user]);
}

- (void)updateCurrentUser:(FIRUser *)user completion:(FIRAuthVoidErrorCallback)completion {
    homing_auth_update_current_user(_handle, [user handle], HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
}

static void HOMAnswerFlag(void *context, void *answer, void *error) {
    @autoreleasepool {
        void (^completion)(BOOL, NSError *) = HOM_TAKE_BLOCK(void (^)(BOOL, NSError *), context);
        BOOL flag = answer != NULL && homing_flag(answer);
        if (answer != NULL) homing_release(answer);
        NSError *fault = HOMTakeError(error);
        if (completion != nil) completion(flag, fault);
        HOM_END_BLOCK(completion);
    }
}

- (void)validatePassword:(NSString *)password completion:(void (^)(BOOL, NSError *))completion {
    homing_auth_validate_password(_handle, HOMText(password), HOM_KEEP_BLOCK(completion), HOMAnswerFlag);
}

#pragma mark - Signing in

- (void)createUserWithEmail:(NSString *)email
                   password:(NSString *)password
                 completion:(FIRAuthDataResultCallback)completion {
    homing_auth_create_user(
        _handle, HOMText(email), HOMText(password), HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

- (void)signInWithEmail:(NSString *)email
               password:(NSString *)password
             completion:(FIRAuthDataResultCallback)completion {
    [self signInWithCredential:[FIREmailAuthProvider credentialWithEmail:email password:password]
                    completion:completion];
}

- (void)signInWithEmail:(NSString *)email link:(NSString *)link completion:(FIRAuthDataResultCallback)completion {
    [self signInWithCredential:[FIREmailAuthProvider credentialWithEmail:email link:link] completion:completion];
}

- (void)signInWithLink:(NSString *)link completion:(FIRAuthDataResultCallback)completion {
    homing_auth_sign_in_with_link(_handle, HOMText(link), HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

- (void)signInWithCredential:(FIRAuthCredential *)credential completion:(FIRAuthDataResultCallback)completion {
    homing_auth_sign_in(_handle, [credential handle], HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

- (void)signInWithCustomToken:(NSString *)token completion:(FIRAuthDataResultCallback)completion {
    homing_auth_sign_in_with_custom_token(_handle, HOMText(token), HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

- (void)signInAnonymouslyWithCompletion:(FIRAuthDataResultCallback)completion {
    homing_auth_sign_in_anonymously(_handle, HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

#pragma mark - Asking for mails

- (void)sendPasswordResetWithEmail:(NSString *)email completion:(FIRSendPasswordResetCallback)completion {
    [self sendPasswordResetWithEmail:email actionCodeSettings:nil completion:completion];
}

- (void)sendPasswordResetWithEmail:(NSString *)email
                actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                        completion:(FIRSendPasswordResetCallback)completion {
    void *settings = HOMSettings(actionCodeSettings);
    homing_auth_send_password_reset(
        _handle, HOMText(email), settings, HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
    if (settings != NULL) homing_release(settings);
}

- (void)sendSignInLinkToEmail:(NSString *)email
           actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                   completion:(FIRSendSignInLinkToEmailCallback)completion {
    void *settings = HOMSettings(actionCodeSettings);
    homing_auth_send_sign_in_link(_handle, HOMText(email), settings, HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
    if (settings != NULL) homing_release(settings);
}

- (void)sendPasswordResetWithEmail:(NSString *)email
                actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                         finishing:(HOMFinishing)finishing
                        completion:(HOMPendingActionCallback)completion {
    (void)finishing;
    void *settings = HOMSettings(actionCodeSettings);
    homing_auth_begin_password_reset(
        _handle, HOMText(email), settings, HOM_KEEP_BLOCK(completion), HOMAnswerPending);
    if (settings != NULL) homing_release(settings);
}

- (void)sendSignInLinkToEmail:(NSString *)email
           actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                    finishing:(HOMFinishing)finishing
                   completion:(HOMPendingActionCallback)completion {
    (void)finishing;
    void *settings = HOMSettings(actionCodeSettings);
    homing_auth_begin_sign_in(_handle, HOMText(email), settings, HOM_KEEP_BLOCK(completion), HOMAnswerPending);
    if (settings != NULL) homing_release(settings);
}

- (NSArray<HOMPendingAction *> *)pendingActions {
    NSMutableArray<HOMPendingAction *> *actions = [NSMutableArray array];
    void *list = homing_auth_pending_actions(_handle);
    for (long index = 0; index < homing_pending_actions_count(list); index++) {
        void *handle = homing_pending_actions_at(list, index);
        [actions addObject:HOM_AUTORELEASE([[HOMPendingAction alloc] initWithHandle:handle])];
    }
    homing_release(list);
    return actions;
}

- (void)pendingActionWithCompletion:(HOMUnfinishedActionCallback)completion {
    homing_auth_unfinished_action(_handle, HOM_KEEP_BLOCK(completion), HOMAnswerUnfinished);
}

#pragma mark - Using codes

- (void)verifyPasswordResetCode:(NSString *)code completion:(FIRVerifyPasswordResetCodeCallback)completion {
    homing_auth_verify_password_reset_code(_handle, HOMText(code), HOM_KEEP_BLOCK(completion), HOMAnswerText);
}

- (void)confirmPasswordResetWithCode:(NSString *)code
                         newPassword:(NSString *)newPassword
                          completion:(FIRConfirmPasswordResetCallback)completion {
    homing_auth_confirm_password_reset(
        _handle, HOMText(code), HOMText(newPassword), HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
}

- (void)checkActionCode:(NSString *)code completion:(FIRCheckActionCodeCallBack)completion {
    homing_auth_check_action_code(_handle, HOMText(code), HOM_KEEP_BLOCK(completion), HOMAnswerInfo);
}

- (void)applyActionCode:(NSString *)code completion:(FIRApplyActionCodeCallback)completion {
    homing_auth_apply_action_code(_handle, HOMText(code), HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
}

- (BOOL)isSignInWithEmailLink:(NSString *)link {
    return homing_auth_is_sign_in_link(_handle, HOMText(link));
}

- (HOMIncomingURL *)handleURL:(NSURL *)URL {
    void *told = homing_auth_handle(_handle, HOMText([URL absoluteString]));
    HOMIncomingURL *incoming = HOM_AUTORELEASE([[HOMIncomingURL alloc] initWithIncoming:told]);
    homing_release(told);
    return incoming;
}

#pragma mark - Listening

- (id<NSObject>)addListener:(FIRAuthStateDidChangeListenerBlock)listener wantsTokens:(BOOL)wantsTokens {
    // Without a block there is nobody to tell.
    if (listener == nil) return HOM_AUTORELEASE([[HOMListenerHandle alloc] initWithHandle:NULL]);
    void *handle =
        homing_auth_add_listener(_handle, wantsTokens, HOM_KEEP_BLOCK(listener), HOMHear, HOMEndListener);
    return HOM_AUTORELEASE([[HOMListenerHandle alloc] initWithHandle:handle]);
}

- (FIRAuthStateDidChangeListenerHandle)addAuthStateDidChangeListener:(FIRAuthStateDidChangeListenerBlock)listener {
    return [self addListener:listener wantsTokens:NO];
}

- (void)removeAuthStateDidChangeListener:(FIRAuthStateDidChangeListenerHandle)listenerHandle {
    if (![listenerHandle isKindOfClass:[HOMListenerHandle class]]) return;
    void *handle = [(HOMListenerHandle *)listenerHandle handle];
    if (handle != NULL) homing_auth_remove_listener(_handle, handle);
}

- (FIRIDTokenDidChangeListenerHandle)addIDTokenDidChangeListener:(FIRIDTokenDidChangeListenerBlock)listener {
    return [self addListener:listener wantsTokens:YES];
}

- (void)removeIDTokenDidChangeListener:(FIRIDTokenDidChangeListenerHandle)listenerHandle {
    [self removeAuthStateDidChangeListener:listenerHandle];
}

@end

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation FIRUser

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
    return [other isKindOfClass:[FIRUser class]] && [other handle] == _handle;
}

- (NSUInteger)hash {
    return (NSUInteger)_handle;
}

#pragma mark - Who it is

- (NSString *)providerID {
    return @"Firebase";
}

- (NSString *)uid {
    return HOMTakeText(homing_user_uid(_handle));
}

- (NSString *)email {
    return HOMTakeText(homing_user_email(_handle));
}

- (BOOL)isEmailVerified {
    return homing_user_is_email_verified(_handle);
}

- (BOOL)isAnonymous {
    return homing_user_is_anonymous(_handle);
}

- (NSString *)displayName {
    return HOMTakeText(homing_user_display_name(_handle));
}

- (NSURL *)photoURL {
    return HOMTakeURL(homing_user_photo_url(_handle));
}

- (NSString *)tenantID {
    return HOMTakeText(homing_user_tenant_id(_handle));
}

- (NSString *)refreshToken {
    return HOMTakeText(homing_user_refresh_token(_handle));
}

- (NSString *)phoneNumber {
    return nil;
}

- (FIRUserMetadata *)metadata {
    return HOM_AUTORELEASE([[FIRUserMetadata alloc] initWithUser:_handle]);
}

- (NSArray *)providerData {
    if (!homing_user_has_email_provider(_handle)) return [NSArray array];
    return [NSArray arrayWithObject:HOM_AUTORELEASE([[HOMUserInfo alloc] initWithUser:self])];
}

#pragma mark - Session

- (void)reloadWithCompletion:(void (^)(NSError *))completion {
    homing_user_reload(_handle, HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
}

- (void)getIDTokenWithCompletion:(FIRAuthTokenCallback)completion {
    [self getIDTokenForcingRefresh:NO completion:completion];
}

- (void)getIDTokenForcingRefresh:(BOOL)forceRefresh completion:(FIRAuthTokenCallback)completion {
    homing_user_id_token(_handle, forceRefresh, HOM_KEEP_BLOCK(completion), HOMAnswerText);
}

- (void)getIDTokenResultWithCompletion:(FIRAuthTokenResultCallback)completion {
    [self getIDTokenResultForcingRefresh:NO completion:completion];
}

- (void)getIDTokenResultForcingRefresh:(BOOL)forceRefresh completion:(FIRAuthTokenResultCallback)completion {
    homing_user_token_result(_handle, forceRefresh, HOM_KEEP_BLOCK(completion), HOMAnswerTokenResult);
}

#pragma mark - Asking for mails

- (void)sendEmailVerificationWithCompletion:(FIRSendEmailVerificationCallback)completion {
    [self sendEmailVerificationWithActionCodeSettings:nil completion:completion];
}

- (void)sendEmailVerificationWithActionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                                         completion:(FIRSendEmailVerificationCallback)completion {
    void *settings = HOMSettings(actionCodeSettings);
    homing_user_send_verification(_handle, settings, HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
    if (settings != NULL) homing_release(settings);
}

- (void)sendEmailVerificationBeforeUpdatingEmail:(NSString *)email
                                      completion:(FIRSendEmailVerificationCallback)completion {
    [self sendEmailVerificationBeforeUpdatingEmail:email actionCodeSettings:nil completion:completion];
}

- (void)sendEmailVerificationBeforeUpdatingEmail:(NSString *)email
                              actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                                      completion:(FIRSendEmailVerificationCallback)completion {
    void *settings = HOMSettings(actionCodeSettings);
    homing_user_send_verification_before_updating(
        _handle, HOMText(email), settings, HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
    if (settings != NULL) homing_release(settings);
}

- (void)sendEmailVerificationWithActionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                                          finishing:(HOMFinishing)finishing
                                         completion:(HOMPendingActionCallback)completion {
    (void)finishing;
    void *settings = HOMSettings(actionCodeSettings);
    homing_user_begin_verification(_handle, settings, HOM_KEEP_BLOCK(completion), HOMAnswerPending);
    if (settings != NULL) homing_release(settings);
}

- (void)sendEmailVerificationBeforeUpdatingEmail:(NSString *)email
                              actionCodeSettings:(FIRActionCodeSettings *)actionCodeSettings
                                       finishing:(HOMFinishing)finishing
                                      completion:(HOMPendingActionCallback)completion {
    (void)finishing;
    void *settings = HOMSettings(actionCodeSettings);
    homing_user_begin_change(_handle, HOMText(email), settings, HOM_KEEP_BLOCK(completion), HOMAnswerPending);
    if (settings != NULL) homing_release(settings);
}

#pragma mark - Changing the account

- (void)updatePassword:(NSString *)password completion:(FIRUserProfileChangeCallback)completion {
    homing_user_update_password(_handle, HOMText(password), HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
}

- (FIRUserProfileChangeRequest *)profileChangeRequest {
    void *handle = homing_profile_change(_handle);
    return HOM_AUTORELEASE([[FIRUserProfileChangeRequest alloc] initWithHandle:handle]);
}

- (void)reauthenticateWithCredential:(FIRAuthCredential *)credential
                          completion:(void (^)(FIRAuthDataResult *, NSError *))completion {
    homing_user_reauthenticate(_handle, [credential handle], HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

- (void)linkWithCredential:(FIRAuthCredential *)credential
                completion:(void (^)(FIRAuthDataResult *, NSError *))completion {
    homing_user_link(_handle, [credential handle], HOM_KEEP_BLOCK(completion), HOMAnswerResult);
}

- (void)deleteWithCompletion:(FIRUserProfileChangeCallback)completion {
    homing_user_delete(_handle, HOM_KEEP_BLOCK(completion), HOMAnswerNothing);
}

@end

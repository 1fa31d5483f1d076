// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <HomingObjC/HomingObjC.h>

#import "HOMMemory.h"
#import "HomingC.h"

NS_ASSUME_NONNULL_BEGIN

/// Text for C; NULL for nil, and for text that C cannot carry whole (a NUL, half a surrogate pair): what is missing the
/// server refuses, what is cut short it would take.
const char *_Nullable HOMText(NSString *_Nullable text);

/// Text from C, which is freed.
NSString *_Nullable HOMTakeText(char *_Nullable text);

/// A URL from C, which is freed.
NSURL *_Nullable HOMTakeURL(char *_Nullable text);

/// An error from C, which is released; nil for NULL.
NSError *_Nullable HOMTakeError(void *_Nullable error);

/// Settings for C, with a reference; NULL for nil.
void *_Nullable HOMSettings(FIRActionCodeSettings *_Nullable settings);

/// Calls a block that takes an error.
void HOMAnswerNothing(void *_Nullable context, void *_Nullable answer, void *_Nullable error);

/// Calls a block that takes text and an error.
void HOMAnswerText(void *_Nullable context, void *_Nullable answer, void *_Nullable error);

/// Calls a block that takes a `FIRAuthDataResult` and an error.
void HOMAnswerResult(void *_Nullable context, void *_Nullable answer, void *_Nullable error);

/// Calls a block that takes a `FIRActionCodeInfo` and an error.
void HOMAnswerInfo(void *_Nullable context, void *_Nullable answer, void *_Nullable error);

/// Calls a block that takes a `HOMPendingAction` and an error.
void HOMAnswerPending(void *_Nullable context, void *_Nullable answer, void *_Nullable error);

/// Calls a block that takes a `HOMUnfinishedAction` and an error.
void HOMAnswerUnfinished(void *_Nullable context, void *_Nullable answer, void *_Nullable error);

/// Calls a block that takes a `FIRAuthTokenResult` and an error.
void HOMAnswerTokenResult(void *_Nullable context, void *_Nullable answer, void *_Nullable error);

@interface FIRUserMetadata ()
/// Reads a user, who stays the caller's.
- (instancetype)initWithUser:(const void *)user;
@end

@interface FIRAuthTokenResult ()
/// Reads a result, which stays the caller's.
- (instancetype)initWithTokenResult:(const void *)result;
@end

/// A user as the email provider knows them.
@interface HOMUserInfo : NSObject <FIRUserInfo> {
  @private
    NSString *_email;
    NSString *_displayName;
    NSURL *_photoURL;
}
- (instancetype)initWithUser:(FIRUser *)user;
@end

@interface FIRDynamicLink ()
/// Reads a link, which stays the caller's.
- (instancetype)initWithLink:(const void *)link;
@end

@interface HOMDynamicLinkParameters ()
@property(nonatomic, readonly) NSMutableDictionary *values;
- (void)set:(nullable id)value for:(NSString *)name;
@end

/// Configures an app with a transport, a store, both or none of its own.
void HOMConfigure(
    NSString *_Nullable name, NSURL *endpoint, NSString *APIKey, id<HOMTransport> _Nullable transport,
    id<HOMSessionStore> _Nullable store);

@interface HOMTransportReply ()
/// It takes the reference.
- (instancetype)initWithHandle:(void *)handle;
@end

@interface HOMApp ()
- (instancetype)initWithName:(NSString *)name;
@end

@interface FIRAuth ()
/// The one object of a handle, whose reference it takes.
+ (FIRAuth *)authWithHandle:(void *)handle;
/// The object of a user, the same one as last time for the same user; it takes the reference.
- (nullable FIRUser *)userWithHandle:(nullable void *)handle;
@end

@interface FIRUser ()
- (instancetype)initWithHandle:(void *)handle;
- (void *)handle;
@end

@interface FIRAuthCredential ()
- (instancetype)initWithHandle:(void *)handle;
- (void *)handle;
@end

@interface FIRUserProfileChangeRequest ()
- (instancetype)initWithHandle:(void *)handle;
@end

@interface FIRAuthDataResult ()
/// Reads a result, which stays the caller's.
- (instancetype)initWithResult:(const void *)result;
@end

@interface FIRAdditionalUserInfo ()
- (instancetype)initWithProviderID:(NSString *)providerID isNewUser:(BOOL)isNewUser;
@end

@interface FIRActionCodeInfo ()
/// Reads an info, which stays the caller's.
- (instancetype)initWithInfo:(const void *)info;
@end

@interface FIRActionCodeURL ()
/// Reads a link, which stays the caller's.
- (instancetype)initWithParsedLink:(const void *)link;
@end

@interface HOMPendingAction ()
/// It takes the reference.
- (instancetype)initWithHandle:(void *)handle;
- (void *)handle;
@end

@interface HOMUnfinishedAction ()
/// Reads an unfinished action, which stays the caller's.
- (instancetype)initWithUnfinished:(const void *)unfinished;
@end

@interface HOMIncomingURL ()
/// Reads what a URL is, which stays the caller's.
- (instancetype)initWithIncoming:(const void *)incoming;
@end

NS_ASSUME_NONNULL_END

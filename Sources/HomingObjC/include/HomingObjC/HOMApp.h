// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@protocol HOMSessionStore;
@protocol HOMTransport;

/// A project of a Homing server, as an app talks to it: the twin of `FIRApp`.
///
/// ```
/// [HOMApp configureWithEndpoint:[NSURL URLWithString:@"https://auth.example.com"] APIKey:@"hk_…"];
/// ```
@interface HOMApp : NSObject {
  @private
    NSString *_name;
}

/// Under which name it was configured.
@property(nonatomic, readonly, copy) NSString *name;

/// Says which server and which project this app talks to. Call it once, before anything else.
///
/// @param endpoint The public URL of the server, such as `https://auth.example.com`.
/// @param APIKey A key of the project; `homing project show` prints it.
+ (void)configureWithEndpoint:(NSURL *)endpoint APIKey:(NSString *)APIKey;

/// The same for one of several projects, with a name for each.
///
/// @param name For `appNamed:`. Configured again, it means the new project from then on.
/// @param endpoint The public URL of the server.
/// @param APIKey A key of the project.
+ (void)configureWithName:(NSString *)name endpoint:(NSURL *)endpoint APIKey:(NSString *)APIKey;

/// The same with everything that can be chosen.
///
/// @param name For `appNamed:`; nil means the default app.
/// @param endpoint The public URL of the server.
/// @param APIKey A key of the project.
/// @param transport How requests leave; nil means the system's.
/// @param sessionStore Where the signed-in user is kept; nil means the Keychain, and a file where there is none.
+ (void)configureWithName:(nullable NSString *)name
                 endpoint:(NSURL *)endpoint
                   APIKey:(NSString *)APIKey
                transport:(nullable id<HOMTransport>)transport
             sessionStore:(nullable id<HOMSessionStore>)sessionStore;

/// Configures the app from `Homing-Info.plist` or `homing.json` in the main bundle.
///
/// @param error Why that failed.
+ (BOOL)configure:(NSError *_Nullable *_Nullable)error;

/// Configures an app from a property list or a JSON file with the keys `endpoint` and `apiKey`.
///
/// @param path `.json` means JSON, everything else a property list.
/// @param name For `appNamed:`; nil means the default app.
/// @param error Why that failed.
+ (BOOL)configureWithContentsOfFile:(NSString *)path
                               name:(nullable NSString *)name
                              error:(NSError *_Nullable *_Nullable)error;

/// The app of `configureWithEndpoint:APIKey:`; nil before that.
+ (nullable HOMApp *)defaultApp;

/// The app that was configured under a name.
+ (nullable HOMApp *)appNamed:(NSString *)name;

/// Apps come from `defaultApp` and `appNamed:`.
- (instancetype)init __attribute__((unavailable));

@end

NS_ASSUME_NONNULL_END

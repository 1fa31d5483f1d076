// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// Where the link of a mail leads: the state that comes back with it, and the apps that may open it.
///
/// It is read when a call is made; what is changed afterwards counts for the next call.
@interface FIRActionCodeSettings : NSObject {
  @private
    NSURL *_URL;
    BOOL _handleCodeInApp;
    NSString *_iOSBundleID;
    NSString *_androidPackageName;
    BOOL _androidInstallIfNotAvailable;
    NSString *_androidMinimumVersion;
    NSString *_dynamicLinkDomain;
    NSString *_linkDomain;
}

/// The continue URL: where the person is afterwards. Its domain has to be on the project's list.
@property(nonatomic, copy, nullable) NSURL *URL;

/// Whether the app takes the code from the link and applies it; NO lets the web page act first.
@property(nonatomic, assign) BOOL handleCodeInApp;

/// The Apple app that may open the link; this app's own unless it is set.
@property(nonatomic, copy, nullable) NSString *iOSBundleID;

/// The Android app that may open the link.
@property(nonatomic, copy, nullable) NSString *androidPackageName;

/// Whether a device without the Android app goes to the store. It needs `androidPackageName`.
@property(nonatomic, assign) BOOL androidInstallIfNotAvailable;

/// The lowest version code of the Android app that understands the link, in digits. It needs `androidPackageName`.
@property(nonatomic, copy, nullable) NSString *androidMinimumVersion;

/// Which of the project's link domains wraps the link, in the form of Dynamic Links.
@property(nonatomic, copy, nullable) NSString *dynamicLinkDomain;

/// Which of the project's link domains wraps the link; the first one unless it is set.
@property(nonatomic, copy, nullable) NSString *linkDomain;

/// Names the Android app.
///
/// @param androidPackageName Such as `com.example.android`.
/// @param installIfNotAvailable Whether a device without the app goes to the store.
/// @param minimumVersion The lowest version code that understands the link, in digits.
- (void)setAndroidPackageName:(NSString *)androidPackageName
        installIfNotAvailable:(BOOL)installIfNotAvailable
               minimumVersion:(nullable NSString *)minimumVersion;

@end

NS_ASSUME_NONNULL_END

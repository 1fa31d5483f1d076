// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

@implementation FIRActionCodeSettings

@synthesize URL = _URL;
@synthesize handleCodeInApp = _handleCodeInApp;
@synthesize iOSBundleID = _iOSBundleID;
@synthesize androidPackageName = _androidPackageName;
@synthesize androidInstallIfNotAvailable = _androidInstallIfNotAvailable;
@synthesize androidMinimumVersion = _androidMinimumVersion;
@synthesize dynamicLinkDomain = _dynamicLinkDomain;
@synthesize linkDomain = _linkDomain;

- (instancetype)init {
    if ((self = [super init])) _iOSBundleID = [[[NSBundle mainBundle] bundleIdentifier] copy];
    return self;
}

- (void)setAndroidPackageName:(NSString *)androidPackageName
        installIfNotAvailable:(BOOL)installIfNotAvailable
               minimumVersion:(NSString *)minimumVersion {
    self.androidPackageName = androidPackageName;
    self.androidInstallIfNotAvailable = installIfNotAvailable;
    self.androidMinimumVersion = minimumVersion;
}

- (void)dealloc {
    HOM_RELEASE(_URL);
    HOM_RELEASE(_iOSBundleID);
    HOM_RELEASE(_androidPackageName);
    HOM_RELEASE(_androidMinimumVersion);
    HOM_RELEASE(_dynamicLinkDomain);
    HOM_RELEASE(_linkDomain);
    HOM_SUPER_DEALLOC;
}

@end

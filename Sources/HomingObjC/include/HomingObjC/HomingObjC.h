// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Email actions for Objective-C, with the names of FirebaseAuth: `@import HomingObjC;`.

#import "FIRActionCodeInfo.h"
#import "FIRActionCodeSettings.h"
#import "FIRActionCodeURL.h"
#import "FIRAdditionalUserInfo.h"
#import "FIRAuth.h"
#import "FIRAuthCredential.h"
#import "FIRAuthDataResult.h"
#import "FIRAuthErrors.h"
#import "FIREmailAuthProvider.h"
#import "FIRUser.h"
#import "FIRUserProfileChangeRequest.h"
#import "HOMApp.h"
#import "HOMIncomingURL.h"
#import "HOMPendingAction.h"
#import "HOMUnfinishedAction.h"

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
#import "FIRAuthTokenResult.h"
#import "FIRDynamicLinkComponents.h"
#import "FIRDynamicLinks.h"
#import "FIREmailAuthProvider.h"
#import "FIRUser.h"
#import "FIRUserInfo.h"
#import "FIRUserMetadata.h"
#import "FIRUserProfileChangeRequest.h"
#import "HOMApp.h"
#import "HOMIncomingURL.h"
#import "HOMPendingAction.h"
#import "HOMSessionStore.h"
#import "HOMTransport.h"
#import "HOMUnfinishedAction.h"

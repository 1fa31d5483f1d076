// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

NSString *const FIRAuthErrorDomain = @"FIRAuthErrorDomain";
NSString *const FIRAuthErrorUserInfoNameKey = @"FIRAuthErrorUserInfoNameKey";
NSString *const FIRAuthErrorUserInfoEmailKey = @"FIRAuthErrorUserInfoEmailKey";
NSString *const HOMAuthErrorUserInfoTriesLeftKey = @"HOMAuthErrorUserInfoTriesLeftKey";

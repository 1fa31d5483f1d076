// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

/// Has GNUstep's run loop run what stands in the main queue, which Apple's run loop does by itself.
void MainQueueJoinRunLoop(void);

/// Runs the main run loop until a flag is set.
void RunUntil(const BOOL *flag);

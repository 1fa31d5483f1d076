// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "MainQueue.h"

#include <stdint.h>
#include <unistd.h>

// What Swift's own Foundation calls for its run loop.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

@interface MainQueue : NSObject <RunLoopEvents>
@end

@implementation MainQueue

- (void)receivedEvent:(void *)data
                 type:(RunLoopEventType)type
                extra:(void *)extra
              forMode:(NSRunLoopMode)mode {
    (void)type, (void)extra, (void)mode;
    uint64_t count;
    if (read((int)(intptr_t)data, &count, sizeof count) < 0) return;
    _dispatch_main_queue_callback_4CF(NULL);
}

@end

void MainQueueJoinRunLoop(void) {
    static MainQueue *queue;
    queue = [[MainQueue alloc] init];
    intptr_t wakes = _dispatch_get_main_queue_handle_4CF();
    [[NSRunLoop mainRunLoop] addEvent:(void *)wakes type:ET_RDESC watcher:queue forMode:NSDefaultRunLoopMode];
}

void RunUntil(const BOOL *flag) {
    while (!*flag) {
        [[NSRunLoop mainRunLoop] runMode:NSDefaultRunLoopMode
                              beforeDate:[NSDate dateWithTimeIntervalSinceNow:60]];
    }
}

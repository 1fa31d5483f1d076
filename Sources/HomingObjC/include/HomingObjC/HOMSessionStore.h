// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// How a store has answered.
typedef NS_ENUM(NSInteger, HOMSessionStoreStatus) {
    /// All went well; nothing under a key is no failure.
    HOMSessionStoreStatusDone = 0,
    /// It can be asked later, when the device has been unlocked.
    HOMSessionStoreStatusLocked = 1,
    /// It failed.
    HOMSessionStoreStatusFailed = 2,
};

/// Where the signed-in user outlives the process, and the requests that wait to be finished. The data holds a refresh
/// token, which is as good as a password. Calls come one at a time for each app and from any thread.
@protocol HOMSessionStore <NSObject>

/// What was last written under a key.
- (HOMSessionStoreStatus)readData:(NSData *_Nullable *_Nonnull)data forKey:(NSString *)key;

/// Replaces what stands under a key, wholly or not at all; nil removes it.
- (HOMSessionStoreStatus)writeData:(nullable NSData *)data forKey:(NSString *)key;

@end

NS_ASSUME_NONNULL_END

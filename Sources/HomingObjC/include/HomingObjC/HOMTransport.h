// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

/// Where a transport's answer goes, once, from any thread. One that is let go without an answer is a failure.
@interface HOMTransportReply : NSObject {
  @private
    void *_handle;
}

/// Answers what came back, whatever its status.
- (void)answerWithStatus:(NSInteger)status body:(NSData *)body;

/// Says that there is no answer: the caller sees a network error.
- (void)failWithError:(NSError *)error;

/// Replies come with requests.
- (instancetype)init __attribute__((unavailable));

@end

/// How requests reach the server. An app's tests bring one of their own and need no network.
@protocol HOMTransport <NSObject>

/// Sends one request.
///
/// @param URL Where to, the API key in its query.
/// @param method `POST`, or `GET` where something is only read that everybody may know.
/// @param headers Header fields by name.
/// @param body JSON in UTF-8. It may hold passwords, codes and tokens: do not log it.
/// @param reply Where the answer goes.
- (void)sendToURL:(NSURL *)URL
           method:(NSString *)method
          headers:(NSDictionary<NSString *, NSString *> *)headers
             body:(NSData *)body
            reply:(HOMTransportReply *)reply;

@end

NS_ASSUME_NONNULL_END

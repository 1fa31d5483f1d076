// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import "HOMBridge.h"

#if __has_feature(objc_arc)
#define HOM_KEEP_OBJECT(object) ((__bridge_retained void *)(object))
#define HOM_END_OBJECT(pointer) ((void)(__bridge_transfer id)(pointer))
#else
#define HOM_KEEP_OBJECT(object) ((void *)[(object) retain])
#define HOM_END_OBJECT(pointer) [(id)(pointer) release]
#endif

@implementation HOMTransportReply

- (instancetype)initWithHandle:(void *)handle {
    if ((self = [super init])) _handle = handle;
    return self;
}

- (void)answerWithStatus:(NSInteger)status body:(NSData *)body {
    homing_reply(_handle, status, body.bytes, (long)body.length, NULL);
}

- (void)failWithError:(NSError *)error {
    homing_reply(_handle, 0, NULL, 0, HOMText(error.localizedDescription));
}

- (void)dealloc {
    homing_release(_handle);
    HOM_SUPER_DEALLOC;
}

@end

static NSString *HOMString(const char *text) {
    NSString *string = [NSString stringWithUTF8String:text];
    return string == nil ? @"" : string;
}

static void HOMSend(
    void *context, void *handle, const char *method, const char *url, const char *headers, const void *body,
    long length) {
    @autoreleasepool {
        id<HOMTransport> transport = (__bridge id<HOMTransport>)context;
        HOMTransportReply *reply = HOM_AUTORELEASE([[HOMTransportReply alloc] initWithHandle:handle]);
        NSData *text = [HOMString(headers) dataUsingEncoding:NSUTF8StringEncoding];
        NSDictionary *fields = [NSJSONSerialization JSONObjectWithData:text options:0 error:NULL];
        [transport sendToURL:[NSURL URLWithString:HOMString(url)]
                      method:HOMString(method)
                     headers:fields
                        body:[NSData dataWithBytes:body length:(NSUInteger)length]
                       reply:reply];
    }
}

static long HOMRead(void *context, const char *key, void *target) {
    @autoreleasepool {
        NSData *data = nil;
        long status = [(__bridge id<HOMSessionStore>)context readData:&data forKey:HOMString(key)];
        if (status == HOMSessionStoreStatusDone && data != nil) {
            homing_data_set(target, data.bytes, (long)data.length);
        }
        return status;
    }
}

static long HOMWrite(void *context, const char *key, const void *bytes, long length) {
    @autoreleasepool {
        NSData *data = bytes == NULL ? nil : [NSData dataWithBytes:bytes length:(NSUInteger)length];
        return [(__bridge id<HOMSessionStore>)context writeData:data forKey:HOMString(key)];
    }
}

static void HOMEndService(void *context) {
    HOM_END_OBJECT(context);
}

void HOMConfigure(
    NSString *name, NSURL *endpoint, NSString *APIKey, id<HOMTransport> transport, id<HOMSessionStore> store) {
    homing_app_configure_with(
        HOMText(name), HOMText([endpoint absoluteString]), HOMText(APIKey),
        transport == nil ? NULL : HOM_KEEP_OBJECT(transport), transport == nil ? NULL : HOMSend,
        store == nil ? NULL : HOM_KEEP_OBJECT(store), store == nil ? NULL : HOMRead, store == nil ? NULL : HOMWrite,
        HOMEndService);
}

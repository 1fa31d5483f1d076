// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// As much of Apple's Foundation as the Objective-C layer uses, to have a compiler check it for Apple platforms with ARC
// where there is no SDK. Nothing here is ever run.

#include <stddef.h>

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_ENUM(_type, _name) enum _name : _type _name; enum _name : _type

typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef NSUInteger NSStringEncoding;
enum : NSStringEncoding { NSUTF8StringEncoding = 4 };

NS_ASSUME_NONNULL_BEGIN

@class NSString;

@protocol NSObject
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)isEqual:(nullable id)object;
- (NSUInteger)hash;
@end

@protocol NSCopying
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)alloc;
+ (Class)class;
- (instancetype)init;
- (id)copy;
- (void)dealloc;
@end

@interface NSString : NSObject <NSCopying>
@property(readonly, nullable) const char *UTF8String __attribute__((objc_returns_inner_pointer));
+ (nullable instancetype)stringWithUTF8String:(const char *)text;
- (BOOL)canBeConvertedToEncoding:(NSStringEncoding)encoding;
- (NSUInteger)lengthOfBytesUsingEncoding:(NSStringEncoding)encoding;
@end

@interface NSURL : NSObject <NSCopying>
@property(readonly, copy, nullable) NSString *absoluteString;
+ (nullable instancetype)URLWithString:(NSString *)text;
@end

@interface NSValue : NSObject <NSCopying>
+ (NSValue *)valueWithPointer:(nullable const void *)pointer;
@end

@interface NSNumber : NSValue
+ (NSNumber *)numberWithLong:(long)number;
@end

@interface NSDate : NSObject <NSCopying>
+ (instancetype)dateWithTimeIntervalSince1970:(double)seconds;
@end

@interface NSArray<Value> : NSObject <NSCopying>
@end

@interface NSMutableArray<Value> : NSArray <Value>
+ (instancetype)array;
- (void)addObject:(Value)object;
@end

@interface NSDictionary<Key, Value> : NSObject <NSCopying>
- (nullable Value)objectForKey:(Key)key;
@end

@interface NSMutableDictionary<Key, Value> : NSDictionary <Key, Value>
+ (instancetype)dictionary;
- (void)setObject:(Value)object forKey:(Key)key;
@end

@interface NSError : NSObject
@property(readonly, copy) NSString *domain;
@property(readonly) NSInteger code;
+ (instancetype)errorWithDomain:(NSString *)domain code:(NSInteger)code userInfo:(nullable NSDictionary *)userInfo;
@end

@interface NSBundle : NSObject
@property(class, readonly) NSBundle *mainBundle;
@property(readonly, copy, nullable) NSString *bundleIdentifier;
@end

extern NSString *const NSLocalizedDescriptionKey;
extern NSString *const NSLocalizedFailureReasonErrorKey;
extern NSString *const NSUnderlyingErrorKey;

NS_ASSUME_NONNULL_END

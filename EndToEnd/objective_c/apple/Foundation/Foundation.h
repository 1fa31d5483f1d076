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

@class NSArray<Value>;
@class NSData;
@class NSError;
@class NSString;

typedef struct NSRange {
    NSUInteger location;
    NSUInteger length;
} NSRange;

static inline NSRange NSMakeRange(NSUInteger location, NSUInteger length) {
    NSRange range = {location, length};
    return range;
}

@protocol NSObject
@property(readonly, copy) NSString *description;
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
- (nullable instancetype)initWithData:(NSData *)data encoding:(NSStringEncoding)encoding;
- (nullable NSData *)dataUsingEncoding:(NSStringEncoding)encoding;
- (NSArray<NSString *> *)componentsSeparatedByString:(NSString *)separator;
@end

@interface NSData : NSObject <NSCopying>
@property(readonly) NSUInteger length;
@property(readonly) const void *bytes __attribute__((objc_returns_inner_pointer));
+ (instancetype)dataWithBytes:(nullable const void *)bytes length:(NSUInteger)length;
@end

@interface NSURL : NSObject <NSCopying>
@property(readonly, copy, nullable) NSString *absoluteString;
+ (nullable instancetype)URLWithString:(NSString *)text;
@end

@interface NSValue : NSObject <NSCopying>
+ (NSValue *)valueWithPointer:(nullable const void *)pointer;
@end

@interface NSNumber : NSValue
@property(readonly) BOOL boolValue;
@property(readonly) NSInteger integerValue;
+ (NSNumber *)numberWithLong:(long)number;
+ (NSNumber *)numberWithBool:(BOOL)flag;
+ (NSNumber *)numberWithInteger:(NSInteger)number;
@end

@interface NSDate : NSObject <NSCopying>
+ (instancetype)dateWithTimeIntervalSince1970:(double)seconds;
@end

typedef struct {
    unsigned long state;
    id __unsafe_unretained _Nullable *_Nullable itemsPtr;
    unsigned long *_Nullable mutationsPtr;
    unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)count;
@end

@interface NSArray<Value> : NSObject <NSCopying, NSFastEnumeration>
@property(readonly) NSUInteger count;
+ (instancetype)array;
+ (instancetype)arrayWithObject:(Value)object;
- (Value)objectAtIndex:(NSUInteger)index;
- (NSArray<Value> *)subarrayWithRange:(NSRange)range;
@end

@interface NSMutableArray<Value> : NSArray <Value>
- (void)addObject:(Value)object;
@end

@interface NSDictionary<Key, Value> : NSObject <NSCopying, NSFastEnumeration>
+ (instancetype)dictionary;
- (nullable Value)objectForKey:(Key)key;
@end

@interface NSMutableDictionary<Key, Value> : NSDictionary <Key, Value>
- (void)removeObjectForKey:(Key)key;
- (void)setObject:(Value)object forKey:(Key)key;
@end

@interface NSError : NSObject
@property(readonly, copy) NSString *domain;
@property(readonly) NSInteger code;
@property(readonly, copy) NSString *localizedDescription;
+ (instancetype)errorWithDomain:(NSString *)domain code:(NSInteger)code userInfo:(nullable NSDictionary *)userInfo;
@end

@interface NSJSONSerialization : NSObject
+ (nullable id)JSONObjectWithData:(NSData *)data
                          options:(NSUInteger)options
                            error:(NSError *_Nullable *_Nullable)error;
+ (nullable NSData *)dataWithJSONObject:(id)object
                                options:(NSUInteger)options
                                  error:(NSError *_Nullable *_Nullable)error;
@end

@interface NSBundle : NSObject
@property(class, readonly) NSBundle *mainBundle;
@property(readonly, copy, nullable) NSString *bundleIdentifier;
@end

extern NSString *const NSLocalizedDescriptionKey;
extern NSString *const NSLocalizedFailureReasonErrorKey;
extern NSString *const NSUnderlyingErrorKey;

NS_ASSUME_NONNULL_END

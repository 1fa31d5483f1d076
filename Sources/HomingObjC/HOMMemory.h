// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#import <Foundation/Foundation.h>

// The files of this folder are right with ARC, which SwiftPM compiles them with on Apple platforms, and without it, as
// for GNUstep. Whatever differs stands here.
//
// A block goes through C as a pointer with a reference: HOM_KEEP_BLOCK copies it, HOM_TAKE_BLOCK makes a block of the
// pointer again, and HOM_END_BLOCK ends the reference after that. Blocks are no objects in GNUstep with GCC's runtime,
// so nothing is sent to them there.

#if __has_feature(objc_arc)

#define HOM_RETAIN(object) (object)
#define HOM_RELEASE(object) ((void)0)
#define HOM_AUTORELEASE(object) (object)
#define HOM_SUPER_DEALLOC ((void)0)
#define HOM_KEEP_BLOCK(block) ((__bridge_retained void *)[(block) copy])
#define HOM_TAKE_BLOCK(type, pointer) ((__bridge_transfer type)(pointer))
#define HOM_END_BLOCK(block) ((void)0)

#else

#import <Block.h>

#define HOM_RETAIN(object) [(object) retain]
#define HOM_RELEASE(object) [(object) release]
#define HOM_AUTORELEASE(object) [(object) autorelease]
#define HOM_SUPER_DEALLOC [super dealloc]
#define HOM_KEEP_BLOCK(block) ((void *)Block_copy(block))
#define HOM_TAKE_BLOCK(type, pointer) ((type)(pointer))
#define HOM_END_BLOCK(block) Block_release(block)

#endif

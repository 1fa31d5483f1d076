// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// GNUstep asks for blocks by this name; the runtime is the Swift toolchain's.
#include <Block.h>

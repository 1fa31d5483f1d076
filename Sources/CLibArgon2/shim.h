// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include <argon2.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

/// Buffers of a mebibyte and more come from the kernel and go back to it: glibc would keep 19 MiB for every hashing
/// thread. Setting the threshold also stops glibc from raising it when the first large buffer is freed.
static inline void homing_return_large_buffers(void) {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CLibArgon2.h"
#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#endif

/// The memory that one thread hashes in. It is kept while hash follows hash, because mapping and clearing 19 MiB anew
/// costs a good part of one; the thread gives it back when no hash has followed for a while.
static _Thread_local struct {
    uint8_t *memory;
    size_t size;
} homing_arena;

void homing_arena_drop(void) {
    free(homing_arena.memory);
    homing_arena.memory = NULL;
    homing_arena.size = 0;
}

/// argon2 jumps about in its memory: on large pages, where the kernel has them to give, it misses fewer translations.
static uint8_t *homing_arena_map(size_t size) {
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
    const size_t page = (size_t)2 << 20;
    size_t whole = (size + page - 1) / page * page;
    void *memory = aligned_alloc(page, whole);
    if (memory != NULL) (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
#else
    return malloc(size);
#endif
}

static int homing_arena_take(uint8_t **memory, size_t size) {
    if (homing_arena.size < size) {
        homing_arena_drop();
        homing_arena.memory = homing_arena_map(size);
        if (homing_arena.memory == NULL) return ARGON2_MEMORY_ALLOCATION_ERROR;
        homing_arena.size = size;
    }
    *memory = homing_arena.memory;
    return ARGON2_OK;
}

/// argon2 has wiped it by now.
static void homing_arena_give(uint8_t *memory, size_t size) {
    (void)memory;
    (void)size;
}

int homing_argon2id(
    const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length, uint32_t kibibytes,
    uint32_t passes, uint8_t *hash, size_t hash_length
) {
    argon2_context context = {
        .out = hash,
        .outlen = (uint32_t)hash_length,
        .pwd = (uint8_t *)password,
        .pwdlen = (uint32_t)password_length,
        .salt = (uint8_t *)salt,
        .saltlen = (uint32_t)salt_length,
        .t_cost = passes,
        .m_cost = kibibytes,
        .lanes = 1,
        .threads = 1,
        .version = ARGON2_VERSION_13,
        .allocate_cbk = homing_arena_take,
        .free_cbk = homing_arena_give,
        .flags = ARGON2_DEFAULT_FLAGS,
    };
    return argon2_ctx(&context, Argon2_id);
}

int homing_argon2(
    const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length, const uint8_t *data,
    size_t data_length, uint32_t kibibytes, uint32_t passes, uint32_t lanes, argon2_type type, uint32_t version,
    uint8_t *hash, size_t hash_length
) {
    argon2_context context = {
        .out = hash,
        .outlen = (uint32_t)hash_length,
        .pwd = (uint8_t *)password,
        .pwdlen = (uint32_t)password_length,
        .salt = (uint8_t *)salt,
        .saltlen = (uint32_t)salt_length,
        .ad = (uint8_t *)data,
        .adlen = (uint32_t)data_length,
        .t_cost = passes,
        .m_cost = kibibytes,
        .lanes = lanes,
        .threads = 1,
        .version = version,
        .flags = ARGON2_DEFAULT_FLAGS,
    };
    return argon2_ctx(&context, type);
}

void homing_return_large_buffers(void) {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

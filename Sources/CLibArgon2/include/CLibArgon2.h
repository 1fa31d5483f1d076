// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once
#include <argon2.h>

/// argon2id, version 19, one lane, in memory that this thread keeps from hash to hash.
int homing_argon2id(
    const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length, uint32_t kibibytes,
    uint32_t passes, uint8_t *hash, size_t hash_length
);

/// argon2 with any parameters (RFC 9106), in memory of its own.
int homing_argon2(
    const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length, const uint8_t *data,
    size_t data_length, uint32_t kibibytes, uint32_t passes, uint32_t lanes, argon2_type type, uint32_t version,
    uint8_t *hash, size_t hash_length
);

/// Gives this thread's hashing memory back.
void homing_arena_drop(void);

/// Buffers of a mebibyte and more come from the kernel and go back to it: glibc would keep 19 MiB for every hashing
/// thread. Setting the threshold also stops glibc from raising it when the first large buffer is freed.
void homing_return_large_buffers(void);

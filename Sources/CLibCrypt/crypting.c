// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#define _GNU_SOURCE
#include "CLibCrypt.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <crypt.h>

int homing_crypt_matches(const char *password, const char *hash) {
    struct crypt_data *data = calloc(1, sizeof *data);
    if (data == NULL) return -1;
    const char *made = crypt_r(password, hash, data);
    int answer = -1;
    // A failure is a text that begins with an asterisk.
    if (made != NULL && made[0] != '*') {
        size_t length = strlen(hash);
        unsigned char difference = strlen(made) != length;
        for (size_t index = 0; index < length && made[index] != 0; index++) difference |= made[index] ^ hash[index];
        answer = difference == 0;
    }
    explicit_bzero(data, sizeof *data);
    free(data);
    return answer;
}
#else
int homing_crypt_matches(const char *password, const char *hash) {
    return -1;
}
#endif

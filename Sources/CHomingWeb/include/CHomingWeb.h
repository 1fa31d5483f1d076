// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#ifndef HOMING_WEB_H
#define HOMING_WEB_H

#include <stddef.h>

/// A file of `modules/`: its name, its bytes and how many.
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} homing_web_file;

/// All files that web pages are served.
const homing_web_file *homing_web_files(void);
size_t homing_web_file_count(void);

#endif

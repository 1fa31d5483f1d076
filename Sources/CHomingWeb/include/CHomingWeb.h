// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#ifndef HOMING_WEB_H
#define HOMING_WEB_H

#include <stddef.h>

/// The bytes of `homing.js`.
const unsigned char *homing_web_module(void);
size_t homing_web_module_size(void);

/// The bytes of `homing.d.ts`.
const unsigned char *homing_web_types(void);
size_t homing_web_types_size(void);

#endif

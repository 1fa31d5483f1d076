// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include <stddef.h>

size_t strlen(const char *text);

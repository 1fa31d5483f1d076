// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#ifndef HOMING_TEXTS_H
#define HOMING_TEXTS_H

#include <stddef.h>

/// The files of `HomingTexts/Texts`, one after the other: for each its tag, a zero, its bytes, a zero.
const unsigned char *homing_texts(void);
size_t homing_texts_size(void);

#endif

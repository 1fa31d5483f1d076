// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#ifndef HOMING_TEXTS_H
#define HOMING_TEXTS_H

#include <stddef.h>

/// The files of `HomingTexts/Texts`, one after the other, a zero behind each.
const unsigned char *homing_texts(void);
size_t homing_texts_size(void);

/// `HomingTexts/Plurals.json`.
const unsigned char *homing_plurals(void);
size_t homing_plurals_size(void);

#endif

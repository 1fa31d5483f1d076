// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CHomingTexts.h"

// `#embed` is C23's; clang takes it in older C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char texts[] = {
// Written by `scripts/texts --sort`: the files of HomingTexts/Texts, in the order in which a page offers the languages.
#include "languages.h"
    0};

static const unsigned char plurals[] = {
#embed "../HomingTexts/Plurals.json"
};

const unsigned char *homing_texts(void) { return texts; }
size_t homing_texts_size(void) { return sizeof texts; }

const unsigned char *homing_plurals(void) { return plurals; }
size_t homing_plurals_size(void) { return sizeof plurals; }

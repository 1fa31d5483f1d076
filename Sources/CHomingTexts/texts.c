// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CHomingTexts.h"

// `#embed` is C23's; clang takes it in older C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

// In the order in which a page offers them. A language is added by its file and by a line here.
static const unsigned char texts[] = {
    'e', 'n', 0,
#embed "../HomingTexts/Texts/en.json"
    , 0, 'e', 's', 0,
#embed "../HomingTexts/Texts/es.json"
    , 0, 'p', 't', '-', 'B', 'R', 0,
#embed "../HomingTexts/Texts/pt-BR.json"
    , 0, 'i', 't', 0,
#embed "../HomingTexts/Texts/it.json"
    , 0, 'z', 'h', '-', 'C', 'N', 0,
#embed "../HomingTexts/Texts/zh-CN.json"
    , 0, 't', 'r', 0,
#embed "../HomingTexts/Texts/tr.json"
    , 0};

const unsigned char *homing_texts(void) { return texts; }

size_t homing_texts_size(void) { return sizeof texts; }

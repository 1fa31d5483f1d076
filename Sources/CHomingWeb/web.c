// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CHomingWeb.h"

// `#embed` is C23's; clang takes it in older C, too.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char module[] = {
#embed "homing.js"
};

static const unsigned char types[] = {
#embed "homing.d.ts"
};

const unsigned char *homing_web_module(void) { return module; }
size_t homing_web_module_size(void) { return sizeof module; }

const unsigned char *homing_web_types(void) { return types; }
size_t homing_web_types_size(void) { return sizeof types; }

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CHomingBuild.h"

const char *homing_commit(void) { return HOMING_COMMIT; }

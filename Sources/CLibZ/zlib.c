// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CLibZ.h"

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once
#include <qrencode.h>

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once
#include <postgresql/libpq-fe.h>

// The fields of an error report; libpq has them as characters in macros, which Swift does not see.
static const int HOMING_PG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int HOMING_PG_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
static const int HOMING_PG_DETAIL = PG_DIAG_MESSAGE_DETAIL;
static const int HOMING_PG_TABLE = PG_DIAG_TABLE_NAME;

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#pragma once
#include <sqlite3.h>

/// Stops SQLite from counting the bytes that it takes, which locks around every allocation and which nobody reads. To be
/// called before anything else is done with SQLite; later it has no effect.
void homing_sqlite_count_no_memory(void);

/// Binds a text that SQLite copies; `SQLITE_TRANSIENT` is a macro that Swift cannot see.
int homing_sqlite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, long length);

/// The same for bytes; none at all are an empty blob, not NULL.
int homing_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, long length);

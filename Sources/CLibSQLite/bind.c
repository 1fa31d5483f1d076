// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#include "CLibSQLite.h"

void homing_sqlite_count_no_memory(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int homing_sqlite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, long length) {
    const char *text = length > 0 ? (const char *)bytes : "";
    return sqlite3_bind_text64(statement, place, text, (sqlite3_uint64)length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int homing_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, long length) {
    if (length == 0) return sqlite3_bind_zeroblob(statement, place, 0);
    return sqlite3_bind_blob64(statement, place, bytes, (sqlite3_uint64)length, SQLITE_TRANSIENT);
}

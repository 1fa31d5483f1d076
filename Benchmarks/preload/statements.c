// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Preloaded into a process under measurement: counts the SQL statements that it runs, by their text, in a file that
/// the script maps too, and asks each writing connection for its `synchronous`. BENCH_STATEMENTS names the file.
/// For counting only: never loaded where time is measured.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_texts = 512, text_room = 2040 };

struct counted {
    uint64_t count;
    char text[text_room];
};

struct shared {
    int64_t synchronous;  // of the connection that wrote last; -1 before any write
    struct counted counted[most_texts];
};

static struct shared *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;
static int (*real_step)(sqlite3_stmt *);
static int (*real_exec)(sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **);

__attribute__((constructor)) static void begin(void) {
    real_step = (int (*)(sqlite3_stmt *))dlsym(RTLD_NEXT, "sqlite3_step");
    *(void **)&real_exec = dlsym(RTLD_NEXT, "sqlite3_exec");
    const char *path = getenv("BENCH_STATEMENTS");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || ftruncate(file, sizeof *shared) != 0) return;
    void *mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) shared = mapped;
    close(file);
}

static void count(const char *text) {
    if (shared == NULL || text == NULL) return;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < most_texts; index++) {
        struct counted *counted = &shared->counted[index];
        if (counted->text[0] == 0) strncpy(counted->text, text, text_room - 1);
        if (strncmp(counted->text, text, text_room - 1) == 0) {
            counted->count++;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void ask_synchronous(sqlite3 *database) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(database, "PRAGMA synchronous", -1, &statement, NULL) != SQLITE_OK) return;
    if (real_step(statement) == SQLITE_ROW) shared->synchronous = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
}

static int changes_rows(const char *text) {
    return strncasecmp(text, "INSERT", 6) == 0 || strncasecmp(text, "UPDATE", 6) == 0
        || strncasecmp(text, "DELETE", 6) == 0;
}

int sqlite3_step(sqlite3_stmt *statement) {
    if (inside == 0 && !sqlite3_stmt_busy(statement)) {
        const char *text = sqlite3_sql(statement);
        count(text);
        if (shared != NULL && text != NULL && changes_rows(text)) ask_synchronous(sqlite3_db_handle(statement));
    }
    return real_step(statement);
}

int sqlite3_exec(
    sqlite3 *database, const char *text, int (*callback)(void *, int, char **, char **), void *context, char **error
) {
    if (inside == 0) count(text);
    inside++;
    int code = real_exec(database, text, callback, context, error);
    inside--;
    return code;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#define _GNU_SOURCE
#include "CYardsticks.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_statements = 64, id_size = 15 };

struct program {
    sqlite3_stmt *statements[most_statements];
    uint32_t count;
};

/// What the named parameters of one verb or one setup step stand for.
struct values {
    uint64_t n;
    char account[32];
    char address[64];
    char name[32];                    // :name, 22 characters, new in every verb and in the order of time
    unsigned char known[4][id_size];  // :known1 … :known4, the same for the same n
    unsigned char fresh[4][id_size];  // :fresh1 … :fresh4, new in every verb
    sqlite3_int64 now;                // milliseconds
    uint64_t noise;
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int failed(struct yardstick_fault *fault, const char *doing, const char *why) {
    snprintf(fault->text, sizeof fault->text, "%s: %s", doing, why);
    return 1;
}

/// SplitMix64: cheap, and good enough to spread keys over an index.
static uint64_t mixed(uint64_t value) {
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/// As the server makes ids: six bytes of time, then chance.
static void fill(unsigned char *id, uint64_t milliseconds, uint64_t seed) {
    uint64_t words[2] = {mixed(seed), mixed(seed ^ 0x5bd1e995u)};
    memcpy(id, words, id_size);
    for (int index = 0; index < 6; index++) id[index] = (unsigned char)(milliseconds >> (40 - 8 * index));
}

static void advance(struct values *values, uint64_t n) {
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    values->n = n;
    values->now = (sqlite3_int64)wall.tv_sec * 1000 + wall.tv_nsec / 1000000;
    snprintf(values->account, sizeof values->account, "account%021llu", (unsigned long long)n);
    snprintf(values->address, sizeof values->address, "user%llu@bench.example", (unsigned long long)n);
    snprintf(values->name, sizeof values->name, "%013lld%09llx", (long long)values->now,
             (unsigned long long)(mixed(values->noise) & 0xfffffffffu));
    for (int index = 0; index < 4; index++) {
        // What is known was made by the server, some ten in a millisecond.
        fill(values->known[index], n / 10, n * 4 + (uint64_t)index);
        fill(values->fresh[index], (uint64_t)values->now, ~(values->noise++));
    }
}

/// Binds by name; NULL when a name is not known.
static const char *bind(sqlite3_stmt *statement, const struct values *values) {
    static const char settings[] =
        "{\"continueURL\":\"https://app.example/articles/7?from=mail#comments\",\"handlesCodeInApp\":false,"
        "\"installsAndroidApp\":false,\"usesDynamicLinkForm\":false}";
    static const char facts[] = "{\"language\":\"en\"}";
    for (int index = 1; index <= sqlite3_bind_parameter_count(statement); index++) {
        const char *name = sqlite3_bind_parameter_name(statement, index);
        if (name == NULL) return "?";
        size_t length = strlen(name);
        int digit = name[length - 1] - '1';
        if (strcmp(name, ":n") == 0) {
            sqlite3_bind_int64(statement, index, (sqlite3_int64)values->n);
        } else if (strcmp(name, ":now") == 0) {
            sqlite3_bind_int64(statement, index, values->now);
        } else if (strcmp(name, ":earlier") == 0) {
            sqlite3_bind_int64(statement, index, values->now - 3600000);
        } else if (strcmp(name, ":later") == 0) {
            sqlite3_bind_int64(statement, index, values->now + 3600000);
        } else if (strcmp(name, ":project") == 0) {
            sqlite3_bind_text(statement, index, "bench", -1, SQLITE_STATIC);
        } else if (strcmp(name, ":account") == 0) {
            sqlite3_bind_text(statement, index, values->account, -1, SQLITE_STATIC);
        } else if (strcmp(name, ":address") == 0) {
            sqlite3_bind_text(statement, index, values->address, -1, SQLITE_STATIC);
        } else if (strcmp(name, ":name") == 0) {
            sqlite3_bind_text(statement, index, values->name, -1, SQLITE_STATIC);
        } else if (strcmp(name, ":settings") == 0) {
            sqlite3_bind_text(statement, index, settings, -1, SQLITE_STATIC);
        } else if (strcmp(name, ":facts") == 0) {
            sqlite3_bind_text(statement, index, facts, -1, SQLITE_STATIC);
        } else if (strncmp(name, ":known", 6) == 0 && length == 7 && digit >= 0 && digit < 4) {
            sqlite3_bind_blob(statement, index, values->known[digit], id_size, SQLITE_STATIC);
        } else if (strncmp(name, ":fresh", 6) == 0 && length == 7 && digit >= 0 && digit < 4) {
            sqlite3_bind_blob(statement, index, values->fresh[digit], id_size, SQLITE_STATIC);
        } else {
            return name;
        }
    }
    return NULL;
}

static int run(sqlite3 *database, struct program *program, const struct values *values, struct yardstick_fault *fault) {
    for (uint32_t index = 0; index < program->count; index++) {
        sqlite3_stmt *statement = program->statements[index];
        const char *unknown = bind(statement, values);
        if (unknown != NULL) return failed(fault, "no such parameter", unknown);
        int code;
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) continue;
        sqlite3_reset(statement);
        if (code != SQLITE_DONE) return failed(fault, sqlite3_sql(statement), sqlite3_errmsg(database));
    }
    return 0;
}

static int prepare(sqlite3 *database, struct program *program, const char *text, struct yardstick_fault *fault) {
    while (*text != 0) {
        sqlite3_stmt *statement = NULL;
        if (sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, &text) != SQLITE_OK) {
            return failed(fault, "statement", sqlite3_errmsg(database));
        }
        if (statement == NULL) continue;
        if (program->count == most_statements) return failed(fault, "statements", "too many");
        program->statements[program->count++] = statement;
    }
    return 0;
}

/// The text between two `--- name` lines; the caller frees it.
static char *section(const char *path, const char *name) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    char *text = NULL, *line = NULL;
    size_t size = 0, room = 0;
    FILE *sink = open_memstream(&text, &size);
    int inside = 0;
    while (getline(&line, &room, file) >= 0) {
        if (strncmp(line, "--- ", 4) == 0) {
            line[strcspn(line, "\r\n")] = 0;
            inside = strcmp(line + 4, name) == 0;
        } else if (inside) {
            fputs(line, sink);
        }
    }
    fclose(sink);
    fclose(file);
    free(line);
    return text;
}

static int scalar(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int value = -1;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        value = sqlite3_column_int(statement, 0);
    }
    sqlite3_finalize(statement);
    return value;
}

static int measure(
    sqlite3 *database, const struct yardstick_loop *loop, struct yardstick_loop_result *result,
    struct yardstick_fault *fault
) {
    char *schema = section(loop->statements, "schema");
    char *setup_text = section(loop->statements, "setup");
    char *verb_text = section(loop->statements, "verb");
    struct program setup = {.count = 0}, verb = {.count = 0}, begin = {.count = 0}, commit = {.count = 0};
    struct values values = {.noise = 1};
    int bad = 0;

    if (schema == NULL || setup_text == NULL || verb_text == NULL) {
        bad = failed(fault, loop->statements, "cannot be read");
    } else if (sqlite3_exec(database, schema, NULL, NULL, NULL) != SQLITE_OK) {
        bad = failed(fault, "schema", sqlite3_errmsg(database));
    }
    bad = bad || prepare(database, &begin, "BEGIN IMMEDIATE", fault) || prepare(database, &commit, "COMMIT", fault)
        || prepare(database, &setup, setup_text, fault) || prepare(database, &verb, verb_text, fault);

    bad = bad || run(database, &begin, &values, fault);
    for (uint64_t n = 0; !bad && n < loop->rows; n++) {
        advance(&values, n);
        bad = run(database, &setup, &values, fault);
    }
    bad = bad || run(database, &commit, &values, fault);
    if (!bad) sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);

    double start = seconds_now(), now = start;
    uint64_t done = 0, transactions = 0;
    while (!bad && now - start < loop->seconds && (loop->verbs == 0 || done < loop->verbs)) {
        bad = run(database, &begin, &values, fault);
        for (uint32_t index = 0; !bad && index < loop->batch && (loop->verbs == 0 || done < loop->verbs); index++) {
            advance(&values, done++ % (loop->rows == 0 ? 1 : loop->rows));
            bad = run(database, &verb, &values, fault);
        }
        bad = bad || run(database, &commit, &values, fault);
        transactions++;
        now = seconds_now();
    }
    *result = (struct yardstick_loop_result){
        .verbs = done, .transactions = transactions, .statements = verb.count,
        .synchronous = scalar(database, "PRAGMA synchronous"), .seconds = now - start,
    };

    struct program *programs[] = {&setup, &verb, &begin, &commit};
    for (int which = 0; which < 4; which++) {
        for (uint32_t index = 0; index < programs[which]->count; index++) {
            sqlite3_finalize(programs[which]->statements[index]);
        }
    }
    free(schema);
    free(setup_text);
    free(verb_text);
    return bad;
}

int yardstick_sqlite_loop(
    const struct yardstick_loop *loop, struct yardstick_loop_result *result, struct yardstick_fault *fault
) {
    sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int bad = 0;
    if (sqlite3_open_v2(loop->database, &database, flags, NULL) != SQLITE_OK
        || sqlite3_exec(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON",
                        NULL, NULL, NULL) != SQLITE_OK) {
        bad = failed(fault, loop->database, sqlite3_errmsg(database));
    }
    bad = bad || measure(database, loop, result, fault);
    sqlite3_close(database);
    return bad;
}

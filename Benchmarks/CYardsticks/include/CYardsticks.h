// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The parts of the yardsticks that are plain C: nothing between them and the machine but the system's libraries.

#ifndef CYARDSTICKS_H
#define CYARDSTICKS_H

#include <stdint.h>

/// What stops a yardstick is written here; empty when nothing did.
struct yardstick_fault {
    char text[512];
};

/// A loop on SQLite (WAL, synchronous=FULL) that does the statements of one verb over and over.
struct yardstick_loop {
    const char *database;    ///< path; must not exist yet
    const char *statements;  ///< path of the file that holds the schema, the setup and the verb
    uint64_t rows;           ///< how often the setup is done, and how many different `:n` the verb sees
    uint64_t verbs;          ///< stop after so many verbs; 0 for no end
    uint32_t batch;          ///< verbs per transaction
    double seconds;          ///< stop after so long
};

struct yardstick_loop_result {
    uint64_t verbs;
    uint64_t transactions;
    uint32_t statements;  ///< per verb
    int synchronous;      ///< as the connection answers `PRAGMA synchronous` (2 is FULL)
    double seconds;
};

/// Returns 0, or 1 with the fault filled in.
int yardstick_sqlite_loop(
    const struct yardstick_loop *loop, struct yardstick_loop_result *result, struct yardstick_fault *fault
);

/// HTTP/1.1 load on kept connections of one thread. In path, headers and body `{n}` becomes the number of the request,
/// `{ending}` the same in 17 digits, as long as the ending of a short link, `{line}` that line of `lines`, and `{1}` and
/// `{2}` what stands before and after the line's first tab.
struct yardstick_load {
    uint16_t port;  ///< on 127.0.0.1
    uint32_t connections;
    double seconds;
    uint64_t count;       ///< stop after so many requests; 0 for no end
    double rate;          ///< requests a second on a fixed schedule; 0 sends the next one when the last one is answered
    uint64_t first;       ///< the first `{n}`
    uint64_t modulus;     ///< `{n}` starts again from 0 here; 0 for never
    uint64_t seed;        ///< draws `{n}` evenly from those below `modulus` instead of counting; 0 counts
    uint32_t status;      ///< the only status that is a success; 0 takes every one from 200 to 399
    const char *host;     ///< the Host header; empty for the address
    const char *method;
    const char *path;
    const char *headers;  ///< further header lines, each ended by CRLF; may be empty
    const char *body;     ///< may be empty
    const char *lines;    ///< path, or empty; the load ends with the last line unless there is a modulus
    const char *save;     ///< path of a file that takes the bodies of the answers, or empty
};

struct yardstick_load_result {
    uint64_t answers;
    uint64_t successes;  ///< answers with the status that was asked for
    uint64_t broken;     ///< connections that ended or failed under a request
    uint32_t first_bad;  ///< the first other status seen, or 0
    double started;  ///< when the first request was due, by the machine's monotonic clock
    double seconds;
    double p50, p90, p99, worst;  ///< microseconds; on a schedule counted from the moment that was due
};

int yardstick_http_load(
    const struct yardstick_load *load, struct yardstick_load_result *result, struct yardstick_fault *fault
);

/// An SMTP server, or a provider over HTTP, on 127.0.0.1 that throws every mail away.
struct yardstick_sink {
    uint16_t port;
    uint32_t delay;    ///< milliseconds between the end of a mail and its reply
    int hangs;         ///< takes connections and never says a word
    int speaks_http;   ///< takes each body of a request as a mail
    uint64_t expected; ///< tell when so many mails have come, too; 0 tells at the end only
    const char *save;  ///< path of a file that takes a line for each mail to `user{n}@`: n, and when it was taken, in
                       ///< seconds of the machine's monotonic clock; or empty
};

struct yardstick_sink_result {
    uint64_t mails;
    uint64_t bytes;        ///< of all messages
    uint32_t connections;  ///< the most that were open at once
    double seconds;        ///< from the first MAIL command or request to the last reply
};

/// Runs until SIGTERM or SIGINT. Calls `ready` once connections are taken, and `tell` when the expected mails have
/// come and at the end.
int yardstick_mail_sink(
    const struct yardstick_sink *sink, struct yardstick_fault *fault, void (*ready)(void),
    void (*tell)(const struct yardstick_sink_result *result)
);

#endif

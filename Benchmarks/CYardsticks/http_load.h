// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The bytes of the load: requests written from a pattern, answers found in what arrives.

#ifndef HTTP_LOAD_H
#define HTTP_LOAD_H

#include "CYardsticks.h"
#include <stddef.h>

struct requests {
    char *text;  ///< the request rendered last
    size_t room;
    char *lines_text;
    char **lines;
    uint64_t line_count;
};

/// 0, with the fault filled in, when the file of lines cannot be read.
int requests_open(struct requests *requests, const struct yardstick_load *load, struct yardstick_fault *fault);
/// Renders request `n` into `text` and returns its length.
size_t request_render(struct requests *requests, const struct yardstick_load *load, uint64_t n);
void requests_close(struct requests *requests);

struct answer {
    int status;
    size_t head;  ///< bytes before the body
    size_t body;  ///< bytes of the body as sent
    int closes;   ///< the server ends the connection after it
};

/// 1 once the whole answer is there. `bytes` ends with a NUL that is not counted.
int answer_complete(const char *bytes, size_t length, struct answer *answer);

#endif

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#define _GNU_SOURCE
#include "http_load.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *whole_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    size_t count = fread(text, 1, (size_t)size, file);
    text[count] = 0;
    fclose(file);
    return text;
}

int requests_open(struct requests *requests, const struct yardstick_load *load, struct yardstick_fault *fault) {
    *requests = (struct requests){.room = 65536};
    requests->text = malloc(requests->room);
    if (load->lines[0] == 0) return 1;
    requests->lines_text = whole_file(load->lines);
    if (requests->lines_text == NULL) {
        snprintf(fault->text, sizeof fault->text, "%s: %s", load->lines, strerror(errno));
        requests_close(requests);
        return 0;
    }
    uint64_t room = 0;
    for (char *rest = requests->lines_text, *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (line[0] == 0) continue;
        if (requests->line_count == room) {
            room = room == 0 ? 1024 : room * 2;
            requests->lines = realloc(requests->lines, room * sizeof *requests->lines);
        }
        requests->lines[requests->line_count++] = line;
    }
    return 1;
}

void requests_close(struct requests *requests) {
    free(requests->text);
    free(requests->lines_text);
    free(requests->lines);
    *requests = (struct requests){0};
}

/// Copies a pattern with its placeholders filled, never beyond `room`; returns the length.
static size_t filled(char *out, size_t room, const char *pattern, uint64_t n, const char *line) {
    size_t length = 0;
    while (*pattern != 0 && length + 1 < room) {
        if (strncmp(pattern, "{n}", 3) == 0) {
            length += (size_t)snprintf(out + length, room - length, "%llu", (unsigned long long)n);
            pattern += 3;
        } else if (strncmp(pattern, "{line}", 6) == 0) {
            length += (size_t)snprintf(out + length, room - length, "%s", line);
            pattern += 6;
        } else {
            out[length++] = *pattern++;
        }
        if (length >= room) length = room - 1;
    }
    out[length] = 0;
    return length;
}

size_t request_render(struct requests *requests, const struct yardstick_load *load, uint64_t n) {
    char path[4096], body[16384];
    const char *line = requests->line_count == 0 ? "" : requests->lines[n % requests->line_count];
    uint64_t shown = load->modulus == 0 ? n : n % load->modulus;
    filled(path, sizeof path, load->path, shown, line);
    size_t body_length = filled(body, sizeof body, load->body, shown, line);
    char sized[96] = "";
    if (body_length > 0) {
        snprintf(sized, sizeof sized, "Content-Type: application/json\r\nContent-Length: %zu\r\n", body_length);
    }
    int length = snprintf(
        requests->text, requests->room, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n%s%s\r\n%s", load->method, path,
        load->port, load->headers, sized, body
    );
    return (size_t)length;
}

/// The value of a header field, or NULL. `bytes` holds a whole head.
static const char *field(const char *bytes, size_t head, const char *name) {
    size_t length = strlen(name);
    for (const char *line = bytes; line != NULL && line < bytes + head; line = strstr(line, "\r\n")) {
        if (line != bytes) line += 2;
        if (strncasecmp(line, name, length) == 0 && line[length] == ':') {
            line += length + 1;
            return line + strspn(line, " ");
        }
    }
    return NULL;
}

int answer_complete(const char *bytes, size_t length, struct answer *answer) {
    const char *end = strstr(bytes, "\r\n\r\n");
    if (end == NULL || length < 12) return 0;
    size_t head = (size_t)(end - bytes) + 4;
    *answer = (struct answer){.status = atoi(bytes + 9), .head = head, .body = length - head};
    const char *sized = field(bytes, head, "Content-Length");
    const char *chunked = field(bytes, head, "Transfer-Encoding");
    const char *kept = field(bytes, head, "Connection");
    answer->closes = kept != NULL && strncasecmp(kept, "close", 5) == 0;
    if (sized != NULL) return answer->body >= strtoull(sized, NULL, 10);
    if (chunked != NULL) return answer->body >= 5 && memcmp(bytes + length - 5, "0\r\n\r\n", 5) == 0;
    return 1;
}

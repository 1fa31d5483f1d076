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

/// Writes what a placeholder stands for and returns its length, or -1 where `pattern` begins with none. `taken` is the
/// placeholder's own length.
static int placeholder(char *out, size_t room, const char *pattern, uint64_t n, const char *line, size_t *taken) {
    static const char *const names[] = {"{n}", "{ending}", "{line}", "{1}", "{2}"};
    size_t which = 0;
    while (which < 5 && strncmp(pattern, names[which], strlen(names[which])) != 0) which++;
    if (which == 5) return -1;
    *taken = strlen(names[which]);
    const char *tab = strchr(line, '\t');
    int before = tab == NULL ? (int)strlen(line) : (int)(tab - line);
    switch (which) {
    case 0: return snprintf(out, room, "%llu", (unsigned long long)n);
    case 1: return snprintf(out, room, "%017llu", (unsigned long long)n);
    case 2: return snprintf(out, room, "%s", line);
    case 3: return snprintf(out, room, "%.*s", before, line);
    default: return snprintf(out, room, "%s", tab == NULL ? "" : tab + 1);
    }
}

/// Copies a pattern with its placeholders filled, never beyond `room`; returns the length.
static size_t filled(char *out, size_t room, const char *pattern, uint64_t n, const char *line) {
    size_t length = 0, taken = 0;
    while (*pattern != 0 && length + 1 < room) {
        int written = *pattern == '{' ? placeholder(out + length, room - length, pattern, n, line, &taken) : -1;
        if (written < 0) {
            out[length++] = *pattern++;
        } else {
            length += (size_t)written;
            pattern += taken;
        }
        if (length >= room) length = room - 1;
    }
    out[length] = 0;
    return length;
}

/// The number that request `n` shows: counted, or drawn (SplitMix64, so that a seed always draws the same).
static uint64_t shown_number(const struct yardstick_load *load, uint64_t n) {
    if (load->modulus == 0) return n;
    if (load->seed == 0) return n % load->modulus;
    uint64_t drawn = (load->seed << 40) + n * UINT64_C(0x9e3779b97f4a7c15);
    drawn = (drawn ^ (drawn >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    drawn = (drawn ^ (drawn >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (drawn ^ (drawn >> 31)) % load->modulus;
}

size_t request_render(struct requests *requests, const struct yardstick_load *load, uint64_t n) {
    char path[4096], headers[4096], body[16384], host[32];
    uint64_t shown = shown_number(load, n);
    const char *line = requests->line_count == 0 ? "" : requests->lines[shown % requests->line_count];
    filled(path, sizeof path, load->path, shown, line);
    filled(headers, sizeof headers, load->headers, shown, line);
    size_t body_length = filled(body, sizeof body, load->body, shown, line);
    char sized[96] = "";
    if (body_length > 0) {
        snprintf(sized, sizeof sized, "Content-Type: application/json\r\nContent-Length: %zu\r\n", body_length);
    }
    snprintf(host, sizeof host, "127.0.0.1:%u", load->port);
    int length = snprintf(
        requests->text, requests->room, "%s %s HTTP/1.1\r\nHost: %s\r\n%s%s\r\n%s", load->method, path,
        load->host[0] == 0 ? host : load->host, headers, sized, body
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
    if (answer->status == 304) return 1;  // it may give the length of the body that it leaves out
    if (sized != NULL) return answer->body >= strtoull(sized, NULL, 10);
    if (chunked != NULL) return answer->body >= 5 && memcmp(bytes + length - 5, "0\r\n\r\n", 5) == 0;
    return 1;
}

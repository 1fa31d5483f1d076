// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#define _GNU_SOURCE
#include "CYardsticks.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { most_connections = 1024, line_room = 1024 };

struct session {
    int open;
    int in_data;
    int tail;  // how much of CRLF . CRLF the message ends with so far
    size_t left;  // bytes of an HTTP request's body that are to come
    int in_address;  // how much of `user` has come, or that a number follows it
    uint64_t number;  // behind `user`, so far
    uint64_t recipient;  // the first `user{n}@` of this mail, or nobody
    size_t length;
    char line[line_room];
};

#define nobody UINT64_MAX

/// Replies to final dots wait here; all wait equally long, so that the oldest is always the first one due.
struct waiting {
    int socket;
    uint32_t generation;
    uint64_t recipient;
    double due;
};

struct sink {
    const struct yardstick_sink *settings;
    void (*tell)(const struct yardstick_sink_result *result);
    struct yardstick_sink_result result;
    struct session sessions[most_connections];
    uint32_t generations[most_connections];
    struct waiting waiting[most_connections];
    size_t first_waiting, waiting_count;
    uint32_t open;
    double started;
    FILE *save;
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void reply(int socket, const char *text) {
    if (send(socket, text, strlen(text), MSG_NOSIGNAL) < 0) return;  // the close that follows is seen by epoll
}

static void closed(struct sink *sink, int socket) {
    sink->sessions[socket].open = 0;
    sink->generations[socket]++;
    sink->open--;
    close(socket);
}

static void taken(struct sink *sink, int socket, uint64_t recipient, double now) {
    static const char accepted[] =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"id\":\"thrown\"}";
    reply(socket, sink->settings->speaks_http ? accepted : "250 2.0.0 Ok: thrown away\r\n");
    if (sink->save != NULL && recipient != nobody) {
        fprintf(sink->save, "%llu %.6f\n", (unsigned long long)recipient, now);
    }
    sink->result.mails++;
    sink->result.seconds = now - sink->started;
    if (sink->result.mails == sink->settings->expected) sink->tell(&sink->result);
}

static void message_ended(struct sink *sink, int socket) {
    struct session *session = &sink->sessions[socket];
    uint64_t recipient = session->recipient;
    session->in_data = 0;
    session->recipient = nobody;
    double now = seconds_now();
    if (sink->settings->delay == 0) return taken(sink, socket, recipient, now);
    size_t place = (sink->first_waiting + sink->waiting_count++) % most_connections;
    double due = now + sink->settings->delay / 1e3;
    sink->waiting[place] = (struct waiting){socket, sink->generations[socket], recipient, due};
}

/// Finds `user{n}@`, to whom the load has mails sent: in SMTP's RCPT, or in the body of a provider's request.
static void look_for_recipient(struct session *session, char byte) {
    static const char name[] = "user";
    const int whole = sizeof name - 1;
    if (session->recipient != nobody) return;
    if (session->in_address >= whole && byte >= '0' && byte <= '9') {
        session->number = session->number * 10 + (uint64_t)(byte - '0');
        session->in_address = whole + 1;
        return;
    }
    if (session->in_address > whole && byte == '@') session->recipient = session->number;
    session->number = 0;
    session->in_address = session->in_address < whole && byte == name[session->in_address]
        ? session->in_address + 1 : byte == name[0];
}

/// 1 when the connection is to be closed.
static int command(struct sink *sink, int socket, const char *line) {
    struct session *session = &sink->sessions[socket];
    if (strncasecmp(line, "EHLO", 4) == 0) {
        reply(socket, "250-sink.bench.example\r\n250-PIPELINING\r\n250-SIZE 10485760\r\n250 8BITMIME\r\n");
    } else if (strncasecmp(line, "MAIL", 4) == 0) {
        if (sink->started == 0) sink->started = seconds_now();
        reply(socket, "250 2.1.0 Ok\r\n");
    } else if (strncasecmp(line, "DATA", 4) == 0) {
        session->in_data = 1;
        session->tail = 2;  // the line end of DATA itself counts as the one before a lone dot
        reply(socket, "354 End data with <CR><LF>.<CR><LF>\r\n");
    } else if (strncasecmp(line, "QUIT", 4) == 0) {
        reply(socket, "221 2.0.0 Bye\r\n");
        return 1;
    } else {
        reply(socket, "250 2.0.0 Ok\r\n");
    }
    return 0;
}

static int received(struct sink *sink, int socket, const char *bytes, size_t count) {
    static const char end[] = "\r\n.\r\n";
    struct session *session = &sink->sessions[socket];
    for (size_t index = 0; index < count; index++) {
        char byte = bytes[index];
        if (!session->in_data) look_for_recipient(session, byte);
        if (session->in_data) {
            sink->result.bytes++;
            session->tail = byte == end[session->tail] ? session->tail + 1 : byte == '\r';
            if (session->tail == 5) message_ended(sink, socket);
        } else if (byte == '\n') {
            session->line[session->length] = 0;
            session->length = 0;
            if (command(sink, socket, session->line)) return 1;
        } else if (session->length < line_room - 1) {
            session->line[session->length++] = byte;
        }
    }
    return 0;
}

/// A provider over HTTP: a head, of which only the length of the body is read, and the body.
static void requested(struct sink *sink, int socket, const char *bytes, size_t count) {
    struct session *session = &sink->sessions[socket];
    for (size_t index = 0; index < count; index++) {
        char byte = bytes[index];
        if (session->in_data) {
            sink->result.bytes++;
            look_for_recipient(session, byte);
            if (--session->left == 0) message_ended(sink, socket);
        } else if (byte == '\n') {
            session->line[session->length] = 0;
            if (strncasecmp(session->line, "Content-Length:", 15) == 0) {
                session->left = strtoul(session->line + 15, NULL, 10);
            }
            if (session->length <= 1 && session->left > 0) {
                if (sink->started == 0) sink->started = seconds_now();
                session->in_data = 1;
            }
            session->length = 0;
        } else if (session->length < line_room - 1) {
            session->line[session->length++] = byte;
        }
    }
}

static void accept_all(struct sink *sink, int listener, int poll) {
    for (;;) {
        int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) return;
        if (socket >= most_connections) {
            close(socket);
            continue;
        }
        int on = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        sink->sessions[socket] = (struct session){.open = 1, .recipient = nobody};
        sink->generations[socket]++;
        if (++sink->open > sink->result.connections) sink->result.connections = sink->open;
        struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
        epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event);
        if (!sink->settings->hangs && !sink->settings->speaks_http) reply(socket, "220 sink.bench.example ESMTP\r\n");
    }
}

static void readable(struct sink *sink, int socket) {
    char bytes[65536];
    ssize_t count = recv(socket, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return closed(sink, socket);
    if (sink->settings->hangs) return;
    if (sink->settings->speaks_http) return requested(sink, socket, bytes, (size_t)count);
    if (received(sink, socket, bytes, (size_t)count)) closed(sink, socket);
}

/// Milliseconds until the next reply is due; -1 when none waits.
static int reply_due(struct sink *sink) {
    double now = seconds_now();
    while (sink->waiting_count > 0) {
        struct waiting *oldest = &sink->waiting[sink->first_waiting];
        if (oldest->due > now) return (int)((oldest->due - now) * 1e3) + 1;
        if (oldest->generation == sink->generations[oldest->socket]) {
            taken(sink, oldest->socket, oldest->recipient, now);
        }
        sink->first_waiting = (sink->first_waiting + 1) % most_connections;
        sink->waiting_count--;
    }
    return -1;
}

static int listening(uint16_t port, struct yardstick_fault *fault) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0
        || listen(listener, 512) != 0) {
        snprintf(fault->text, sizeof fault->text, "port %u: %s", port, strerror(errno));
        close(listener);
        return -1;
    }
    return listener;
}

int yardstick_mail_sink(
    const struct yardstick_sink *settings, struct yardstick_fault *fault, void (*ready)(void),
    void (*tell)(const struct yardstick_sink_result *result)
) {
    int listener = listening(settings->port, fault);
    if (listener < 0) return 1;
    FILE *save = settings->save[0] == 0 ? NULL : fopen(settings->save, "w");
    if (settings->save[0] != 0 && save == NULL) {
        snprintf(fault->text, sizeof fault->text, "%s: %s", settings->save, strerror(errno));
        close(listener);
        return 1;
    }
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int signals = signalfd(-1, &ends, SFD_CLOEXEC), poll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    event.data.fd = signals;
    epoll_ctl(poll, EPOLL_CTL_ADD, signals, &event);

    struct sink *sink = calloc(1, sizeof *sink);
    sink->settings = settings;
    sink->tell = tell;
    sink->save = save;
    ready();

    int ended = 0;
    while (!ended) {
        struct epoll_event events[128];
        int count = epoll_wait(poll, events, 128, reply_due(sink));
        for (int index = 0; index < count; index++) {
            int socket = events[index].data.fd;
            if (socket == listener) {
                accept_all(sink, listener, poll);
            } else if (socket == signals) {
                ended = 1;
            } else {
                readable(sink, socket);
            }
        }
    }
    if (save != NULL) fclose(save);
    tell(&sink->result);
    for (int socket = 0; socket < most_connections; socket++) {
        if (sink->sessions[socket].open) close(socket);
    }
    free(sink);
    close(poll);
    close(signals);
    close(listener);
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#define _GNU_SOURCE
#include "CYardsticks.h"
#include "http_load.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { answer_room = 65536, grace = 10 /* seconds for the answers that are still out at the end */ };

struct connection {
    int socket;
    int busy;
    double since;  // when its request was sent, or was due
    size_t length;
    char answer[answer_room];
};

struct run {
    const struct yardstick_load *load;
    struct yardstick_load_result *result;
    struct requests requests;
    struct connection *connections;
    uint32_t *idle, idle_count, busy_count;
    int poll, timer;
    uint64_t sent;
    double start, end;
    uint32_t *latencies;  // microseconds
    size_t latency_room;
    FILE *save;
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int connected(struct run *run, uint32_t index) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(run->load->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    struct connection *connection = &run->connections[index];
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    connection->busy = 0;
    connection->length = 0;
    int on = 1;
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connection->socket < 0 || connect(connection->socket, (struct sockaddr *)&address, sizeof address) != 0) {
        if (connection->socket >= 0) close(connection->socket);
        connection->socket = -1;
        return 0;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    epoll_ctl(run->poll, EPOLL_CTL_ADD, connection->socket, &event);
    run->idle[run->idle_count++] = index;
    return 1;
}

static void broke(struct run *run, uint32_t index) {
    struct connection *connection = &run->connections[index];
    close(connection->socket);
    if (connection->busy) {
        run->result->broken++;
        run->busy_count--;
    } else {
        for (uint32_t place = 0; place < run->idle_count; place++) {
            if (run->idle[place] == index) run->idle[place] = run->idle[--run->idle_count];
        }
    }
    connected(run, index);
}

static int more(const struct run *run, double now) {
    return now < run->end && (run->load->count == 0 || run->sent < run->load->count)
        && (run->requests.line_count == 0 || run->load->modulus > 0
            || run->load->first + run->sent < run->requests.line_count);
}

static double due(const struct run *run) { return run->start + (double)run->sent / run->load->rate; }

static void send_waiting(struct run *run) {
    double now = seconds_now();
    while (run->idle_count > 0 && more(run, now) && (run->load->rate == 0 || due(run) <= now)) {
        uint32_t index = run->idle[--run->idle_count];
        struct connection *connection = &run->connections[index];
        connection->since = run->load->rate == 0 ? now : due(run);
        connection->busy = 1;
        connection->length = 0;
        run->busy_count++;
        size_t length = request_render(&run->requests, run->load, run->load->first + run->sent++);
        if (send(connection->socket, run->requests.text, length, MSG_NOSIGNAL) != (ssize_t)length) broke(run, index);
    }
    if (run->load->rate > 0 && run->idle_count > 0 && more(run, now)) {
        double next = due(run);
        struct itimerspec wake = {.it_value = {(time_t)next, (long)((next - (double)(time_t)next) * 1e9)}};
        timerfd_settime(run->timer, TFD_TIMER_ABSTIME, &wake, NULL);
    }
}

static void count_answer(struct run *run, struct connection *connection, const struct answer *answer) {
    double now = seconds_now();
    if (run->result->answers == run->latency_room) {
        run->latency_room = run->latency_room == 0 ? 65536 : run->latency_room * 2;
        run->latencies = realloc(run->latencies, run->latency_room * sizeof *run->latencies);
    }
    run->latencies[run->result->answers++] = (uint32_t)((now - connection->since) * 1e6);
    run->result->seconds = now - run->start;
    int asked = (int)run->load->status;
    if (asked == 0 ? answer->status >= 200 && answer->status < 400 : answer->status == asked) {
        run->result->successes++;
    } else if (run->result->first_bad == 0) {
        run->result->first_bad = (uint32_t)answer->status;
    }
    if (run->save != NULL) {
        fwrite(connection->answer + answer->head, 1, answer->body, run->save);
        fputc('\n', run->save);
    }
}

static void readable(struct run *run, uint32_t index) {
    struct connection *connection = &run->connections[index];
    char *end = connection->answer + connection->length;
    size_t room = answer_room - 1 - connection->length;
    ssize_t count = room == 0 ? 0 : recv(connection->socket, end, room, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return broke(run, index);
    connection->length += (size_t)count;
    connection->answer[connection->length] = 0;
    struct answer answer;
    if (!connection->busy || !answer_complete(connection->answer, connection->length, &answer)) return;
    count_answer(run, connection, &answer);
    connection->busy = 0;
    run->busy_count--;
    if (answer.closes) return broke(run, index);
    run->idle[run->idle_count++] = index;
}

static int by_size(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static double percentile(const struct run *run, double part) {
    if (run->result->answers == 0) return 0;
    return run->latencies[(size_t)(part * (double)(run->result->answers - 1))];
}

static void drive(struct run *run) {
    uint64_t ignored;
    run->start = run->result->started = seconds_now();
    run->end = run->start + run->load->seconds;
    for (;;) {
        send_waiting(run);
        double now = seconds_now();
        if (run->busy_count == 0 && !more(run, now)) return;
        if (now > run->end + grace || (run->busy_count == 0 && run->idle_count == 0)) {
            run->result->broken += run->busy_count;
            return;
        }
        struct epoll_event events[256];
        int count = epoll_wait(run->poll, events, 256, 100);
        for (int index = 0; index < count; index++) {
            if (events[index].data.u32 != UINT32_MAX) {
                readable(run, events[index].data.u32);
            } else if (read(run->timer, &ignored, sizeof ignored) < 0) {
                continue;  // raced with a new setting of the timer
            }
        }
    }
}

int yardstick_http_load(
    const struct yardstick_load *load, struct yardstick_load_result *result, struct yardstick_fault *fault
) {
    *result = (struct yardstick_load_result){0};
    struct run run = {.load = load, .result = result};
    if (!requests_open(&run.requests, load, fault)) return 1;
    run.poll = epoll_create1(EPOLL_CLOEXEC);
    run.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    run.connections = calloc(load->connections, sizeof *run.connections);
    run.idle = calloc(load->connections, sizeof *run.idle);
    if (load->save[0] != 0) run.save = fopen(load->save, "w");
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = UINT32_MAX};
    epoll_ctl(run.poll, EPOLL_CTL_ADD, run.timer, &event);

    int bad = load->save[0] != 0 && run.save == NULL;
    if (bad) snprintf(fault->text, sizeof fault->text, "%s: %s", load->save, strerror(errno));
    for (uint32_t index = 0; !bad && index < load->connections; index++) {
        if (!connected(&run, index)) {
            snprintf(fault->text, sizeof fault->text, "127.0.0.1:%u: %s", load->port, strerror(errno));
            bad = 1;
        }
    }
    if (!bad) {
        drive(&run);
        qsort(run.latencies, result->answers, sizeof *run.latencies, by_size);
        result->p50 = percentile(&run, 0.5);
        result->p90 = percentile(&run, 0.9);
        result->p99 = percentile(&run, 0.99);
        result->worst = percentile(&run, 1);
    }
    for (uint32_t index = 0; index < load->connections; index++) {
        if (run.connections[index].socket > 0) close(run.connections[index].socket);
    }
    if (run.save != NULL) fclose(run.save);
    requests_close(&run.requests);
    free(run.connections);
    free(run.idle);
    free(run.latencies);
    close(run.timer);
    close(run.poll);
    return bad;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Preloaded into a process under measurement: counts its fdatasync and fsync calls in a file that the script maps
/// too, and slows each of them by as many microseconds as stand there. BENCH_SYNCS names the file.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct shared {
    _Atomic uint64_t fdatasyncs, fsyncs, delay;
};

static struct shared nowhere;
static struct shared *shared = &nowhere;
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);

__attribute__((constructor)) static void begin(void) {
    real_fdatasync = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    real_fsync = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    const char *path = getenv("BENCH_SYNCS");
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) shared = mapped;
    close(file);
}

static void wait_a_while(void) {
    uint64_t delay = atomic_load(&shared->delay);
    if (delay == 0) return;
    struct timespec time = {(time_t)(delay / 1000000), (long)(delay % 1000000 * 1000)};
    while (nanosleep(&time, &time) != 0) continue;
}

int fdatasync(int file) {
    atomic_fetch_add(&shared->fdatasyncs, 1);
    wait_a_while();
    return real_fdatasync(file);
}

int fsync(int file) {
    atomic_fetch_add(&shared->fsyncs, 1);
    wait_a_while();
    return real_fsync(file);
}

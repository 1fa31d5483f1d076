# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A clock that is wrong for one program alone, and more or less so while it runs."""

import pathlib
import shutil
import subprocess

# Ahead by as many seconds as the file says. The clocks by which one counts how long something takes stay as they are.
SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead(void) {
    char text[32] = "";
    int file = open(getenv("CLOCK_AHEAD"), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int answer = real(clock, time);
    if (answer == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += ahead();
    return answer;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
"""


class Clock:
    def __init__(self, folder):
        library, self.file = pathlib.Path(folder) / "clock.so", pathlib.Path(folder) / "ahead"
        compiler = shutil.which("clang") or shutil.which("gcc")
        assert compiler, "no C compiler is there; Swift brings clang with it"
        command = [compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-x", "c", "-", "-o", str(library), "-ldl"]
        subprocess.run(command, input=SOURCE, text=True, check=True)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(self.file)}
        self.go(0)

    def go(self, seconds):
        """Ahead by so many seconds from now on; behind where that is negative."""
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.rename(self.file)

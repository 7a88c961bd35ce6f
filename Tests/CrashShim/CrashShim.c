/* Makes the nth call that reaches the disk go wrong, in a program that it is preloaded into.
 *
 * CRASH_CALLS   which calls count: names separated by commas, of write, pwrite, writev, pwritev,
 *               fsync, fdatasync, rename, send; only those on files whose path contains
 *               CRASH_PATH (a socket's is "socket:[number]")
 * CRASH_PATH    a part of the path; everything where it is absent
 * CRASH_AT      the number of the call, from 1; 0 only counts
 * CRASH_HOW     kill       SIGKILL before the call
 *               killafter  the call, then SIGKILL
 *               short      half of what was to be written, then SIGKILL
 *               ENOSPC, EIO  the call fails so; from then on every one that counts
 *               delay      the call after CRASH_DELAY milliseconds, as every later one
 * CRASH_COUNT   a file that gets the number of calls when the program ends by itself
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static atomic_long calls;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int is_counted(const char *name, const char *path) {
    const char *list = getenv("CRASH_CALLS"), *part = getenv("CRASH_PATH");
    size_t length = strlen(name);
    if (!list || (part && !strstr(path, part))) return 0;
    for (const char *place = list; (place = strstr(place, name)); place += length)
        if ((place == list || place[-1] == ',') && (!place[length] || place[length] == ','))
            return 1;
    return 0;
}

static int is_counted_file(const char *name, int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_counted(name, path);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

enum outcome { AS_USUAL, DIE_AFTER, SHORTEN, FAIL };

/* What is to become of a call that counts. */
static enum outcome next_outcome(void) {
    long place = atomic_fetch_add(&calls, 1) + 1, at = number("CRASH_AT");
    const char *how = getenv("CRASH_HOW");
    if (!how || at == 0 || place < at) return AS_USUAL;
    if (!strcmp(how, "delay")) {
        long milliseconds = number("CRASH_DELAY");
        struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
        nanosleep(&pause, NULL);
        return AS_USUAL;
    }
    if (!strcmp(how, "ENOSPC") || !strcmp(how, "EIO")) {
        errno = strcmp(how, "EIO") ? ENOSPC : EIO;
        return FAIL;
    }
    if (place != at) return AS_USUAL;
    if (!strcmp(how, "kill")) die();
    return strcmp(how, "short") ? DIE_AFTER : SHORTEN;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A call on a file; `half` is the same call with half of the bytes. */
#define ON_FILE(name, file, usual, half)                          \
    do {                                                          \
        if (!is_counted_file(#name, file)) return REAL(name) usual; \
        switch (next_outcome()) {                                 \
        case AS_USUAL: return REAL(name) usual;                   \
        case FAIL: return -1;                                     \
        case DIE_AFTER: REAL(name) usual; die();                  \
        case SHORTEN: half; die();                                \
        }                                                         \
        return -1;                                                \
    } while (0)

ssize_t write(int file, const void *bytes, size_t count) {
    ON_FILE(write, file, (file, bytes, count), REAL(write)(file, bytes, count / 2));
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    ON_FILE(pwrite, file, (file, bytes, count, place),
            REAL(pwrite)(file, bytes, count / 2, place));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    if (!is_counted_file("pwrite", file)) return REAL(pwrite64)(file, bytes, count, place);
    return pwrite(file, bytes, count, place);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    ON_FILE(writev, file, (file, parts, count), REAL(writev)(file, parts, count / 2));
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t place) {
    ON_FILE(pwritev, file, (file, parts, count, place),
            REAL(pwritev)(file, parts, count / 2, place));
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
    ON_FILE(send, file, (file, bytes, count, flags), REAL(send)(file, bytes, count / 2, flags));
}

int fsync(int file) {
    ON_FILE(fsync, file, (file), (void)0);
}

int fdatasync(int file) {
    ON_FILE(fdatasync, file, (file), (void)0);
}

int rename(const char *from, const char *to) {
    if (!is_counted("rename", to)) return REAL(rename)(from, to);
    switch (next_outcome()) {
    case AS_USUAL: return REAL(rename)(from, to);
    case FAIL: return -1;
    case DIE_AFTER: REAL(rename)(from, to); die();
    case SHORTEN: die();
    }
    return -1;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("CRASH_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}

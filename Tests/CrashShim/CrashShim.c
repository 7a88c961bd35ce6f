/* Makes the nth call that reaches the disk go wrong, in a program that it is preloaded into.
 *
 * CRASH_CALLS   which calls count: names separated by commas, of write, pwrite, writev, pwritev,
 *               fsync, fdatasync, rename, send, recv; only those on files whose path contains
 *               CRASH_PATH (a socket's is "socket:[number]")
 * CRASH_PATH    a part of the path; everything where it is absent
 * CRASH_AT      the number of the call, from 1; 0 only counts
 * CRASH_HOW     kill       SIGKILL before the call
 *               killafter  the call, then SIGKILL
 *               short      half of what was to be written, then SIGKILL
 *               ENOSPC, EIO  the call fails so; from then on every one that counts
 *               once       the call fails with EIO, and no other
 *               reset      the call fails as a broken connection does, and the socket is broken
 *               delay      the call after CRASH_DELAY milliseconds, as every later one
 * CRASH_COUNT   a file that gets the number of calls when the program ends by itself
 * CRASH_ARMED   a file: calls count only while it exists; what it says, "AT HOW PATH", stands for
 *               CRASH_AT, CRASH_HOW and CRASH_PATH, so that a server need not be started anew
 * CRASH_SHARED  a file of eight bytes in which all processes of a server count together
 * CRASH_ALL     SIGKILL goes to the process's parent and all its children too: a whole server
 * CRASH_CLOCK   how many seconds the wall clock of the program is ahead of the machine's; the
 *               monotonic clock stays as it is
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
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static atomic_long own_calls;
static _Atomic(atomic_long *) shared_calls;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

/* What is to happen: from the variables, or from the armed file. */
struct plan {
    long at;
    char how[16], path[64];
};

/* Whether calls count at all. */
static int read_plan(struct plan *plan) {
    const char *armed = getenv("CRASH_ARMED"), *how = getenv("CRASH_HOW");
    const char *path = getenv("CRASH_PATH");
    plan->at = number("CRASH_AT");
    snprintf(plan->how, sizeof plan->how, "%s", how ? how : "");
    snprintf(plan->path, sizeof plan->path, "%s", path ? path : "");
    if (!armed) return 1;
    char text[128] = "";
    int before = errno, file = open(armed, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
        close(file);
        sscanf(text, "%ld %15s %63s", &plan->at, plan->how, plan->path);
    }
    errno = before;
    return file >= 0;
}

static int is_counted(const char *name, const char *path) {
    const char *list = getenv("CRASH_CALLS");
    size_t length = strlen(name);
    if (!list) return 0;
    for (const char *place = list; (place = strstr(place, name)); place += length)
        if ((place == list || place[-1] == ',') && (!place[length] || place[length] == ',')) {
            struct plan plan;
            return read_plan(&plan) && strstr(path, plan.path);
        }
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

/* The counter: the process's own, or that in the shared file, whose eight bytes begin as zeros. */
static atomic_long *calls(void) {
    const char *path = getenv("CRASH_SHARED");
    if (!path) return &own_calls;
    atomic_long *known = atomic_load(&shared_calls);
    if (known) return known;
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *place = file < 0 ? MAP_FAILED
                           : mmap(NULL, sizeof(atomic_long), PROT_READ | PROT_WRITE, MAP_SHARED,
                                  file, 0);
    if (file >= 0) close(file);
    if (place == MAP_FAILED) return &own_calls;
    atomic_store(&shared_calls, place);
    return place;
}

/* The server goes first, so that it starts nothing anew, then its other processes. */
static void kill_server(void) {
    char path[64], list[8192] = "";
    pid_t server = getppid();
    if (server <= 1) return;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)server, (int)server);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, list, sizeof list - 1) < 0) list[0] = 0;
    if (file >= 0) close(file);
    syscall(SYS_kill, server, SIGKILL);
    for (char *place = list, *end; *place; place = end) {
        long child = strtol(place, &end, 10);
        if (end == place) break;
        if (child != getpid()) syscall(SYS_kill, (pid_t)child, SIGKILL);
    }
}

static void die(void) {
    if (getenv("CRASH_ALL")) kill_server();
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

enum outcome { AS_USUAL, DIE_AFTER, SHORTEN, FAIL };

/* What is to become of a call that counts. */
static enum outcome next_outcome(int file) {
    struct plan plan;
    if (!read_plan(&plan)) return AS_USUAL;
    const char *how = plan.how;
    long at = plan.at, place = atomic_fetch_add(calls(), 1) + 1;
    if (!how[0] || at == 0 || place < at) return AS_USUAL;
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
    if (!strcmp(how, "once")) {
        errno = EIO;
        return FAIL;
    }
    if (!strcmp(how, "reset")) {
        shutdown(file, SHUT_RDWR);
        errno = ECONNRESET;
        return FAIL;
    }
    if (!strcmp(how, "kill")) die();
    return strcmp(how, "short") ? DIE_AFTER : SHORTEN;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A call on a file; `half` is the same call with half of the bytes. */
#define ON_FILE(name, file, usual, half)                          \
    do {                                                          \
        if (!is_counted_file(#name, file)) return REAL(name) usual; \
        switch (next_outcome(file)) {                             \
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

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t place) {
    if (!is_counted_file("pwritev", file)) return REAL(pwritev64)(file, parts, count, place);
    return pwritev(file, parts, count, place);
}

ssize_t recv(int file, void *bytes, size_t count, int flags) {
    ON_FILE(recv, file, (file, bytes, count, flags), REAL(recv)(file, bytes, count / 2, flags));
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
    switch (next_outcome(-1)) {
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
    fprintf(file, "%ld\n", atomic_load(calls()));
    fclose(file);
}

int clock_gettime(clockid_t clock, struct timespec *moment) {
    int result = (int)syscall(SYS_clock_gettime, clock, moment);
    if (result == 0 && clock == CLOCK_REALTIME) moment->tv_sec += number("CRASH_CLOCK");
    return result;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    moment->tv_sec = now.tv_sec;
    moment->tv_usec = now.tv_nsec / 1000;
    return 0;
}

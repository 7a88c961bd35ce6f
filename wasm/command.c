// The module as a WASI command: reads a city file and questions, and writes the answers.
#include <stddef.h>
#include <stdint.h>

#define WASI(name) __attribute__((import_module("wasi_snapshot_preview1"), import_name(#name))) name
struct piece { const void *bytes; size_t count; };
int WASI(args_sizes_get)(size_t *count, size_t *bytes);
int WASI(args_get)(char **arguments, char *bytes);
int WASI(path_open)(int folder, int follow, const char *path, size_t length, int how,
                    uint64_t rights, uint64_t inherited, int flags, int *file);
int WASI(fd_filestat_get)(int file, uint64_t status[8]);
int WASI(fd_read)(int file, const struct piece *pieces, size_t count, size_t *done);
int WASI(fd_write)(int file, const struct piece *pieces, size_t count, size_t *done);
_Noreturn void WASI(proc_exit)(int code);

int posix_memalign(void **result, size_t alignment, size_t size);
int32_t viavai_answer(const void *city, size_t city_length, const uint8_t *text,
                      size_t text_length, const uint8_t *wishes, size_t wishes_length,
                      void (*write)(const uint8_t *, size_t));

static size_t length_of(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static void put(int file, const void *bytes, size_t count) {
    struct piece piece = {bytes, count};
    for (size_t done; piece.count > 0; piece.count -= done) {
        if (fd_write(file, &piece, 1, &done) != 0) proc_exit(3);
        piece.bytes = (const char *)piece.bytes + done;
    }
}

static void answer(const uint8_t *bytes, size_t count) { put(1, bytes, count); }

static _Noreturn void fail(const char *path, const char *why) {
    put(2, path, length_of(path));
    put(2, why, length_of(why));
    proc_exit(2);
}

// Reads a file of the folder that the command was given.
static struct piece read(const char *path) {
    const int first_folder = 3;
    const uint64_t may_read = 1 << 1, may_ask_size = 1 << 21;
    int file;
    uint64_t status[8];
    struct piece whole;
    if (path_open(first_folder, 0, path, length_of(path), 0, may_read | may_ask_size, 0, 0, &file)
        || fd_filestat_get(file, status)) fail(path, ": cannot be read\n");
    whole.count = (size_t)status[4];
    if (posix_memalign((void **)&whole.bytes, 64, whole.count)) fail(path, ": is too large\n");
    struct piece rest = whole;
    for (size_t done; rest.count > 0; rest.count -= done) {
        if (fd_read(file, &rest, 1, &done) != 0 || done == 0) fail(path, ": cannot be read\n");
        rest.bytes = (const char *)rest.bytes + done;
    }
    return whole;
}

void _start(void) {
    size_t count, length;
    args_sizes_get(&count, &length);
    char *arguments[16], bytes[4096];
    if (count < 3 || count > 16 || length > sizeof bytes)
        fail("usage: ", "viavai.wasm CITY QUESTIONS.csv [--max-walk METRES] [--wheelchair]\n");
    args_get(arguments, bytes);
    struct piece city = read(arguments[1]), text = read(arguments[2]);
    // The arguments stand one after the other, each ended by a zero byte.
    const char *wishes = arguments[2] + length_of(arguments[2]) + 1;
    size_t wishes_length = (size_t)(bytes + length - wishes);
    int32_t code = viavai_answer(city.bytes, city.count, text.bytes, text.count,
                                 (const uint8_t *)wishes, wishes_length, answer);
    if (code == -2) fail(wishes, ": is not understood\n");
    if (code < 0) fail(arguments[1], ": is no city file\n");
    if (code > 0) fail(arguments[2], ": holds a line that is no question\n");
    proc_exit(0);
}

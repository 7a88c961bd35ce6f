#include <argon2.h>
#include <stddef.h>
#include <stdint.h>

// libargon2 asks a function for memory and tells it nothing but how much: what the caller gave
// waits here for it, apart for each thread. The values at the start make these definitions: C's
// tentative ones are completed at the end of a C file, and Swift compiles none.
static _Thread_local uint8_t *viavai_given = NULL;
static _Thread_local size_t viavai_given_bytes = 0;

// Gives nothing where the memory is too small. libargon2 looks at the pointer, not at the result.
static inline int viavai_take_memory(uint8_t **memory, size_t bytes) {
    *memory = bytes <= viavai_given_bytes ? viavai_given : NULL;
    return ARGON2_OK;
}

// The memory is the caller's; libargon2 has wiped it before it calls.
static inline void viavai_leave_memory(uint8_t *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
}

// Computes the Argon2id tag of a password, version 1.3 with one lane, in memory that the caller
// gives; allocates none. Gives 0 where it was done.
static inline int viavai_argon2id(uint8_t *tag, uint32_t tag_bytes, const uint8_t *password,
                                  uint32_t password_bytes, const uint8_t *salt,
                                  uint32_t salt_bytes, uint32_t passes, uint32_t kibibytes,
                                  void *memory, size_t memory_bytes) {
    // libargon2 writes to password and salt only where a flag asks it to wipe them.
    argon2_context context = {.out = tag,
                              .outlen = tag_bytes,
                              .pwd = (uint8_t *)password,
                              .pwdlen = password_bytes,
                              .salt = (uint8_t *)salt,
                              .saltlen = salt_bytes,
                              .t_cost = passes,
                              .m_cost = kibibytes,
                              .lanes = 1,
                              .threads = 1,
                              .version = ARGON2_VERSION_13,
                              .allocate_cbk = viavai_take_memory,
                              .free_cbk = viavai_leave_memory,
                              .flags = ARGON2_DEFAULT_FLAGS};
    viavai_given = (uint8_t *)memory;
    viavai_given_bytes = memory_bytes;
    int code = argon2id_ctx(&context);
    viavai_given = NULL;
    viavai_given_bytes = 0;
    return code;
}

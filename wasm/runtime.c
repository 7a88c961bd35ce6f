// What Embedded Swift asks of its host where there is no C library: memory, and numbers to seed
// hash tables with, always the same ones.
#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base;
static uintptr_t heap_end;
static void *freed[128];
struct header { void *start; uint32_t size_class; };

// Blocks have 5, 6, 7 or 8 times a power of two bytes, and are used again for blocks of as many.
int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < 16) alignment = 16;
    uint64_t needed = (uint64_t)size + alignment + sizeof(struct header);
    if (needed > UINT32_MAX / 2) return 12;
    unsigned shift = 29 - __builtin_clz((uint32_t)needed - 1);
    unsigned units = (unsigned)((needed - 1) >> shift) + 1;
    unsigned size_class = shift * 4 + units - 5;
    void *start = freed[size_class];
    if (start) {
        freed[size_class] = *(void **)start;
    } else {
        if (!heap_end) heap_end = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
        uint64_t end = (uint64_t)heap_end + ((uint64_t)units << shift);
        int64_t missing = (int64_t)((end + 65535) >> 16) - (int64_t)__builtin_wasm_memory_size(0);
        if (end > UINT32_MAX - 65535) return 12;
        if (missing > 0 && __builtin_wasm_memory_grow(0, (size_t)missing) == (size_t)-1) return 12;
        start = (void *)heap_end;
        heap_end = (uintptr_t)((end + 15) & ~(uint64_t)15);
    }
    uintptr_t block = (uintptr_t)start + sizeof(struct header) + alignment - 1;
    *result = (void *)(block & ~(uintptr_t)(alignment - 1));
    ((struct header *)*result)[-1] = (struct header){start, size_class};
    return 0;
}

void free(void *block) {
    if (!block) return;
    struct header header = ((struct header *)block)[-1];
    *(void **)header.start = freed[header.size_class];
    freed[header.size_class] = header.start;
}

void *memcpy(void *to, const void *from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

void arc4random_buf(void *bytes, size_t count) { memset(bytes, 42, count); }

const uintptr_t __stack_chk_guard = 0x7E57AB1E;
void __stack_chk_fail(void) { __builtin_trap(); }

// Halves away from zero, as C has it.
double round(double value) {
    double whole = __builtin_trunc(value);
    return __builtin_fabs(value - whole) >= 0.5 ? whole + __builtin_copysign(1, value) : whole;
}

// The product of two numbers of 128 bits, from products of 32.
__int128 __multi3(__int128 left, __int128 right) {
    uint64_t a = (uint64_t)left, b = (uint64_t)right;
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
    uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
    high += a * (uint64_t)(right >> 64) + (uint64_t)(left >> 64) * b;
    return (__int128)((unsigned __int128)high << 64 | other << 32 | (low & UINT32_MAX));
}

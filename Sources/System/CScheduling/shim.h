#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's struct sched_attr, version 0 (linux/sched/types.h), which has no door in libc.
struct viavai_scheduling {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t niceness;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

// Sets how much the calling thread gives way (0 to 19), and how many nanoseconds it runs on before
// others may take its place; kernels before 6.12 choose that themselves. Gives 0 where it was done.
static inline int viavai_give_way(int32_t niceness, uint64_t slice) {
    struct viavai_scheduling wanted = {
        .size = sizeof(struct viavai_scheduling), .niceness = niceness, .runtime = slice};
    return (int)syscall(SYS_sched_setattr, 0, &wanted, 0);
}

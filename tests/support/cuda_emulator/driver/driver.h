/* A stand-in for libcuda.so.1: what the driver's parts know of one another. "Cubins" are libraries of emulated kernels.
   Work is queued in streams and done when somebody waits for it, each stream by itself, so that what is not ordered by
   events shows. */
#pragma once
#define _GNU_SOURCE
#include "../threads.h"

#define API EMU_EXPORT int

enum result {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    LAUNCH_OUT_OF_RESOURCES = 701,
    LAUNCH_FAILED = 719,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
    CAPTURE_UNMATCHED = 903,
    CAPTURE_ISOLATION = 905,
    CAPTURE_IMPLICIT = 906
};

#pragma GCC visibility push(hidden)

typedef unsigned long long address;

/* Counts the call; ENTER also returns where no context is current or an earlier kernel has failed. */
#define COUNT                                                                                                          \
    do {                                                                                                               \
        static unsigned long long *calls;                                                                              \
        if (!calls)                                                                                                    \
            calls = emu_counter(__func__);                                                                             \
        ++*calls;                                                                                                      \
        if (emu_verbose)                                                                                               \
            fprintf(stderr, "%s\n", __func__);                                                                         \
    } while (0)
#define ENTER                                                                                                          \
    do {                                                                                                               \
        COUNT;                                                                                                         \
        const int refused = emu_refused();                                                                             \
        if (refused)                                                                                                   \
            return refused;                                                                                            \
    } while (0)
unsigned long long *emu_counter(const char *function);
extern bool emu_verbose;
int emu_refused(void);
extern bool emu_strict; /* whether kernels take no addresses of the host */
extern int emu_sticky; /* once a kernel has failed nothing works any more */

struct module {
    void *library;
    int (*launch)(const char *, const struct emu_launch *, void **, char *, size_t);
    const struct emu_kernel *(*find)(const char *);
};
struct function {
    struct module *module;
    const struct emu_kernel *kernel;
    int most_dynamic; /* bytes of shared memory that may be asked for */
    bool loaded;      /* as its first launch would, which no capture takes */
};

/* Something to be done in a stream, or by a graph. */
struct task {
    enum { LAUNCH, COPY, FILL, RECORD, WAIT, CALL } kind;
    void (*call)(void *);
    struct function *function;
    struct emu_launch launch;
    unsigned long long values[64];
    void *to;
    const void *from;
    size_t count;
    unsigned value, bytes;
    struct event *event;
    unsigned long long ticket;
    struct task *next;
};
struct tasks {
    struct task *first, *last;
    size_t count;
};
struct stream {
    struct tasks tasks;
    struct tasks *capture; /* tasks go there instead */
    bool alone;            /* not ordered with the default stream */
    bool invalid;          /* what it captures is of no use */
    int priority;
    struct stream *next;
};
struct event {
    struct stream *stream;
    unsigned long long recorded, done; /* tickets of the last record, and of the last that has run */
    double at;
    unsigned flags;
};

struct stream *emu_stream(void *handle);
struct stream *emu_next_stream(const struct stream *stream); /* the default one behind none */
bool emu_capturing(void);
extern _Thread_local int emu_capture_mode;
bool emu_endangers_capture(void); /* what a thread asks for while others capture, unless it says that it may */
bool emu_held_up(void *stream); /* whether it is the default one, and one that it waits for captures */
int emu_put(void *stream, const struct task *task);
int emu_run_all(void);
bool emu_idle(void);
int emu_run_stream(struct stream *stream, const struct event *until);
void emu_run_task(const struct task *task);
int emu_run_tasks(const struct tasks *tasks);
void emu_append(struct tasks *tasks, const struct task *task);
void emu_clear(struct tasks *tasks);
size_t emu_parameter_bytes(char letter);

/* The memory that kernels may touch. */
API cuCtxGetCurrent(void **context);
API cuStreamCreate(struct stream **stream, unsigned flags);
unsigned emu_allocations(const struct emu_range **ranges);
bool emu_allocated(address at);
#pragma GCC visibility pop

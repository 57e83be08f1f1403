/* A call of a kernel that is kept, to be done in parts: of the matrices lo .. hi - 1. */
typedef struct {
    void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share);
    _Alignas(16) unsigned char arguments[240];
} kept_call;

/* The next call of a kernel by this thread is kept in `call`, if that has room, rather than done; NULL: it is done. */
HIDDEN void {{ prefix }}keep(kept_call *call);

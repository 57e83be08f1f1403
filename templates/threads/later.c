/* Calls that are kept, to be done in pieces. */
enum { LATER = 1 << 30 };

typedef struct {
    bblas_part *part;
    _Alignas(16) unsigned char arguments[496];
} bblas_call;

static _Thread_local bblas_call kept;

/* With the arguments of the kernel, so many bytes; none where these hold no longer than the call, as scratch does. */
static void keep(bblas_part *part, const void *arguments, size_t size)
{
    kept.part = size && size <= sizeof kept.arguments ? part : NULL;
    if (kept.part)
        memcpy(kept.arguments, arguments, size);
}

/* The last call of this thread with LATER threads; whether it was kept. */
int bblas_kept(bblas_call *call)
{
    *call = kept;
    kept.part = NULL;
    return call->part != NULL;
}

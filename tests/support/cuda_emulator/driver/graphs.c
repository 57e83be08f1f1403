/* Work of streams that is captured, to be done again and again. */
#include "driver.h"

/* What graphs keep alive for their makers. */
struct keepsake {
    void *thing;
    void (*destroy)(void *thing);
    unsigned references;
};
struct graph {
    struct tasks tasks; /* first: what a stream captures is the graph itself */
    struct keepsake *keepsakes[64];
    unsigned keepsake_count;
};

API cuStreamBeginCapture(void *handle, int mode)
{
    ENTER;
    struct stream *stream = emu_stream(handle);
    if (!stream || (uintptr_t)handle <= 2)
        return stream ? CAPTURE_UNSUPPORTED : INVALID_HANDLE;
    if (stream->capture || mode < 0 || mode > 2)
        return INVALID_VALUE;
    stream->capture = calloc(1, sizeof(struct graph));
    return SUCCESS;
}
API cuStreamEndCapture(void *handle, struct graph **graph)
{
    ENTER;
    struct stream *stream = emu_stream(handle);
    if (!stream || !stream->capture)
        return CAPTURE_UNMATCHED;
    *graph = stream->invalid ? NULL : (struct graph *)stream->capture;
    stream->capture = NULL;
    stream->invalid = false;
    return *graph ? SUCCESS : CAPTURE_INVALIDATED;
}
API cuStreamIsCapturing(void *handle, int *status)
{
    ENTER;
    struct stream *stream = emu_stream(handle);
    *status = stream && stream->capture;
    return emu_held_up(handle) ? CAPTURE_IMPLICIT : stream ? SUCCESS : INVALID_HANDLE;
}
API cuStreamGetCaptureInfo(void *handle, int *status, uint64_t *id, void **graph, void **nodes, void **edges,
                           size_t *count)
{
    const int result = cuStreamIsCapturing(handle, status);
    if (id)
        *id = (uint64_t)*status;
    if (graph)
        *graph = *status ? emu_stream(handle)->capture : NULL;
    if (nodes)
        *nodes = NULL;
    if (edges)
        *edges = NULL;
    if (count)
        *count = 0;
    return result;
}
API cuThreadExchangeStreamCaptureMode(int *mode)
{
    COUNT;
    const int before = emu_capture_mode;
    emu_capture_mode = *mode;
    *mode = before;
    return SUCCESS;
}

API cuUserObjectCreate(struct keepsake **made, void *thing, void (*destroy)(void *), unsigned references,
                       unsigned flags)
{
    COUNT;
    (void)flags;
    *made = calloc(1, sizeof **made);
    **made = (struct keepsake){thing, destroy, references};
    return SUCCESS;
}
API cuUserObjectRetain(struct keepsake *keepsake, unsigned count)
{
    COUNT;
    keepsake->references += count;
    return SUCCESS;
}
API cuUserObjectRelease(struct keepsake *keepsake, unsigned count)
{
    COUNT;
    keepsake->references -= count;
    if (!keepsake->references) {
        keepsake->destroy(keepsake->thing);
        free(keepsake);
    }
    return SUCCESS;
}
API cuGraphRetainUserObject(struct graph *graph, struct keepsake *keepsake, unsigned count, unsigned flags)
{
    COUNT;
    const unsigned most = sizeof graph->keepsakes / sizeof *graph->keepsakes;
    if (count != 1 || graph->keepsake_count == most)
        return INVALID_VALUE;
    keepsake->references += !(flags & 1); /* 1: the caller's reference becomes the graph's */
    graph->keepsakes[graph->keepsake_count++] = keepsake;
    return SUCCESS;
}
API cuGraphReleaseUserObject(struct graph *graph, struct keepsake *keepsake, unsigned count)
{
    COUNT;
    for (unsigned i = 0; i < graph->keepsake_count; i++)
        if (graph->keepsakes[i] == keepsake && count == 1) {
            graph->keepsakes[i] = graph->keepsakes[--graph->keepsake_count];
            return cuUserObjectRelease(keepsake, 1);
        }
    return INVALID_VALUE;
}

API cuGraphCreate(struct graph **graph, unsigned flags)
{
    ENTER;
    *graph = calloc(1, sizeof **graph);
    return flags ? INVALID_VALUE : SUCCESS;
}
API cuGraphInstantiate(struct graph **runnable, const struct graph *graph, unsigned long long flags)
{
    ENTER;
    (void)flags;
    *runnable = calloc(1, sizeof **runnable);
    for (const struct task *task = graph->tasks.first; task; task = task->next)
        emu_append(&(*runnable)->tasks, task);
    for (unsigned i = 0; i < graph->keepsake_count; i++)
        cuGraphRetainUserObject(*runnable, graph->keepsakes[i], 1, 0);
    return SUCCESS;
}
API cuGraphInstantiateWithFlags(struct graph **runnable, const struct graph *graph, unsigned long long flags)
{
    return cuGraphInstantiate(runnable, graph, flags);
}
struct instantiation {
    uint64_t flags;
    void *stream, *failed_node;
    int result;
};
API cuGraphInstantiateWithParams(struct graph **runnable, const struct graph *graph, struct instantiation *how)
{
    how->result = cuGraphInstantiate(runnable, graph, how->flags);
    return how->result;
}
API cuGraphUpload(struct graph *runnable, void *stream)
{
    ENTER;
    return runnable && emu_stream(stream) ? SUCCESS : INVALID_HANDLE;
}
API cuGraphLaunch(struct graph *runnable, void *stream)
{
    ENTER;
    int result = SUCCESS;
    for (const struct task *task = runnable->tasks.first; task && !result; task = task->next)
        result = emu_put(stream, task);
    return result;
}
API cuGraphDestroy(struct graph *graph)
{
    COUNT;
    emu_clear(&graph->tasks);
    for (unsigned i = 0; i < graph->keepsake_count; i++)
        cuUserObjectRelease(graph->keepsakes[i], 1);
    free(graph);
    return SUCCESS;
}
API cuGraphExecDestroy(struct graph *runnable)
{
    return cuGraphDestroy(runnable);
}
/* How many tasks a graph has. */
API cuGraphGetNodes(const struct graph *graph, void **nodes, size_t *count)
{
    ENTER;
    if (nodes)
        return INVALID_VALUE;
    *count = graph->tasks.count;
    return SUCCESS;
}

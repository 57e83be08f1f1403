/* Events: marks in streams, which order them. */
#include "driver.h"

#define DISABLE_TIMING 2
#define NON_BLOCKING 1

static unsigned long long tickets;

API cuStreamWaitEvent(void *stream, struct event *event, unsigned flags)
{
    ENTER;
    if (flags > 1)
        return INVALID_VALUE;
    const struct stream *own = emu_stream(stream);
    if (own && own->capture && event->stream) /* what a graph waits for is in it */
        return CAPTURE_ISOLATION;
    const struct task task = {.kind = WAIT, .event = event, .ticket = event->recorded};
    return emu_put(stream, &task);
}

API cuEventCreate(struct event **event, unsigned flags)
{
    ENTER;
    *event = calloc(1, sizeof **event);
    (*event)->flags = flags;
    return SUCCESS;
}
API cuEventDestroy(struct event *event)
{
    COUNT;
    (void)event; /* tasks may still name it */
    return SUCCESS;
}
API cuEventRecord(struct event *event, void *handle)
{
    ENTER;
    struct stream *stream = emu_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    const struct task task = {.kind = RECORD, .event = event, .ticket = ++tickets};
    if (!stream->capture) {
        event->recorded = task.ticket;
        event->stream = stream;
    }
    return emu_put(handle, &task);
}
static void mark(struct event *event, struct stream *stream)
{
    event->recorded = ++tickets;
    event->stream = stream;
    const struct task task = {.kind = RECORD, .event = event, .ticket = event->recorded};
    emu_append(&stream->tasks, &task);
}
/* Behind all that every stream has got, on a stream that is there for nothing else. What is captured is of no use then. */
API cuCtxRecordEvent(void *context, struct event *event)
{
    ENTER;
    if (emu_capturing()) {
        for (struct stream *stream = emu_next_stream(NULL); stream; stream = emu_next_stream(stream))
            stream->invalid = stream->capture;
        return CAPTURE_UNSUPPORTED;
    }
    struct stream *all;
    const int result = cuStreamCreate(&all, NON_BLOCKING);
    for (struct stream *stream = emu_next_stream(NULL); stream; stream = emu_next_stream(stream))
        if (stream != all) {
            struct event *own = calloc(1, sizeof *own);
            mark(own, stream);
            const struct task task = {.kind = WAIT, .event = own, .ticket = own->recorded};
            emu_append(&all->tasks, &task);
        }
    mark(event, all);
    return context ? result : INVALID_CONTEXT;
}
API cuEventQuery(struct event *event)
{
    ENTER;
    return emu_endangers_capture() ? CAPTURE_UNSUPPORTED : event->done < event->recorded ? NOT_READY : SUCCESS;
}
API cuEventSynchronize(struct event *event)
{
    ENTER;
    if (emu_capturing())
        return CAPTURE_UNSUPPORTED;
    return event->stream ? emu_run_stream(event->stream, event) : SUCCESS;
}
API cuEventElapsedTime(float *milliseconds, struct event *start, struct event *end)
{
    ENTER;
    if ((start->flags | end->flags) & DISABLE_TIMING || !start->recorded || !end->recorded)
        return INVALID_HANDLE;
    if (start->done < start->recorded || end->done < end->recorded)
        return NOT_READY;
    *milliseconds = (float)(1e3 * (end->at - start->at));
    return SUCCESS;
}

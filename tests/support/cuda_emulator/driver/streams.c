/* Streams, events and graphs. */
#include "driver.h"
#include <time.h>

enum { DISABLE_TIMING = 2, NON_BLOCKING = 1 };

static struct stream legacy, *streams;
static unsigned long long tickets;

struct stream *bb_stream(void *handle)
{
    if ((uintptr_t)handle <= 2) /* the default one, and its two names */
        return &legacy;
    for (struct stream *stream = streams; stream; stream = stream->next)
        if (stream == handle)
            return stream;
    return NULL;
}

bool bb_capturing(void)
{
    for (struct stream *stream = streams; stream; stream = stream->next)
        if (stream->capture)
            return true;
    return false;
}

void bb_append(struct tasks *tasks, const struct task *task)
{
    struct task *copy = malloc(sizeof *copy);
    *copy = *task;
    copy->next = NULL;
    *(tasks->last ? &tasks->last->next : &tasks->first) = copy;
    tasks->last = copy;
    tasks->count++;
}

void bb_clear(struct tasks *tasks)
{
    while (tasks->first) {
        struct task *next = tasks->first->next;
        free(tasks->first);
        tasks->first = next;
    }
    *tasks = (struct tasks){0};
}

static void run_launch(struct task *task)
{
    char message[1024];
    void *parameters[sizeof task->values / sizeof *task->values];
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        parameters[i] = &task->values[i];
    task->launch.range_count = bb_allocations(&task->launch.ranges);
    const struct function *function = task->function;
    if (function->module->launch(function->kernel->name, &task->launch, parameters, message, sizeof message)) {
        fprintf(stderr, "%s: %s\n", function->kernel->name, message);
        bb_sticky = LAUNCH_FAILED;
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bb_run_task(const struct task *task)
{
    struct task own = *task;
    if (task->kind == LAUNCH)
        run_launch(&own);
    else if (task->kind == COPY)
        memmove(task->to, task->from, task->count);
    else if (task->kind == FILL)
        for (size_t i = 0; i < task->count; i++)
            memcpy((char *)task->to + i * task->bytes, &task->value, task->bytes);
    else if (task->kind == RECORD)
        task->event->done = task->ticket, task->event->at = seconds();
    else if (task->event->done < task->ticket && task->event->stream)
        bb_run_stream(task->event->stream, task->event);
}

int bb_run_stream(struct stream *stream, const struct event *until)
{
    while (stream->tasks.first && !(until && until->done >= until->recorded)) {
        struct task *task = stream->tasks.first;
        stream->tasks.first = task->next;
        if (!task->next)
            stream->tasks.last = NULL;
        stream->tasks.count--;
        if (!bb_sticky)
            bb_run_task(task);
        free(task);
    }
    return bb_sticky;
}

int bb_run_tasks(const struct tasks *tasks)
{
    for (const struct task *task = tasks->first; task && !bb_sticky; task = task->next)
        bb_run_task(task);
    return bb_sticky;
}

int bb_run_all(void)
{
    bb_run_stream(&legacy, NULL);
    for (struct stream *stream = streams; stream; stream = stream->next)
        bb_run_stream(stream, NULL);
    return bb_sticky;
}

int bb_put(void *handle, const struct task *task)
{
    struct stream *stream = bb_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    if (stream->capture) {
        bb_append(stream->capture, task);
        return SUCCESS;
    }
    if (stream == &legacy) { /* comes behind all work of streams that are not on their own, and before what they get */
        for (struct stream *other = streams; other; other = other->next)
            if (other->capture && !other->alone)
                return CAPTURE_UNSUPPORTED;
            else if (!other->alone)
                bb_run_stream(other, NULL);
    } else if (!stream->alone) {
        bb_run_stream(&legacy, NULL);
    }
    bb_append(&stream->tasks, task);
    return SUCCESS;
}

API cuStreamCreateWithPriority(struct stream **stream, unsigned flags, int priority)
{
    ENTER;
    *stream = calloc(1, sizeof **stream);
    **stream = (struct stream){.alone = flags & NON_BLOCKING, .priority = priority, .next = streams};
    streams = *stream;
    return SUCCESS;
}
API cuStreamCreate(struct stream **stream, unsigned flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}
API cuStreamDestroy(struct stream *stream)
{
    COUNT;
    bb_run_stream(stream, NULL); /* what is queued is still done */
    for (struct stream **link = &streams; *link; link = &(*link)->next)
        if (*link == stream) {
            *link = stream->next;
            free(stream);
            return SUCCESS;
        }
    return INVALID_HANDLE;
}
API cuStreamSynchronize(void *handle)
{
    ENTER;
    struct stream *stream = bb_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    return stream->capture ? CAPTURE_UNSUPPORTED : stream == &legacy ? bb_run_all() : bb_run_stream(stream, NULL);
}
API cuStreamQuery(void *handle)
{
    ENTER;
    struct stream *stream = bb_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    return stream->tasks.first ? NOT_READY : SUCCESS;
}
API cuStreamGetFlags(void *handle, unsigned *flags)
{
    ENTER;
    struct stream *stream = bb_stream(handle);
    *flags = stream && stream->alone ? NON_BLOCKING : 0;
    return stream ? SUCCESS : INVALID_HANDLE;
}
API cuStreamGetPriority(void *handle, int *priority)
{
    ENTER;
    struct stream *stream = bb_stream(handle);
    *priority = stream ? stream->priority : 0;
    return stream ? SUCCESS : INVALID_HANDLE;
}
API cuStreamGetCtx(void *handle, void **context)
{
    ENTER;
    return bb_stream(handle) ? cuCtxGetCurrent(context) : INVALID_HANDLE;
}
API cuStreamGetDevice(void *handle, int *device)
{
    ENTER;
    *device = 0;
    return bb_stream(handle) ? SUCCESS : INVALID_HANDLE;
}
API cuStreamWaitEvent(void *stream, struct event *event, unsigned flags)
{
    ENTER;
    if (flags > 1)
        return INVALID_VALUE;
    const struct task task = {.kind = WAIT, .event = event, .ticket = event->recorded};
    return bb_put(stream, &task);
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
    struct stream *stream = bb_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    const struct task task = {.kind = RECORD, .event = event, .ticket = ++tickets};
    if (!stream->capture) {
        event->recorded = task.ticket;
        event->stream = stream;
    }
    return bb_put(handle, &task);
}
API cuEventQuery(struct event *event)
{
    ENTER;
    return event->done < event->recorded ? NOT_READY : SUCCESS;
}
API cuEventSynchronize(struct event *event)
{
    ENTER;
    if (bb_capturing())
        return CAPTURE_UNSUPPORTED;
    return event->stream ? bb_run_stream(event->stream, event) : SUCCESS;
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

/* Streams: queues of tasks. */
#include "driver.h"
#include <time.h>

#define NON_BLOCKING 1

static struct stream legacy, *streams;

struct stream *emu_stream(void *handle)
{
    if ((uintptr_t)handle <= 2) /* the default one, and its two names */
        return &legacy;
    for (struct stream *stream = streams; stream; stream = stream->next)
        if (stream == handle)
            return stream;
    return NULL;
}

struct stream *emu_next_stream(const struct stream *stream)
{
    return !stream ? &legacy : stream == &legacy ? streams : stream->next;
}

bool emu_capturing(void)
{
    for (struct stream *stream = streams; stream; stream = stream->next)
        if (stream->capture)
            return true;
    return false;
}

_Thread_local int emu_capture_mode;

bool emu_endangers_capture(void)
{
    enum { RELAXED = 2 };
    return emu_capture_mode != RELAXED && emu_capturing();
}

bool emu_held_up(void *handle)
{
    for (struct stream *stream = streams; stream; stream = stream->next)
        if (stream->capture && !stream->alone && (uintptr_t)handle <= 2)
            return true;
    return false;
}

void emu_append(struct tasks *tasks, const struct task *task)
{
    struct task *copy = malloc(sizeof *copy);
    *copy = *task;
    copy->next = NULL;
    *(tasks->last ? &tasks->last->next : &tasks->first) = copy;
    tasks->last = copy;
    tasks->count++;
}

void emu_clear(struct tasks *tasks)
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
    task->launch.range_count = emu_allocations(&task->launch.ranges);
    const struct function *function = task->function;
    if (function->module->launch(function->kernel->name, &task->launch, parameters, message, sizeof message)) {
        fprintf(stderr, "%s: %s\n", function->kernel->name, message);
        emu_sticky = LAUNCH_FAILED;
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void emu_run_task(const struct task *task)
{
    struct task own = *task;
    if (task->kind == LAUNCH)
        run_launch(&own);
    else if (task->kind == COPY)
        memmove(task->to, task->from, task->count);
    else if (task->kind == CALL)
        task->call(task->to);
    else if (task->kind == FILL)
        for (size_t i = 0; i < task->count; i++)
            memcpy((char *)task->to + i * task->bytes, &task->value, task->bytes);
    else if (task->kind == RECORD)
        task->event->done = task->ticket, task->event->at = seconds();
    else if (task->event->done < task->ticket && task->event->stream)
        emu_run_stream(task->event->stream, task->event);
}

int emu_run_stream(struct stream *stream, const struct event *until)
{
    while (stream->tasks.first && !(until && until->done >= until->recorded)) {
        struct task *task = stream->tasks.first;
        stream->tasks.first = task->next;
        if (!task->next)
            stream->tasks.last = NULL;
        stream->tasks.count--;
        if (!emu_sticky)
            emu_run_task(task);
        free(task);
    }
    return emu_sticky;
}

int emu_run_tasks(const struct tasks *tasks)
{
    for (const struct task *task = tasks->first; task && !emu_sticky; task = task->next)
        emu_run_task(task);
    return emu_sticky;
}

int emu_run_all(void)
{
    emu_run_stream(&legacy, NULL);
    for (struct stream *stream = streams; stream; stream = stream->next)
        emu_run_stream(stream, NULL);
    return emu_sticky;
}

bool emu_idle(void)
{
    bool found = !legacy.tasks.first;
    for (const struct stream *stream = streams; stream; stream = stream->next)
        found = found && !stream->tasks.first;
    return found;
}

int emu_put(void *handle, const struct task *task)
{
    struct stream *stream = emu_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    if (stream->capture) {
        emu_append(stream->capture, task);
        return SUCCESS;
    }
    if (emu_held_up(handle))
        return CAPTURE_UNSUPPORTED;
    if (stream == &legacy) { /* comes behind all work of streams that are not on their own, and before what they get */
        for (struct stream *other = streams; other; other = other->next)
            if (!other->alone)
                emu_run_stream(other, NULL);
    } else if (!stream->alone) {
        emu_run_stream(&legacy, NULL);
    }
    emu_append(&stream->tasks, task);
    return SUCCESS;
}

API cuLaunchHostFunc(void *stream, void (*call)(void *), void *given)
{
    ENTER;
    const struct task task = {.kind = CALL, .call = call, .to = given};
    return emu_put(stream, &task);
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
    emu_run_stream(stream, NULL); /* what is queued is still done */
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
    struct stream *stream = emu_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    return stream->capture ? CAPTURE_UNSUPPORTED : stream == &legacy ? emu_run_all() : emu_run_stream(stream, NULL);
}
API cuStreamQuery(void *handle)
{
    ENTER;
    struct stream *stream = emu_stream(handle);
    if (!stream)
        return INVALID_HANDLE;
    return emu_capturing() ? CAPTURE_UNSUPPORTED : stream->tasks.first ? NOT_READY : SUCCESS;
}
API cuStreamGetFlags(void *handle, unsigned *flags)
{
    ENTER;
    struct stream *stream = emu_stream(handle);
    *flags = stream && stream->alone ? NON_BLOCKING : 0;
    return stream ? SUCCESS : INVALID_HANDLE;
}
API cuStreamGetPriority(void *handle, int *priority)
{
    ENTER;
    struct stream *stream = emu_stream(handle);
    *priority = stream ? stream->priority : 0;
    return stream ? SUCCESS : INVALID_HANDLE;
}
API cuStreamGetCtx(void *handle, void **context)
{
    ENTER;
    return emu_stream(handle) ? cuCtxGetCurrent(context) : INVALID_HANDLE;
}
API cuStreamGetDevice(void *handle, int *device)
{
    ENTER;
    *device = 0;
    return emu_stream(handle) ? SUCCESS : INVALID_HANDLE;
}

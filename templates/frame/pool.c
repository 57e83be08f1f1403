/* The thread pool of a process that has one. */
void bblas_parallel(void (*part)(const void *arguments, int64_t lo, int64_t hi, int64_t share), const void *arguments,
                    size_t size, int64_t count, int64_t grain, int threads, double nanoseconds) __attribute__((weak));

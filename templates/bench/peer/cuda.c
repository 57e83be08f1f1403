{# What shims of NVIDIA's libraries have in common. #}
enum { N = 0, LEFT = 0, RIGHT = 1, LOWER = 0, UPPER = 1, NOT_UNIT = 0 };
#define ARGUMENTS void *handle, void *const *p, const int *size, int batch

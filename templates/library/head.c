{# What functions of all families are written in. #}
{% for header in headers %}
#include "{{ header }}"
{% endfor %}
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define EXPORT __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden")))

/* The instruction set that was chosen when the library was loaded: a row of every table of kernels. */
extern HIDDEN int {{ prefix }}level;

/* The digit of a letter in a code; -1 where `value` is no letter. */
static inline int digit_of(int value, int first, const signed char *digits, int count)
{
    const int64_t at = (int64_t)value - first;
    return at >= 0 && at < count ? digits[at] : -1;
}

/* The number of a letter, in either case: those of `letters` have `first` and what follows it, others 0. */
static inline int number_of(char letter, int first, const char *letters)
{
    for (int i = 0; letters[i]; i++)
        if (letter == letters[i] || letter == letters[i] + 'a' - 'A')
            return first + i;
    return 0;
}

#include <stddef.h>
#include <stdint.h>
{% if scratch.heap %}
#include <stdlib.h>
{% endif %}
#ifdef _OPENMP
#include <omp.h>
#endif

#include <stddef.h>
#include <stdint.h>
{% if scratch.heap %}
#include <stdlib.h>
{% elif divided %}
#if defined(BB_POOL) || defined(_OPENMP)
#include <stdlib.h>
#endif
{% endif %}
#ifdef _OPENMP
#include <omp.h>
#endif

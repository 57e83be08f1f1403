{# What works in place begins with what it was given: X of matrix p := X0. #}
#include <string.h>
#define COPY(X) memcpy(X + p * STEP_##X, X##0 + p * STEP_##X, sizeof(bb_real) * STEP_##X)

// {{ name }}: overloads for C++17 of the functions in {{ name }}.h, by bblas_gen {{ version }}.
// SPDX-License-Identifier: 0BSD
//
// {{ name }}::gemm_st(...) is {{ prefix }}sgemm_st, {{ prefix }}dgemm_st, {{ prefix }}cgemm_st or {{ prefix }}zgemm_st, by the type of its
// arguments; complex numbers are std::complex, scalars values. Interleaved matrices have the functions in C alone.
#ifndef {{ guard }}
#define {{ guard }}

#include "{{ name }}.h"
#include <complex>

namespace {{ name }} {
{% for section in sections %}

// {{ section.formula }}
{% for f in section.functions %}
{{ f.declaration }}
{
    return {{ f.call }};
}
{% endfor %}
{% endfor %}

} // namespace {{ name }}

#endif

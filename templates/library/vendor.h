/* {{ name }}: functions of vendors' libraries for batches, by bblas_gen {{ version }}.
 * SPDX-License-Identifier: 0BSD
 *
 * Names, types and the order of arguments are those of the headers of the Intel oneAPI Math Kernel Library and of
 * OpenBLAS, so that programs written for them link with this library, and prebuilt ones use it where it is named in
 * LD_PRELOAD. Letters and the memory order are numbers of the CBLAS, of the size of an enum. Sizes, counts, leading
 * dimensions, increments and strides are int, or int64_t in functions that end in _64; scalars and matrices of complex
 * numbers are void *.
 *
 * cblas_?NAME_batch does groups of matrices that have flags, sizes, scalars and leading dimensions in common, an
 * element of each array for a group; its pointers follow one another over all groups. cblas_?NAME_batch_strided does
 * one batch.
 *
 * Names that end in an underscore are the same functions as Fortran calls them: every argument is an address, flags are
 * letters, matrices are column-major. Lengths of strings may follow, and are not looked at.
 *
 * Where an argument is at fault nothing is computed, and standard error has a line with its position. A vector whose
 * increment is negative begins at its last element.
 */
#ifndef {{ guard }}
#define {{ guard }}

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
{% include "library/sections.h" %}

/* copy: Y := X */
{% for declaration in copies %}
{{ declaration }}
{% endfor %}
{% include "library/end.h" %}

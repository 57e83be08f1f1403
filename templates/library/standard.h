/* {{ name }}: the functions of the Batched BLAS standard, by bblas_gen {{ version }}.
 * SPDX-License-Identifier: 0BSD
 *
 * layout, trans, uplo, diag and side are numbers of the CBLAS. blas_?NAME_batch does groups of matrices that have
 * flags, sizes, scalars and leading dimensions in common, an element of each array for a group; its pointers follow one
 * another over all groups. blas_?NAME_batchf does one group.
 *
 * On entry info[0] says what is to be reported:
 *   0  all: on exit info[1 + i] is that of matrix i, so info has a number more than there are matrices;
 *   1  groups: on exit info[1 + g] is that of group g, so info has a number more than there are groups;
 *   2  any: info has one number;
 *   3  none: info has one number, which stays.
 * On exit info[0] is the first that is not 0: 0 where all is done, or
 *  -1  group_count is negative, and nothing is done;
 *  -2  the size of a group is negative, and nothing is done;
 *  -3  info[0] was none of the above, and nothing is done;
 *  -4  there was no memory for scratch, and some matrices are not done;
 *   i  argument i is at fault, counted from layout = 1 over flags, sizes and leading dimensions alone: of gemm
 *      2 transa, 3 transb, 4 m, 5 n, 6 k, 7 lda, 8 ldb, 9 ldc. A group at fault stays as it is, others are done.
 * Leading dimensions are checked for the memory order that layout names, also where a group has nothing to compute; of
 * a group without matrices nothing is checked. Nothing is printed.
 *
 * Where the reference implementation does otherwise, this is the specification: the reference takes the matrices of
 * later groups from wrong places once a group was left out, replaces leading dimensions, checks those of row-major
 * matrices as if they were column-major, forgets errors of all groups but the last in mode 2, leaves 1 in info[0] in
 * mode 1, and changes it in mode 3.
 */
#ifndef {{ guard }}
#define {{ guard }}
{% if complex_types %}

#ifdef __cplusplus
#include <complex>
{% for type, real in complex_types %}
typedef std::complex<{{ real }}> {{ type }};
{% endfor %}
#else
{% for type, real in complex_types %}
typedef {{ real }} _Complex {{ type }};
{% endfor %}
#endif
{% endif %}

#ifdef __cplusplus
extern "C" {
#endif
{% include "library/sections.h" %}
{% include "library/end.h" %}

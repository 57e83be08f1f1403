/* {{ name }}: compact functions, of matrices that are interleaved in blocks, by bblas_gen {{ version }}.
 * SPDX-License-Identifier: 0BSD
 *
 * The order of arguments is that of mkl_compact.h of the Intel oneAPI Math Kernel Library. layout, trans, uplo, diag
 * and side are numbers of the CBLAS. Sizes and leading dimensions count elements of one matrix, nm is the number of
 * matrices. Scalars of complex matrices are pointers to two real numbers.
 *
 * There is one format, {{ block_format }}: get_format returns it on every machine, others are refused.
 * Matrices are interleaved in blocks of 64 bytes of real numbers, 8 of double and 16 of float; each element of a block
 * has the numbers of all its matrices, if complex their real parts, then their imaginary ones. These are the bytes of
 * the vendor's format of this number, and those of FAMILY_bi where leading dimensions are the number of rows.
 * get_size: bytes of nm matrices, ld being the leading dimension and sd the other side. gepack, geunpack: to compact
 * storage and from it. What is missing in the last block is filled up with identities.
 *
 * Kernels that were made for a size work where leading dimensions are as small as can be, but not on row-major matrices
 * of LU; those for all sizes do the others. The last block is stored whole. info[0] to info[nm - 1] are 0 or LAPACK's
 * number of the first minor that is not positive (?potrf_compact), or of the first pivot that is zero (?getrfnp_compact,
 * ?getrinp_compact); other matrices are not affected by it. ?getrfnp_compact goes on beyond such a pivot, and
 * ?getrinp_compact leaves the matrix as it is. It needs no workspace: with lwork -1 it sets work[0] to the numbers that
 * the vendor's wants, and does nothing else.
 *
 * Functions with our prefix return 0, or -i where argument i is at fault: nothing is written then; or 1 where there is
 * no memory to work in, and some matrices are not done. ?get_size_compact returns -i in the place of bytes.
{% if of_vendor %}
 *
 * Functions that begin with mkl_ are the same for programs that exist, with int, or with int64_t where the name ends in
 * _64. They return nothing: standard error has a line with the position of an argument at fault. info is one number
 * here, as the vendor writes one: that of the first matrix of which it is not 0, or -i.
{% endif %}
 */
#ifndef {{ guard }}
#define {{ guard }}

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int {{ prefix }}get_format_compact(void);
{% for declaration in packings %}
{{ declaration }}
{% endfor %}
{% if of_vendor %}

int mkl_get_format_compact(void);
{% for declaration in of_vendor %}
{{ declaration }}
{% endfor %}
{% endif %}
{% include "library/sections.h" %}
{% include "library/end.h" %}

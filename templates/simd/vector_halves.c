{# Vectors from two halves and back, from memory and to it: on x86 by instructions that leave the one port of shuffles
   alone, where gcc loads first and shuffles then. Clang 19 takes mask registers for halves of 512 bits. #}
static BB_INLINE void bb_join(bb_vec *x, const bb_real *low, const bb_real *high)
{
#if defined({{ halves.macro }}) && !defined(__clang__)
    __asm__("vmovups %1, {{ halves.half[0] }}\n\tvinsert{{ halves.suffix }} $1, %2, {{ halves.whole[0] }}, {{ halves.whole[0] }}"
            : "={{ halves.letter }}"(*x) : "m"(*(const bb_mem{{ halves.reals }} *)low), "m"(*(const bb_mem{{ halves.reals }} *)high));
#else
    ((bb_mem{{ halves.reals }} *)x)[0] = *(const bb_mem{{ halves.reals }} *)low;
    ((bb_mem{{ halves.reals }} *)x)[1] = *(const bb_mem{{ halves.reals }} *)high;
#endif
}

static BB_INLINE void bb_low(bb_real *p, const bb_vec *x)
{
#if defined({{ halves.macro }}) && !defined(__clang__)
    __asm__("vmovups {{ halves.half[1] }}, %0"
            : "=m"(*(bb_mem{{ halves.reals }} *)p) : "{{ halves.letter }}"(*x));
#else
    *(bb_mem{{ halves.reals }} *)p = ((const bb_mem{{ halves.reals }} *)x)[0];
#endif
}

static BB_INLINE void bb_high(bb_real *p, const bb_vec *x)
{
#if defined({{ halves.macro }}) && !defined(__clang__)
    __asm__("vextract{{ halves.suffix }} $1, {{ halves.whole[1] }}, %0"
            : "=m"(*(bb_mem{{ halves.reals }} *)p) : "{{ halves.letter }}"(*x));
#else
    *(bb_mem{{ halves.reals }} *)p = ((const bb_mem{{ halves.reals }} *)x)[1];
#endif
}


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

{% for suffix, store in (("", "vmovups"), ("_past", "vmovntps"))[: 2 if streamed else 1] %}
{% if suffix %}
/* The same past the caches, to multiples of their bytes, and the wait until others can see it. */
#if defined({{ halves.macro }}) && !defined(__clang__)
#define BB_STREAMED __asm__ volatile("sfence" ::: "memory")
#else
#define BB_STREAMED
#endif
{% endif %}
static BB_INLINE void bb_low{{ suffix }}(bb_real *p, const bb_vec *x)
{
#if defined({{ halves.macro }}) && !defined(__clang__)
    __asm__("{{ store }} {{ halves.half[1] }}, %0"
            : "=m"(*(bb_mem{{ halves.reals }} *)p) : "{{ halves.letter }}"(*x));
#else
    *(bb_mem{{ halves.reals }} *)p = ((const bb_mem{{ halves.reals }} *)x)[0];
#endif
}

static BB_INLINE void bb_high{{ suffix }}(bb_real *p, const bb_vec *x)
{
#if defined({{ halves.macro }}) && !defined(__clang__)
{% if suffix %}
    bb_vec high;
    __asm__("vextract{{ halves.suffix }} $1, {{ halves.whole[2] }}, {{ halves.half[1] }}\n\t"
            "{{ store }} {{ halves.half[1] }}, %0"
            : "=m"(*(bb_mem{{ halves.reals }} *)p), "={{ halves.letter }}"(high) : "{{ halves.letter }}"(*x));
{% else %}
    __asm__("vextract{{ halves.suffix }} $1, {{ halves.whole[1] }}, %0"
            : "=m"(*(bb_mem{{ halves.reals }} *)p) : "{{ halves.letter }}"(*x));
{% endif %}
#else
    *(bb_mem{{ halves.reals }} *)p = ((const bb_mem{{ halves.reals }} *)x)[1];
#endif
}

{% endfor %}

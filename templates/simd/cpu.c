/* Verbs: one vector of {{ width }} real(s) on a CPU, in the vector language of gcc and clang. */
#define BB_INLINE inline __attribute__((always_inline))
#define BB_NOINLINE __attribute__((noinline))
/* A pointer to a vector that stays one: clang 14 hands the vector over instead, and may do so in other registers than the
   callee takes it from. */
#ifdef __clang__
#define BB_OPAQUE(p) __asm__("" : "+r"(p))
#else
#define BB_OPAQUE(p)
#endif
#define BB_ALIGNED __attribute__((aligned(64)))
#define BB_RESTRICT __restrict__
#define BB_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define BB_UNROLL(times) BB_PRAGMA(unroll times)
#else
#define BB_UNROLL(times) BB_PRAGMA(GCC unroll times)
#endif

typedef {{ storage.name }} bb_real;
{% for w in widths %}
{% if w == 1 %}
typedef bb_real bb_vec1, bb_mem1;
{% else %}
typedef bb_real bb_vec{{ w }} __attribute__((vector_size({{ w * compute.bytes }})));
typedef bb_real bb_mem{{ w }} __attribute__((vector_size({{ w * compute.bytes }}), aligned({{ compute.bytes }}), may_alias));
{% endif %}
{% endfor %}
typedef bb_vec{{ width }} bb_vec;
typedef bb_mem{{ width }} bb_mem;
#define BB_ZEROS ((bb_vec){{ "0" if width == 1 else "{0}" }})
{% if shuffles %}

#if defined(__clang__) || __GNUC__ >= 12
#define BB_SHUFFLE(mask, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define BB_SHUFFLE(mask, x, y, ...) __builtin_shuffle(x, y, (mask){__VA_ARGS__})
{% for w in widths if w > 1 %}
{% set integer = "long long" if compute.bytes == 8 else "int" %}
typedef {{ integer }} bb_mask{{ w }} __attribute__((vector_size({{ w * compute.bytes }})));
{% endfor %}
#endif
{% endif %}
{% if ahead or bursts or coming %}
{% if lanes %}
/* Into the level-2 cache: a block of matrices would drive its predecessor out of the first. */
#define BB_PREFETCH(p, write) __builtin_prefetch(p, 0, 2)
{% else %}
#define BB_PREFETCH(p, write) __builtin_prefetch(p, write)
{% endif %}
{% endif %}
{% if unknown and not lanes %}
/* Into the level-2 cache. */
#define BB_FETCH_FAR(p) __builtin_prefetch(p, 0, 2)
{% endif %}
/* A compiler no longer knows the number, or it would make code for each of its values. */
#define BB_UNKNOWN(x) __asm__ volatile("" : "+r"(x))
#define BB_FORGET __asm__ volatile("" ::: "memory")

{# Numbers as IEEE 754 stores them. #}
{% if width > 1 %}
typedef u{{ compute.integer }} bb_bits __attribute__((vector_size({{ width * compute.bytes }})));
#define BB_BITS(bits, x) const bb_bits bits = (bb_bits)(x)
#define BB_OF_BITS(x, bits) (x) = (bb_vec)(bits)
{% else %}
typedef u{{ compute.integer }} bb_bits;
typedef union {
    bb_real real;
    bb_bits bits;
} bb_both;
static BB_INLINE bb_bits bb_bits_of(const bb_real x)
{
    bb_both both;
    both.real = x;
    return both.bits;
}

static BB_INLINE bb_real bb_of_bits(const bb_bits x)
{
    bb_both both;
    both.bits = x;
    return both.real;
}

#define BB_BITS(bits, x) const bb_bits bits = bb_bits_of(x)
#define BB_OF_BITS(x, bits) (x) = bb_of_bits(bits)
{% endif %}

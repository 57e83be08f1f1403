{# Columns of op(A) that are contiguous, of a matrix that a cache holds: all sums of some vectors of rows stay in
   registers while all columns pass by. #}
{% macro held() %}
{% for vectors, reals in stream.held %}
/* {{ reals }} reals of rows; elements of x are side by side. */
static BB_NOINLINE void bb_held{{ vectors }}(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t n,
                                             bb_real *const found{{ ", bb_real *const other" if complex }})
{
{% for v in range(vectors) %}
{% for s in stream.slots %}
    bb_vec s{{ s }}_{{ v }} = BB_ZEROS;
{% endfor %}
{% endfor %}
    int64_t j = 0;
    for (; j + {{ stream.apart }} <= n; j += {{ stream.apart }}, a += {{ stream.apart }} * cs, x += {{ stream.line }}) {
{% for s in stream.slots %}
{% for v in range(vectors) %}
        s{{ s }}_{{ v }} += *(const bb_mem *)(a + {{ s // parts }} * cs + {{ v * width }}) * x[{{ s }}];
{% endfor %}
{% endfor %}
    }
    if (j < n) {
{% for s in stream.slots %}
        if (j + {{ s // parts }} < n) {
{% for v in range(vectors) %}
            s{{ s }}_{{ v }} += *(const bb_mem *)(a + {{ s // parts }} * cs + {{ v * width }}) * x[{{ s }}];
{% endfor %}
        }
{% endfor %}
    }
{% for v in range(vectors) %}
{% for low, high in stream.added_slots %}
    s{{ low }}_{{ v }} += s{{ high }}_{{ v }};
{% endfor %}
    *(bb_mem *)(found + {{ v * width }}) = s0_{{ v }};
{% if complex %}
    *(bb_mem *)(other + {{ v * width }}) = s1_{{ v }};
{% endif %}
{% endfor %}
}

{% endfor %}
/* The last vectors overlap others. */
static BB_NOINLINE void bb_all_held(const bb_real *a, const int64_t cs, const bb_real *x, const int64_t reals,
                                    const int64_t n, bb_real *const found{{ ", bb_real *const other" if complex }})
{
    int64_t i = 0;
{% for vectors, step in stream.held %}
    for (; i + {{ step }} <= reals; i += {{ step }})
        bb_held{{ vectors }}(a + i, cs, x, n, found + i{{ ", other + i" if complex }});
{% endfor %}
    if (i < reals) {
        i = reals - {{ width }};
        bb_held1(a + i, cs, x, n, found + i{{ ", other + i" if complex }});
    }
}

{% endmacro %}

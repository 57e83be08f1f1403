{# Reflections make A tridiagonal, implicit QL makes it diagonal. Vectors are made of the reflections in the place of A;
   without them all is done to a copy of its triangle. Some vectors of matrices are done abreast: what one waits for in
   a column of reflections, or in a rotation, is time for another. #}
{% from "tile/eigen.c" import each, get, own, put, value with context %}
{% from "tile/implicit_ql.c" import find, step, turned with context %}
{% from "tile/reflections_product.c" import accumulate with context %}
{% from "tile/sort.c" import sort with context %}
{% from "tile/tridiagonal.c" import reduce, scale with context %}
{% set most_steps = 30 %}
{% macro decompose(A, low, W) %}
{% set n = body.size.n %}
{# Where vectors are made: contiguous ones, which are transposed at the end where A has them in rows. #}
{% set V = A if A.unit_rows else A.transposed() %}
{% set t, T, apart = ("A", V, body.apart.A) if body.vectors else ("copy", local(n), local(n).at(0, n)) %}
{% set pointer = "bb_real *" if body.vectors else body.pointer("bb_real") %}
{% for name in scratch.of(body.number) %}
    {{ body.array(name, "BB_ALIGNED" if width > 1 else "") }}
{% endfor %}
{% if body.vectors %}
    {{ body.pointer("bb_vec") }}const tangent = {{ body.reals("tangents") }};
    {{ body.pointer("bb_vec") }}const sine = {{ body.reals("sines") }};
    int64_t top = 0, bottom = 0; /* the columns that the first of two steps turns */
{% endif %}
    bb_elem zero, one;
    bb_vec ups[{{ body.abreast }}]{{ ", wholes[" ~ body.abreast ~ "]" if body.vectors }};
    BB_ZERO(zero);
    one = zero;
    BB_SET_REAL(one, BB_ZEROS + 1);
{% if body.abreast > 1 %}
    for (int64_t i = 0; i < {{ body.slot(n, 0) }}; i++) /* where no matrices are */
        d[i] = e[i] = zero;
{% endif %}
{% call each() %}
{{ own(t, apart, pointer=pointer) }}
        bb_vec largest = BB_ZEROS, lack = BB_ZEROS, down, up;
{{ scale(low, T, n) }}
        ups[q] = up;
{% if body.vectors %}
        wholes[q] = whole;
{% endif %}
{% endcall %}
    for (int64_t k = 0; k < {{ (n, -1) | index }}; k++) {
{% call each() %}
{{ own(t, apart, pointer=pointer) }}
{{ reduce(T, n) }}
{% endcall %}
    }
{% call each() %}
{{ own(t, apart, pointer=pointer) }}
        bb_elem x;
        {{ get("x", "own", T, (n, -1), (n, -1)) }}
        BB_RE(d[{{ body.slot((n, -1), "q") }}]) = BB_RE(x);
        BB_RE(e[{{ body.slot((n, -1), "q") }}]) = BB_ZEROS;
{% if body.vectors %}
{{ accumulate(V, n) }}
{% endif %}
{% endcall %}
    int64_t from = 0;
    for (int64_t steps = 0;; steps++) {
{{ find(n) }}
        const int last = steps == {{ most_steps }} * {{ n }}, done = begin < 0 || last;
        if (last) { /* what is left is counted */
{% call each() %}
            for (int64_t i = 0; i < {{ (n, -1) | index }}; i++)
                BB_COUNT(info[q], BB_RE(e[{{ body.slot("i", "q") }}]) != 0);
{% endcall %}
        }
        if (done{{ " && steps % 2 == 0" if body.vectors }})
            break;
{% if body.vectors %}
        const int64_t kept = steps % 2 * {{ body.slot(n, 0) }};
        if (!done) {
            from = begin;
{{ step() }}
        }
{{ turned(V, n) }}
        if (done)
            break;
{% else %}
        from = begin;
{{ step() }}
{% endif %}
    }
{% call each() %}
{% if body.vectors %}
{{ own("A", apart) }}
{% endif %}
        const bb_vec up = ups[q];
{{ sort(V, n) }}
        for (int64_t i = 0; i < {{ n }}; i++) {
{{ value(W, "i", "BB_RE(d[" ~ body.slot("i", "q") ~ "])", "W + q * " ~ body.apart.W if body.abreast > 1 else "W") }}
        }
{% if body.vectors %}
        const bb_vec whole = wholes[q];
        for (int64_t j = 0; j < {{ n }}; j++)
            for (int64_t i = 0; i <= j; i++) {
                bb_elem x, y;
                {{ get("x", "own", V, "i", "j") }}
                {{ get("y", "own", V, "j", "i") }}
                BB_SCALED(x, whole);
                BB_SCALED(y, whole);
                {{ put("x", "own", A, "i", "j") }}
                {{ put("y", "own", A, "j", "i") }}
            }
{% endif %}
{% endcall %}
{% endmacro %}

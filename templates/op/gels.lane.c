{# Least squares by QR of op(A), where that has no fewer rows than columns, else by QR of its transpose. The reflections
   are done to some right-hand sides at a time, in a panel, so that B of a matrix that is not of full rank stays. #}
{% from "tile/annihilate.c" import annihilate with context %}
{% from "tile/reflection.c" import reflect with context %}
{% from "tile/shared_work.c" import first_lane, meet, own with context %}
{% set A, B = body.views %}
{% set m, n, nrhs = body.size.m, body.size.n, body.size.nrhs %}
{% set P, TAU = local(body.panel).transposed(), local(1) %}
{# The conjugate of op(A), or its adjoint, has the factors of what is stored, conjugated. #}
{% set S = A.conjugated() if A.conj else A %}
{# The triangle R, or its transpose, solved `to` the end of it: each x is divided by, and taken from those behind it. #}
{% macro solved(R, i, to) %}
                bb_elem diagonal;
                BB_GET(diagonal, A + {{ R.at(i, i) }}, {{ R.im }});
                {{ own("c", 0, "across") }} {
                    bb_elem x;
                    BB_GET(x, panel + {{ P.at(i, "c") }}, {{ P.im }});
                    BB_DIVIDE_REAL(x, BB_RE(diagonal));
                    BB_PUT(panel + {{ P.at(i, "c") }}, {{ P.im }}, x);
                    {{ to }} {
                        bb_elem y, factor;
                        BB_GET(y, panel + {{ P.at("r", "c") }}, {{ P.im }});
                        BB_GET(factor, A + {{ R.at("r", i) }}, {{ R.im }});
                        BB_FMS(y, factor, x, {{ A.conj | int }}, 0);
                        BB_PUT(panel + {{ P.at("r", "c") }}, {{ P.im }}, y);
                    }
                }
{% endmacro %}
{% macro fitted(V, rows, cols, over) %}
{% set H = V.conjugated() if A.conj == over else V %}
    for (int64_t p = 0; p < {{ cols }}; p++) {
{{ annihilate("A", V, "p", rows) }}
        {{ first_lane() }}
        BB_PUT(taus + {{ TAU.at("p", 0) }}, {{ TAU.im }}, tau);
{{ reflect("A", V, "A", V, "p", rows, ("p", 1), cols, "tau", true) }}
        {{ meet() }}
    }
    for (int64_t i = 0; i < {{ cols }}; i++) {
        bb_elem x;
        BB_GET(x, A + {{ V.at("i", "i") }}, {{ V.im }});
        BB_REPORT_ZERO(x, *info, (bb_int)(i + 1));
    }
    BB_REGULAR(regular, *info);
    for (int64_t j = 0; j < {{ nrhs }}; j += {{ body.panel }}) {
        const int64_t across = {{ nrhs }} - j < {{ body.panel }} ? {{ nrhs }} - j : {{ body.panel }};
        {{ own("c", 0, "across") }}
            for (int64_t i = 0; i < {{ rows }}; i++) {
                bb_elem x;
                BB_ZERO(x);
{% if not over %}
                if (i < {{ cols }})
{% endif %}
                BB_GET(x, B + {{ B.at("i", "(j + c)") }}, {{ B.im }});
                BB_PUT(panel + {{ P.at("i", "c") }}, {{ P.im }}, x);
            }
{% if not over %}
            for (int64_t i = 0; i < {{ cols }}; i++) {
{{ solved(V.transposed(), "i", "for (int64_t r = i + 1; r < " ~ cols ~ "; r++)") }}
            }
{% endif %}
{% if over %}
        for (int64_t p = 0; p < {{ cols }}; p++)
{%- else %}
        for (int64_t p = {{ (cols, -1) | index }}; p >= 0; p--)
{%- endif %} {
                bb_elem tau;
                BB_GET(tau, taus + {{ TAU.at("p", 0) }}, {{ TAU.im }});
{{ reflect("A", H, "panel", P, "p", rows, 0, "across", "tau", not A.conj) }}
            }
{% if over %}
            for (int64_t i = {{ (cols, -1) | index }}; i >= 0; i--) {
{{ solved(V, "i", "for (int64_t r = 0; r < i; r++)") }}
            }
{% endif %}
        {{ own("c", 0, "across") }}
            for (int64_t i = 0; i < {{ rows }}; i++) {
                bb_elem x, found;
                BB_GET(x, B + {{ B.at("i", "(j + c)") }}, {{ B.im }});
                BB_GET(found, panel + {{ P.at("i", "c") }}, {{ P.im }});
                BB_TAKE_ELEM(x, regular, found);
                BB_PUT(B + {{ B.at("i", "(j + c)") }}, {{ B.im }}, x);
            }
    }
{% endmacro %}
static BB_INLINE void {{ body.name }}({{ body.parameters }})
{
    bb_mask regular;
    {{ body.array("taus", "BB_ALIGNED" if width > 1 else "") }}
    {{ body.array("panel", "BB_ALIGNED" if width > 1 else "") }}
{% if m is integer and n is integer %}
{{ fitted(S, m, n, true) if m >= n else fitted(S.transposed(), n, m, false) }}
{% else %}
    if ({{ m }} >= {{ n }}) {
{{ fitted(S, m, n, true) }}
    } else {
{{ fitted(S.transposed(), n, m, false) }}
    }
{% endif %}
}

{# Which rows of bidiagonal matrices a step of implicit QR goes through, each lane its own. #}
{% from "tile/singular_chase.c" import shift with context %}
{# Rows without a zero beside the diagonal are a block. Behind a step elements that are as good as zero become zero; of
   each lane the last block is found, rows `first` to `last` as reals, and whether a value of it is as good as zero, so
   that it is `poor`. `start` is where the block begins that element k - 1 is in. #}
{% macro look(q) %}
            {
                const bb_vec x = BB_ABS(s{{ q }}[k - 1]), y = BB_ABS(s{{ q }}[k]), z = BB_ABS(e{{ q }}[k - 1]);
                bb_vec limit = (x + y) * BB_UNIT;
                BB_MAX(limit, small{{ q }});
                const bb_ints counts = z > limit;
                e{{ q }}[k - 1] = BB_SELECT(counts, e{{ q }}[k - 1], zeros);
                lacks{{ q }} = (lacks{{ q }} | (x <= small{{ q }})) & counts;
                poor{{ q }} = (poor{{ q }} & (counts == 0)) | lacks{{ q }};
                first{{ q }} = BB_SELECT(counts, start{{ q }}, first{{ q }});
                last{{ q }} = BB_SELECT(counts, zeros + (bb_real)k, last{{ q }});
                start{{ q }} = BB_SELECT(counts, start{{ q }}, zeros + (bb_real)k);
            }
{% endmacro %}
{# What lies at the ends of a block. #}
{% macro last_of(q) %}
            const bb_ints here{{ q }} = high{{ q }} == (bb_real)row;
            const bb_ints left{{ q }} = (high{{ q }} < (bb_real)row) & (high{{ q }} > 0);
            end{{ q }} = BB_SELECT(here{{ q }}, s{{ q }}[row], end{{ q }});
            beside{{ q }} = BB_SELECT(here{{ q }}, s{{ q }}[row - 1], beside{{ q }});
            over{{ q }} = BB_SELECT(here{{ q }}, e{{ q }}[row - 1], over{{ q }});
            if (row > 1)
                above{{ q }} = BB_SELECT(here{{ q }}, e{{ q }}[row - 2], above{{ q }});
{% endmacro %}
{% macro first_of(q) %}
        bb_vec head{{ q }} = s{{ q }}[0], next{{ q }} = e{{ q }}[0];
        const bb_ints later{{ q }} = low{{ q }} > 0;
        for (int64_t k = 1; k < top && BB_HOLDS(later{{ q }}); k++) {
            const bb_ints here = low{{ q }} == (bb_real)k;
            head{{ q }} = BB_SELECT(here, s{{ q }}[k], head{{ q }});
            next{{ q }} = BB_SELECT(here, e{{ q }}[k], next{{ q }});
        }
{% endmacro %}
{# Of all vectors, `top` is the last row of the last block. #}
{% macro ends() %}
{% for q in range(body.abreast) %}
        bb_vec end{{ q }} = zeros, beside{{ q }} = zeros, over{{ q }} = zeros, above{{ q }} = zeros;
{% endfor %}
        int64_t row = top;
        top = 0;
        for (; row > 0; row--) {
{% for q in range(body.abreast) %}
{{ last_of(q) }}
{% endfor %}
            const bb_ints here = {% for q in range(body.abreast) %}here{{ q }}{{ " | " if not loop.last }}{% endfor %};
            const bb_ints left = {% for q in range(body.abreast) %}left{{ q }}{{ " | " if not loop.last }}{% endfor %};
            if (!top && BB_HOLDS(here))
                top = row;
            if (!BB_HOLDS(left))
                break;
        }
{% endmacro %}
{% macro shifts() %}
{% for q in range(body.abreast) %}
{{ first_of(q) }}
{{ shift(q) }}
{% endfor %}
{% endmacro %}
{% macro blocks() %}
{% for q in range(body.abreast) %}
        low{{ q }} = first{{ q }};
        high{{ q }} = last{{ q }};
{% endfor %}
{{ ends() }}
{% endmacro %}

{# Exchanges of rows, each lane its own: int32 numbers of rows, one for each lane, follow one another. #}
{% import "tile/register_tile.c" as t with context %}
{% macro lanes(numbers) %}{{ numbers }}[lane]{% endmacro %}
{% macro lane(a, A, i, j, part) %}{{ a }}[{{ A.at(i, j) }} + lane{{ " + " ~ A.im if part }}]{% endmacro %}
{% macro there(X) %}row[r * {{ width }} + lane] * {{ X.rows }} + j{{ " * 2" if parts == 2 }}{% endmacro %}
{% macro in_row(X) %}r * {{ X.rows }} + j{{ " * 2" if parts == 2 }}{% endmacro %}
{% macro every() %}for (int lane = 0; lane < {{ lanes_filled }}; lane++){% endmacro %}
{# Whether the rows of a column are so far apart, a constant, that an int32 counts the reals between them. #}
{% macro near(A) %}{{ 1 if width > 1 and A.rs is integer and A.factor is integer }}{% endmacro %}
{# Row `at` of column `col` exchanged with that of `numbers`: `trusted` ones, or counted from `first`, and what is no
   row is left alone. #}
{% macro exchange(A, rows, at, col, numbers, first=0, trusted=false) %}
{% if near(A) and scatters %}
                {{ "if (full) " if partial }}{
                    bb_elem x, y;
                    bb_index index;
                    BB_GET(x, A + {{ A.at(at, col) }}, {{ A.im }});
{% if trusted %}
                    BB_INDEX(index, {{ numbers }}, {{ A.rs * A.factor }});
{% else %}
                    BB_ROW_INDEX(index, {{ numbers }}, {{ first }}, {{ A.rs * A.factor }}, {{ rows }}, {{ at }});
{% endif %}
                    BB_GATHER_ELEM(y, A + {{ A.at(0, col) }}, {{ A.im }}, index);
                    BB_SCATTER_ELEM(A + {{ A.at(0, col) }}, {{ A.im }}, index, x);
                    BB_PUT(A + {{ A.at(at, col) }}, {{ A.im }}, y);
                }{{ " else" if partial }}
{% endif %}
{% if not (near(A) and scatters) or partial %}
            {{ every() }} {
                const int32_t number = {{ lanes(numbers) }} - {{ first }};
                const int64_t other = (uint32_t)number < {{ rows }} ? number : {{ at }};
{% for part in range(parts) %}
                const bb_real moved{{ part }} = {{ lane("A", A, at, col, part) }};
                {{ lane("A", A, at, col, part) }} = {{ lane("A", A, "other", col, part) }};
                {{ lane("A", A, "other", col, part) }} = moved{{ part }};
{% endfor %}
            }
{% endif %}
{% endmacro %}
{# The tile of columns j.. of a source, its rows those that `row` says of i.., by way of `to` where lanes are fetched
   one by one, or whole rows of theirs. #}
{% macro fetch(source, to, P, rows, cols) %}
{% set X = source.view %}
{% set gathered = near(X) and not source.rows %}
{% for c in range(cols) %}
            bb_elem {{ t.names("c" ~ c ~ "_", rows) }};
{% endfor %}
{% if gathered %}
            {{ "if (full) " if partial }}{
{% for r in range(rows) %}
                bb_index index{{ r }};
                BB_INDEX(index{{ r }}, row + (i + {{ r }}) * {{ width }}, {{ X.rs * X.factor }});
{% for c in range(cols) %}
                BB_GATHER_ELEM(c{{ c }}_{{ r }}, {{ source.name }} + {{ X.at(0, ("j", c)) }}, {{ X.im }}, index{{ r }});
{% endfor %}
{% endfor %}
            }
{% endif %}
{% if not gathered or partial %}
            {{ "else " if gathered }}{
{% if source.rows %}
                for (int64_t r = i; r < i + {{ rows }}; r++) {
                    const bb_real *from[{{ width }}];
                    for (int lane = 0; lane < {{ width }}; lane++)
                        from[lane] = {{ source.name }}[lane] + {{ there(source) }};
{% if source.ahead %}
                    if ({{ source.ahead }} && j % {{ 64 // storage.bytes // parts }} == 0)
                        bb_coming({{ source.name }}, {{ source.ahead }} + {{ in_row(source) }});
{% endif %}
{% for chunk in source.chunks[cols] %}
{% for start in chunk.starts %}
                    bb_pack{{ chunk.width }}(from, {{ start }}, {{ to }} + {{ P.at("r", 0) }} + {{ start * width }});
{% endfor %}
{% endfor %}
                }
{% else %}
                for (int64_t r = i; r < i + {{ rows }}; r++)
                    {{ every() }} {
                        const int64_t other = row[r * {{ width }} + lane];
{% for c in range(cols) %}
{% for part in range(parts) %}
                        {{ lane(to, P, "r", c, part) }} = {{ lane(source.name, X, "other", ("j", c), part) }};
{% endfor %}
{% endfor %}
                    }
{% endif %}
{% for c in range(cols) %}
{% for r in range(rows) %}
                BB_GET(c{{ c }}_{{ r }}, {{ to }} + {{ P.at(("i", r), c) }}, {{ P.im }});
{% endfor %}
{% endfor %}
            }
{% endif %}
{% endmacro %}

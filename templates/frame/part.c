{# A part of the batch: the kind of each scalar, then whole vectors of matrices, then a partly filled one. Where
   functions need scratch one runs after the other, not in it. #}
{% set given, work = ", const int64_t share" if distant, ", work" if scratch.heap %}
{% set C, past = operands[-1].name, schedule.nontemporal_bytes %}
{% macro here() %}share{{ " / g->slices" if pieces }} * {{ bytes }}{% endmacro %}
{% set taken = ", char *const work" if scratch.heap %}
{% if apart %}
static BB_NOINLINE void bb_whole(const bb_args *shared, const int64_t lo, const int64_t end{{ given }}{{ taken }})
{% else %}
static void bb_part(const bb_args *shared, const int64_t lo, const int64_t hi{{ given }})
{% endif %}
{
    const bb_args own = *shared, *const g = &own; /* in registers: stores of reals cannot change it */
{% if not apart %}
    const int64_t end = {{ whole_end }};
{% endif %}
{% if distant and not by_distance %}
{% if not streamed %}
    const int far = {{ here() }} > {{ far }}; /* from beyond a level-2 cache */
{% else %}
    const int64_t bytes = {{ here() }};
    int past = bytes > {{ past }} && bytes < 2 * (int64_t){{ past }}; /* no cache holds them, memory was there */
{% for x in streamed %}
    past &= (uintptr_t)g->{{ x.name }} % (2 * sizeof(bb_real)) == 0; /* pairs, and lines of all matrices begin alike */
    past &= g->stride_{{ x.letter }} % {{ x.past // x.parts }} == 0;
{% endfor %}
    const int far = past ? 2 : bytes > {{ far }};
{% endif %}
{% endif %}
{% if by_distance %}
    const int64_t bytes = {{ here() }};
    const int far = bytes > {{ far }}; /* from beyond a level-2 cache */
{% if streams %}
    const int nontemporal = bytes > {{ past }} && (uintptr_t)g->{{ C }} % {{ compute.bytes * width }} == 0;
{% endif %}
{% endif %}
{% for case in kinds %}
    {{ case.condition }} {
{% set streamed, distant_too = case.overwrites and streams, by_distance and case.multiplies %}
{% if streamed %}
        if (nontemporal) {
            bb_range({{ case.constants }}BB_PAST, g, lo, end{{ work }});
            BB_STREAMED;
        }
{% endif %}
{% if distant_too %}
        {{ "else " if streamed }}if (far)
            bb_range({{ case.constants }}BB_FAR, g, lo, end{{ work }});
{% endif %}
        {{ "else" if streamed or distant_too }}
        bb_range({{ case.constants }}{{ "BB_NEAR, " if by_distance else "far, " if distant }}g, lo, end{{ work }});
    }
{% endfor %}
{% if streamed %}
    if (past)
        BB_STREAMED;
{% endif %}
{% if apart %}
}

static void bb_part(const bb_args *shared, const int64_t lo, const int64_t hi{{ given }})
{
    const int64_t end = {{ whole_end }};
{{ "    char *const work = bb_take(shared);" if scratch.heap }}
    bb_whole(shared, lo, end{{ ", share" if distant }}{{ work }});
{% endif %}
{% if ends_apart %}
    if (end < hi)
        bb_last({% for name in scalars %}shared->{{ name }}_is, {% endfor %}shared, end, hi{{ work }});
{% endif %}
{{ "    bb_give(shared, work);" if scratch.heap }}
}

{# Fixed batches of matrices that are interleaved in blocks with leading dimensions. #}
{% set call = compact %}
{% for prototype in text.prototypes_of(call.spaced) %}
HIDDEN {{ prototype }}
{% endfor %}
static void (*const spaced[{{ levels | length }}][{{ call.spaced | length }}])(void) = {
{% for level in levels %}
    {
{% for spec in call.spaced %}
        (void (*)(void)){{ text.entry(spec, level) }},
{% endfor %}
    },
{% endfor %}
};

/* As run_bi, for any leading dimensions. */
static int run_spaced(const problem *p, {{ call.call.parameters }})
{
    int (*const any)({{ call.call.types(general=true) }}) =
        (int (*)({{ call.call.types(general=true) }}))spaced[{{ prefix }}level][p->code];
    return any({{ call.call.arguments(general=true) }});
}

EXPORT {{ call.declaration[:-1] }}
{
{% include "library/problem.c" %}
    if (format != {{ block_format }})
        return -{{ call.names.index("format") + 1 }};
    if (nm < 0)
        return -{{ call.names.index("nm") + 1 }};
    const int row_major = layout == 101;
{% if call.workspace %}
    if (lwork < -1)
        return -{{ call.names.index("lwork") + 1 }};
    if (lwork == -1 && !work)
        return -{{ call.names.index("work") + 1 }};
    if (lwork == -1) {
        *work = ({{ text.real }})({{ call.workspace }} * {{ family.precision.parts * family.precision.default_nb }});
        return 0;
    }
{% endif %}
{% for flag, first in call.digits %}
    const int {{ flag }}_digit = {{ flag }} != {{ first }};
{% endfor %}
    int status = {{ call.gaps }} ? -1 : run_bi(&p, {{ call.handed }}, NULL);
    if (status < 0) /* or the same again, to name the argument at fault as they are counted here */
        status = run_spaced(&p, {{ call.handed }});
{% include "library/status.c" %}
}
{% for f in named %}

EXPORT {{ f.declaration[:-1] }}
{
{% if row.info %}
    int32_t *const each = calloc((size_t)(nm > 0 ? nm : 1), sizeof *each);
    const int status = each ? {{ f.own.symbol }}({{ f.arguments }}) : 1;
    *info = status < 0 ? status : 0;
    for (int64_t i = 0; each && *info == 0 && i < nm; i++)
        *info = each[i];
    free(each);
{% else %}
    const int status = {{ f.own.symbol }}({{ f.arguments }});
{% endif %}
    if (status < 0)
        refused("{{ f.symbol }}", -status);
    if (status > 0)
        without_memory("{{ f.symbol }}");
}
{% endfor %}

{% include "prelude/head.c" %}

{% include "verbs/cpu.c" %}
{% if schedule.form == "lane" %}
{% include "verbs/cpu_lane.c" %}

{% include "prelude/lane_complex.c" if complex else "prelude/lane_real.c" %}
{% if scaled %}

{% include "prelude/kinds.c" %}
{% include "prelude/update.c" %}
{% endif %}
{% if algebra %}

{% include "verbs/lanes.c" if width > 1 else "verbs/one_lane.c" %}

{% include "prelude/algebra_complex.c" if complex else "prelude/algebra_real.c" %}
{% endif %}
{% else %}

{% include "verbs/cpu_direct.c" %}

{% if scaled %}
{% include "prelude/kinds.c" %}
{% endif %}

{% include "prelude/pair.c" if complex else "prelude/direct_real.c" %}
{% endif %}

{% include "frame/args.c" %}

{% for body in bodies %}
{% include "op/" ~ body.op ~ "." ~ schedule.form ~ ".c" %}
{{ "\n" if not loop.last }}
{%- endfor %}
{% if info %}

{% include "frame/info.c" %}
{% endif %}

{% if gathers and schedule.form == "lane" %}
{% include "frame/pack.c" %}
{% endif %}
{% include "frame/" ~ ("lane" if schedule.form == "lane" else "direct") ~ ".c" %}

{% include "frame/entry.c" %}

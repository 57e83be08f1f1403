{% include "prelude/head.c" %}

{% include "verbs/cpu.c" %}
{% if schedule.form == "lane" %}
{% include "verbs/cpu_lane.c" %}

{% include "prelude/lane_complex.c" if complex else "prelude/lane_real.c" %}
{% if scalars %}

{% include "prelude/kinds.c" %}
{% include "prelude/update.c" %}
{% endif %}
{% else %}

{% include "verbs/cpu_direct.c" %}

{% if scalars %}
{% include "prelude/kinds.c" %}
{% endif %}

{% include "prelude/pair.c" if complex else "prelude/direct_real.c" %}
{% endif %}

{% include "frame/args.c" %}

{% include "op/" ~ op ~ "." ~ schedule.form ~ ".c" %}

{% if gathers and schedule.form == "lane" %}
{% include "frame/pack.c" %}
{% endif %}
{% include "frame/" ~ ("lane" if schedule.form == "lane" else "direct") ~ ".c" %}

{% include "frame/entry.c" %}

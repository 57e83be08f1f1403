{% include "frame/head.c" %}

{% include "simd/cuda.cu" %}
{% if schedule.staged %}

{% include "simd/cuda_copy.cu" %}
{% endif %}
{% if schedule.team %}

{% include "simd/team.cu" %}
{% endif %}

{% include "arith/lane_complex.c" if complex else "arith/lane_real.c" %}
{% if scaled %}

{% include "arith/scalar_class.c" %}
{% include "arith/update.c" %}
{% endif %}
{% if algebra %}

{% include "simd/mask_scalar.c" %}
{% if logarithms %}

{% include "simd/logarithm.c" %}
{% endif %}

{% include "arith/algebra_complex.c" if complex else "arith/algebra_real.c" %}
{% if pivots %}

{% include "simd/pivot_scalar.c" %}

{% include "arith/pivot.c" %}
{% if schedule.team %}

{% include "simd/team_pivot.cu" %}
{% endif %}
{% endif %}
{% endif %}

{% include "frame/arguments.c" %}

{% for body in bodies %}
{% include "op/" ~ body.op ~ (".team.c" if body.share.together else ".lane.c") %}

{% endfor %}
{% if info %}
{% include "frame/info.c" %}

{% endif %}
{% import "frame/stage.cu" as stage with context %}
{% set matrix = "team" if schedule.team else "threadIdx.x" %}
/* Threads of each matrix: {{ schedule.lanes }}{{ ". It is in shared memory meanwhile" if schedule.staged }}. */
static BB_INLINE void bb_matrices({{ kinds_parameters }}const bb_args *const g, const int64_t first, const int count)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% if schedule.staged and schedule.dynamic %}
    extern __shared__ __align__(16) unsigned char bb_shared[];
{% endif %}
{% for x in operands if x.has_lanes and schedule.staged %}
{% if schedule.dynamic %}
    {{ x.ctype }} *const block_{{ x.name }} = ({{ x.ctype }} *)(bb_shared + {{ shared_at[x.name] }});
{% else %}
    __shared__ {{ x.ctype }} block_{{ x.name }}[{{ x.scratch }}];
{% endif %}
{% endfor %}
{% if schedule.staged %}
{{ stage.bring() }}
{% endif %}
{% if schedule.team %}
    const int team = (int)threadIdx.x / {{ schedule.lanes }};
    const int lane = (int)threadIdx.x % {{ schedule.lanes }};
{% endif %}
    if ({{ matrix if schedule.team else "(int)threadIdx.x" }} < count) {
{% if info or operands | rejectattr("gathered") | list %}
        const int64_t p = first + {{ matrix }};
{% endif %}
{% for x in operands if x.has_lanes %}
{% if schedule.staged %}
        {{ x.ctype }} *{{ "const " if not forgets }}s{{ x.name }} = {{ x.own(matrix) }};
{% else %}
        {{ x.ctype }} s{{ x.name }}[{{ x.scratch }}];
{% endif %}
{% endfor %}
{% for x in operands if not x.gathered %}
        {{ x.const }}{{ x.ctype }} *{{ "const " if not forgets }}{{ x.name }} = {{ x.matrix("p") }};
{% endfor %}
{% if info %}
        bb_ints info = 0;
{% endif %}
{% include "frame/team_bodies.cu" if schedule.team else "frame/call_bodies.c" %}
{% if info %}
{% if schedule.team %}
        if (lane == 0)
    {% endif %}
        bb_put_info(g->info + p, &info);
{% endif %}
    }
{% if schedule.staged %}
{{ stage.give_back() }}
{% endif %}
}

{% for function in functions %}
{{ "/* " ~ function.comment ~ ". */" if function.kinds }}
extern "C" __global__ void __launch_bounds__({{ function.threads }}{{ ", " ~ function.blocks if function.blocks }})
    {{ function.name }}({{ function.parameters }})
{
    const int64_t first = (int64_t)blockIdx.x * {{ function.matrices }}, left = batch_count - first;
    const bb_args own = { {{ block }} };
    bb_matrices({{ function.told }}&own, first, left < {{ function.matrices }} ? (int)left : {{ function.matrices }});
}

{% endfor %}
{% if launcher %}
{% include "frame/launcher.cu" %}
{% endif %}

{# What the threads of a block do with its matrices. #}
{% import "frame/stage.cu" as stage with context %}
{% set matrix = "team" if schedule.team else "threadIdx.x" %}
/* Threads of each matrix: {{ schedule.lanes }}{{ ". It is in shared memory meanwhile" if schedule.staged }}. */
static BB_INLINE void bb_matrices({{ kinds_parameters }}const bb_args *const g, const int64_t first, const int count)
{
{% for name in locals %}
    const {{ name.type }} {{ name.name }} = {{ name.value }};
{% endfor %}
{% if schedule.dynamic %}
    extern __shared__ __align__(16) unsigned char bb_shared[];
{% endif %}
{% for x in operands if x.has_lanes and schedule.staged %}
{% if schedule.dynamic %}
    {{ x.ctype }} *const block_{{ x.name }} = ({{ x.ctype }} *)(bb_shared + {{ shared_at[x.name] }});
{% else %}
    __shared__ {{ x.ctype }} block_{{ x.name }}[{{ x.scratch }}];
{% endif %}
{% endfor %}
{% if schedule.work and schedule.dynamic %}
    char *const block_work = (char *)(bb_shared + {{ shared_at.work }});
{% elif schedule.work %}
    __shared__ __align__(16) char block_work[{{ schedule.work * schedule.matrices }}];
{% endif %}
{% if by_block %}
{{ stage.bring(by_block, stage.by_block) }}
    __syncthreads();
{% endif %}
{% if schedule.team %}
    const int team = (int)threadIdx.x / {{ schedule.lanes }};
    const int lane = (int)threadIdx.x % {{ schedule.lanes }};
{% endif %}
    if ({{ matrix if schedule.team else "(int)threadIdx.x" }} < count) {
{% if schedule.work %}
        char *const work = block_work{{ " + team * " ~ schedule.work if schedule.team }};
{% endif %}
{% if info or by_team or operands | rejectattr("gathered") | list %}
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
        {{ x.const }}{{ x.ctype }} *{{ "const " if not forgets }}{{ x.name }} = {{ x.pointer("p", "nullptr") }};
{% endfor %}
{% if by_team %}
{% for x in by_team %}
        {{ x.const }}{{ x.ctype }} *own_{{ x.name }} = {{ x.pointer("p", "nullptr") }};
{% endfor %}
{{ stage.bring(by_team, stage.by_team) }}
        BB_TEAM_SYNC();
{% endif %}
{% if reports %}
        bb_ints info = 0;
{% endif %}
{% include "frame/team_bodies.cu" if schedule.team else "frame/call_bodies.c" %}
{% if info %}
{% if schedule.team %}
        if (lane == 0)
    {% endif %}
        bb_put_info(g->info + p, &info);
{% endif %}
{% if by_team %}
        BB_TEAM_SYNC();
{{ stage.give_back(by_team, stage.by_team) }}
{% endif %}
    }
{% if by_block %}
    __syncthreads();
{{ stage.give_back(by_block, stage.by_block) }}
{% endif %}
}

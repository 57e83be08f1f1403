{# What direct bodies share: a tile of the output in registers, vectors along its columns, re<vector>_<column> and, for
   factors that are complex, im. Row numbers count reals. A `left` factor is columns of vectors, in memory or packed to a
   panel as high as the tile; of the right one there are views of elements, one for each column of the tile. `which` lanes
   of a vector count tells a function of its first real and column. #}
{# Before tiles, and steps that are no loop, which share elements: or compilers keep them in registers that they do not
   have. #}
{% set apart = "BB_FORGET;" %}
{# The row of an element. #}
{% set row = "i / 2" if complex else "i" %}
{% set sums = ["re", "im"] if complex else ["re"] %}
{% macro zero(offsets, cols, which=triangle.every()) %}
{% for c in range(cols) %}
            bb_vec {% for off in offsets if which(off, c).some %}{% for s in sums %}{{ s }}{{ offsets.index(off) }}_{{ c }} = BB_ZEROS{{ ", " if not loop.last }}{% endfor %}{{ ", " if not loop.last }}{% endfor %};
{% endfor %}
{% endmacro %}
{# The tile += column l of the left factor times row l of the right one. `conj`: the conjugate is taken at the end. #}
{% macro step(offsets, left, right, rights, l, which, conj=false, real_at=none) %}
{% for off in offsets if which(off, 0).some or which(off, rights | length - 1).some %}
{% set v = offsets.index(off) %}
                const bb_vec a{{ v }} = *(const bb_mem *)({{ left.name }} + {{ left.view.vector(v * width if left.packed else ("i", off), l) }});
{% endfor %}
{% for view in rights %}
{% set c = loop.index0 %}
{% if which(offsets[0], c).some or which(offsets[-1], c).some %}
{% for s in sums if s == "re" or c != real_at %}
                const bb_real b{{ s }}{{ c }} = {{ right }}[{{ view.at(l, ("j", c)) }}{{ " + 1" if s == "im" }}];
{% for off in offsets %}
{% set inside, sum, sign = which(off, c), s ~ loop.index0 ~ "_" ~ c, "-" if s == "im" and view.conj != conj else "+" %}
{% if inside.every %}
                {{ sum }} {{ sign }}= a{{ loop.index0 }} * b{{ s }}{{ c }};
{% elif inside.some %}
                {{ sum }} = BB_SHUFFLE(bb_mask{{ width }}, {{ sum }} {{ sign }} a{{ loop.index0 }} * b{{ s }}{{ c }}, {{ sum }}, {{ inside.blend }});
{% endif %}
{% endfor %}
{% endfor %}
{% endif %}
{% endfor %}
{% endmacro %}
{# The steps of l from `first` to `last`. #}
{% macro steps(offsets, cols, left, right, view, first, last, which=triangle.every(), conj=false, ahead=()) %}
            BB_UNROLL({{ schedule.unroll }})
            for (int64_t l = {{ first }}; l < {{ last }}; l++) {
{% for x in ahead %}
{% for line in range(x.lines) %}
                BB_PREFETCH(ahead_{{ x.name }} + {{ line * 64 }}, {{ x.write | int }});
{% endfor %}
                ahead_{{ x.name }} += {{ x.step }};
{% endfor %}
{{ step(offsets, left, right, [view] * cols, "l", which, conj) }}
            }
{% endmacro %}
{# C := alpha tile + beta C, in `which` lanes; of a Hermitian C what is not `real` is zero. #}
{% macro update(offsets, cols, name, C, conj_a, conj_b, which, real=none) %}
{% for c in range(cols) %}
            { /* all of a column's vectors are loaded before one is stored: the last may overlap its predecessor */
{% for off in offsets if which(off, c).some %}
{% set v = offsets.index(off) %}
                bb_vec old{{ v }} = BB_ZEROS;
{% if not which(off, c).every %}
                bb_vec kept{{ v }};
                BB_COLUMN_LOAD(kept{{ v }}, {{ name }} + {{ C.vector(("i", off), ("j", c)) }});
{% endif %}
{% endfor %}
                if (BB_NONZERO(beta_is, beta)) {
{% for off in offsets if which(off, c).some %}
{% set v = offsets.index(off) %}
                    BB_COLUMN_LOAD(old{{ v }}, {{ name }} + {{ C.vector(("i", off), ("j", c)) }});
{% if real and not real(off, c).every %}
                    old{{ v }} = BB_SHUFFLE(bb_mask{{ width }}, old{{ v }}, BB_ZEROS, {{ real(off, c).blend }});
{% endif %}
{% endfor %}
                }
{% for off in offsets if which(off, c).some %}
{% set v = offsets.index(off) %}
                bb_vec new{{ v }};
                BB_UPDATE{{ width }}(new{{ v }}, old{{ v }}, {% for s in sums %}{{ s }}{{ v }}_{{ c }}{{ ", " if not loop.last }}{% endfor %}{{ ", %d, %d" % (conj_a, conj_b) if complex }});
{% if real and not real(off, c).every %}
                new{{ v }} = BB_SHUFFLE(bb_mask{{ width }}, new{{ v }}, BB_ZEROS, {{ real(off, c).blend }});
{% endif %}
{% if not which(off, c).every %}
                new{{ v }} = BB_SHUFFLE(bb_mask{{ width }}, new{{ v }}, kept{{ v }}, {{ which(off, c).blend }});
{% endif %}
                BB_COLUMN_STORE({{ name }} + {{ C.vector(("i", off), ("j", c)) }}, new{{ v }});
{% endfor %}
            }
{% endfor %}
{% endmacro %}

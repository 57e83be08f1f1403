{# The output from a tile in registers: alpha tile + beta output, in the lanes inside; of a Hermitian one what is not
   real is zero. #}
{% macro update(tile, conj) %}
            /* Of a column all vectors are loaded before one is stored: the last may overlap its predecessor. */
{% for outputs in tile.outputs %}
            {
{% for x in outputs %}
                bb_vec old{{ x.vector }} = BB_ZEROS;
{% if x.inside %}
                bb_vec kept{{ x.vector }};
                BB_COLUMN_LOAD(kept{{ x.vector }}, {{ x.address }});
{% endif %}
{% endfor %}
                if (BB_NONZERO(beta_is, beta)) {
{% for x in outputs %}
                    BB_COLUMN_LOAD(old{{ x.vector }}, {{ x.address }});
{% if x.real %}
                    old{{ x.vector }} = BB_SHUFFLE(bb_mask{{ width }}, old{{ x.vector }}, BB_ZEROS, {{ x.real }});
{% endif %}
{% endfor %}
                }
{% for x in outputs %}
                bb_vec new{{ x.vector }};
                BB_UPDATE{{ width }}(new{{ x.vector }}, old{{ x.vector }}, {{ x.sums | join(", ") }}{% if complex %}, {{ conj[0] | int }}, {{ conj[1] | int }}{% endif %});
{% if x.real %}
                new{{ x.vector }} = BB_SHUFFLE(bb_mask{{ width }}, new{{ x.vector }}, BB_ZEROS, {{ x.real }});
{% endif %}
{% if x.inside %}
                new{{ x.vector }} = BB_SHUFFLE(bb_mask{{ width }}, new{{ x.vector }}, kept{{ x.vector }}, {{ x.inside }});
{% endif %}
                BB_COLUMN_STORE({{ x.address }}, new{{ x.vector }});
{% endfor %}
            }
{% endfor %}
{% endmacro %}

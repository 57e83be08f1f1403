{# Rows of right-hand sides side by side in a panel, whatever their order in memory, and back. #}
{% set V, W = width, schedule.span %}
{% macro each(body) %}
    if (rs == 1)
        for (int64_t j = 0; j < cols; j++)
            for (int64_t i = 0; i < rows; i++) {
                {{ body }}
            }
    else
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++) {
                {{ body }}
            }
{% endmacro %}
/* alpha times `rows` rows, each of `cols` columns and zeros up to `most`; a row is `step` behind another. */
static BB_NOINLINE void bb_take_panel(const int64_t rows, const int64_t cols, const int64_t most, const bb_scalar alpha,
                                      const bb_real *B, const int64_t rs, const int64_t cs, bb_real *X,
                                      const int64_t step)
{
    if (cols < most)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = cols; j < most; j++)
                X[i * step + j] = {{ "X[i * step + j + " ~ W ~ "] = " if complex }}0;
{% if not complex %}
    int64_t done = 0;
    if (rs == 1 && cols == most) {
        for (; done + {{ V }} <= rows; done += {{ V }})
            for (int64_t j = 0; j < cols; j += {{ V }}) {
                bb_vec x[{{ V }}];
                BB_UNROLL({{ V }})
                for (int q = 0; q < {{ V }}; q++)
                    x[q] = *(const bb_mem *)(B + done + (j + q) * cs);
                bb_transpose{{ V }}(x);
                BB_UNROLL({{ V }})
                for (int q = 0; q < {{ V }}; q++)
                    *(bb_vec *)(X + (done + q) * step + j) = x[q];
            }
        for (int64_t j = 0; j < cols; j++)
            for (int64_t i = done; i < rows; i++)
                X[i * step + j] = B[i + j * cs];
    } else {
        {{ each("X[i * step + j] = B[i * rs + j * cs];") }}
    }
{% else %}
    {{ each("X[i * step + j] = B[(i * rs + j * cs) * 2];
            X[i * step + j + " ~ W ~ "] = B[(i * rs + j * cs) * 2 + 1];") }}
{% endif %}
    if (BB_IS(alpha, 1))
        return;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < most; j++) {
{% if complex %}
            const bb_real re = X[i * step + j], im = X[i * step + j + {{ W }}];
            X[i * step + j] = re * alpha.re - im * alpha.im;
            X[i * step + j + {{ W }}] = re * alpha.im + im * alpha.re;
{% else %}
            X[i * step + j] *= alpha;
{% endif %}
        }
}

static BB_NOINLINE void bb_put_panel(const int64_t rows, const int64_t cols, bb_real *B, const int64_t rs,
                                     const int64_t cs, const bb_real *X, const int64_t step)
{
{% if not complex %}
    int64_t done = 0;
    if (rs == 1 && cols % {{ V }} == 0) {
        for (; done + {{ V }} <= rows; done += {{ V }})
            for (int64_t j = 0; j < cols; j += {{ V }}) {
                bb_vec x[{{ V }}];
                BB_UNROLL({{ V }})
                for (int q = 0; q < {{ V }}; q++)
                    x[q] = *(const bb_vec *)(X + (done + q) * step + j);
                bb_transpose{{ V }}(x);
                BB_UNROLL({{ V }})
                for (int q = 0; q < {{ V }}; q++)
                    *(bb_mem *)(B + done + (j + q) * cs) = x[q];
            }
        for (int64_t j = 0; j < cols; j++)
            for (int64_t i = done; i < rows; i++)
                B[i + j * cs] = X[i * step + j];
        return;
    }
    {{ each("B[i * rs + j * cs] = X[i * step + j];") }}
{% else %}
    {{ each("B[(i * rs + j * cs) * 2] = X[i * step + j];
            B[(i * rs + j * cs) * 2 + 1] = X[i * step + j + " ~ W ~ "];") }}
{% endif %}
}

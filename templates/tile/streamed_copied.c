{# Elements of a matrix, or of a vector, copied to where they are changed then. #}
static BB_INLINE void bb_copied(bb_real *to, const int64_t rs, const int64_t cs, const bb_real *from,
                                const int64_t from_rs, const int64_t from_cs, const int64_t rows, const int64_t columns)
{
    const int down = rs == {{ parts }} && from_rs == {{ parts }}, across = cs == {{ parts }} && from_cs == {{ parts }};
    if (down) {
        for (int64_t j = 0; j < columns; j++)
            __builtin_memcpy(to + j * cs, from + j * from_cs, (size_t)(rows * {{ parts }}) * sizeof(bb_real));
    } else if (across) {
        for (int64_t i = 0; i < rows; i++)
            __builtin_memcpy(to + i * rs, from + i * from_rs, (size_t)(columns * {{ parts }}) * sizeof(bb_real));
    } else {
        for (int64_t j = 0; j < columns; j++)
            for (int64_t i = 0; i < rows; i++)
                for (int part = 0; part < {{ parts }}; part++)
                    to[i * rs + j * cs + part] = from[i * from_rs + j * from_cs + part];
    }
}


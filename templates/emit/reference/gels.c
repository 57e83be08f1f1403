/* X of least norm among those of least norm(B - op(A) X), by reflections of op(A) or its transpose */
static number *ref_gels_at(const struct matrix *a, int turned, int64_t i, int64_t j)
{
    return turned ? at(a, j, i) : at(a, i, j);
}

static void ref_gels(struct job *s)
{
    const struct matrix *a = s->x[0], *b = s->x[1];
    const char trans = s->flag->trans;
    const int turned = a->rows < a->cols, least = transposes(trans) == turned, other = trans == 'C' || trans == 'R';
    const int64_t m = turned ? a->cols : a->rows, n = turned ? a->rows : a->cols;
    number *tau = memory((size_t)n * sizeof(number));
    for (int64_t p = 0; p < n; p++) {
        long double below = 0;
        number *const place = ref_gels_at(a, turned, p, p), head = *place;
        for (int64_t i = p + 1; i < m; i++)
            below += re(*ref_gels_at(a, turned, i, p) * conjugate(*ref_gels_at(a, turned, i, p)));
        tau[p] = 0;
        if (below == 0 && im(head) == 0)
            continue;
        const long double size = sqrtl(below + re(head * conjugate(head))), beta = re(head) < 0 ? size : -size;
        tau[p] = (beta - head) / beta;
        *place = beta;
        for (int64_t i = p + 1; i < m; i++)
            *ref_gels_at(a, turned, i, p) /= head - beta;
        for (int64_t j = p + 1; j < n; j++) {
            number dot = *ref_gels_at(a, turned, p, j);
            for (int64_t i = p + 1; i < m; i++)
                dot += conjugate(*ref_gels_at(a, turned, i, p)) * *ref_gels_at(a, turned, i, j);
            dot *= conjugate(tau[p]);
            *ref_gels_at(a, turned, p, j) -= dot;
            for (int64_t i = p + 1; i < m; i++)
                *ref_gels_at(a, turned, i, j) -= *ref_gels_at(a, turned, i, p) * dot;
        }
    }
    int singular = 0;
    for (int64_t i = 0; i < n && !singular; i++)
        if (*ref_gels_at(a, turned, i, i) == 0) {
            report(s, i + 1);
            singular = 1;
        }
    for (int64_t j = 0; j < b->cols && !singular; j++) {
        for (int64_t i = 0; i < n && !least; i++) {
            for (int64_t p = 0; p < i; p++) {
                const number r = *ref_gels_at(a, turned, p, i);
                *at(b, i, j) -= (other ? conjugate(r) : r) * *at(b, p, j);
            }
            *at(b, i, j) /= *ref_gels_at(a, turned, i, i);
        }
        for (int64_t i = n; i < m && !least; i++)
            *at(b, i, j) = 0;
        for (int64_t q = 0; q < n; q++) {
            const int64_t p = least ? q : n - 1 - q;
            const int mirrored = least == other;
            number dot = *at(b, p, j);
            for (int64_t i = p + 1; i < m; i++) {
                const number v = *ref_gels_at(a, turned, i, p);
                dot += (mirrored ? v : conjugate(v)) * *at(b, i, j);
            }
            dot *= other ? tau[p] : conjugate(tau[p]);
            *at(b, p, j) -= dot;
            for (int64_t i = p + 1; i < m; i++) {
                const number v = *ref_gels_at(a, turned, i, p);
                *at(b, i, j) -= (mirrored ? conjugate(v) : v) * dot;
            }
        }
        for (int64_t i = n - 1; i >= 0 && least; i--) {
            for (int64_t p = i + 1; p < n; p++) {
                const number r = *ref_gels_at(a, turned, i, p);
                *at(b, i, j) -= (other ? conjugate(r) : r) * *at(b, p, j);
            }
            *at(b, i, j) /= *ref_gels_at(a, turned, i, i);
        }
    }
    free(tau);
}

"""Large single operands: equations that must hold, times random vectors in extended precision.

A product of matrices of order 1000 in extended precision takes a minute; one times a vector takes a moment, and shows
every wrong element.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.cases import dtypes, letters
from support.extended import adjoint, apply, positive, random, spoiled, stored, symmetric, triangle, well, wide

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import BY_DTYPE

pytestmark = pytest.mark.thorough
N, M, K = 1031, 1027, 1025
BOUND = 30
ALPHA, BETA = -0.5, 2.0


def times(chain, vector):
    """A chain, which is a number and the matrices it multiplies, times a vector."""
    number, *matrices = chain
    for x in reversed(matrices):
        vector = wide(x) @ vector
    return number * vector


def ratio(left, right, rng, dtype):
    """Of two sums of chains: what differs in a random vector's image, in units of eps and of magnitudes."""
    vector = wide(rng.standard_normal((left[0][-1].shape[-1], 1)))
    difference = sum(times(x, vector) for x in left) - sum(times(x, vector) for x in right)
    sizes = [map(np.abs, x) for x in [*left, *right]]
    magnitude = sum(times(x, np.abs(vector)).max() for x in sizes)
    return float(np.abs(difference).max() / (BY_DTYPE[dtype].eps * magnitude))


def side(flags, a, b):
    return (a, b) if flags["side"] == "L" else (b, a)


def general(rng, dtype, *shape):
    return random(rng, shape, dtype)


def halved(rng, dtype, n, uplo):
    """Of which one triangle may be read."""
    return spoiled(general(rng, dtype, n, n), stored((n, n), uplo))


def product(rng, dtype, flags):
    ops = flags["transa"], flags["transb"]
    a, b = (general(rng, dtype, *(s if x in "NR" else s[::-1])) for s, x in zip([(M, K), (K, N)], ops, strict=True))
    c = general(rng, dtype, M, N)
    found = bb.gemm(a, b, c.copy(), alpha=ALPHA, beta=BETA, **flags)
    yield [(1, found)], [(ALPHA, apply(ops[0], a), apply(ops[1], b)), (BETA, c)]


def symmetric_product(name):
    def equations(rng, dtype, flags):
        b, c = general(rng, dtype, M, N), general(rng, dtype, M, N)
        a = halved(rng, dtype, M if flags["side"] == "L" else N, flags["uplo"])
        found = getattr(bb, name)(a, b, c.copy(), alpha=ALPHA, beta=BETA, **flags)
        full = symmetric(a, flags["uplo"], name == "hemm")
        yield [(1, found)], [(ALPHA, *side(flags, full, b)), (BETA, c)]

    return equations


def update(name):
    hermitian, operands = name.startswith("he"), 2 if name.endswith("2k") else 1

    def equations(rng, dtype, flags):
        trans, uplo = flags["trans"], flags["uplo"]
        shape = (N, K) if trans == "N" else (K, N)
        given = [general(rng, dtype, *shape) for _ in range(operands)]
        c = halved(rng, dtype, N, uplo)
        found = getattr(bb, name)(*given, c.copy(), alpha=ALPHA, beta=BETA, **flags)
        assert np.isnan(found[~stored((N, N), uplo)]).all()
        rows = [x if trans == "N" else adjoint(x) if hermitian else x.T for x in given]
        columns = [adjoint(x) if hermitian else x.T for x in rows]
        products = zip(rows, reversed(columns), strict=True)
        before, after = (symmetric(x, uplo, hermitian) for x in (c, found))
        yield [(1, after)], [*((ALPHA, *pair) for pair in products), (BETA, before)]

    return equations


def triangular(name):
    def equations(rng, dtype, flags):
        n = M if flags["side"] == "L" else N
        a, b = well(general(rng, dtype, n, n), flags["uplo"], flags["diag"]), general(rng, dtype, M, N)
        found = getattr(bb, name)(a, b, alpha=ALPHA, overwrite=False, **flags)
        full = apply(flags["transa"], triangle(a, flags["uplo"], flags["diag"]))
        before, after = (b, found) if name == "trmm" else (found, b)
        scalars = (ALPHA, 1) if name == "trmm" else (1, ALPHA)
        yield [(scalars[0], *side(flags, full, before))], [(scalars[1], after)]

    return equations


def factors(low, uplo):
    return (low, adjoint(low)) if uplo == "L" else (adjoint(low), low)


def cholesky(rng, dtype, flags):
    """Of one matrix: what factors it, what solves with the factors, what inverts."""
    uplo = flags["uplo"]
    full, b = positive(rng, 1, N, dtype)[0], general(rng, dtype, N, 40)
    a = spoiled(full, stored((N, N), uplo))
    factor = bb.potrf(a, overwrite=False, **flags)
    triangular = triangle(factor, uplo)
    yield [(1, *factors(triangular, uplo))], [(1, full)]
    for found in (bb.potrs(factor, b, overwrite=False, **flags), bb.posv(a, b, overwrite=False, **flags)):
        yield [(1, full, found)], [(1, b)]
    inverse = bb.potri(factor, overwrite=False, **flags)
    yield [(1, full, symmetric(inverse, uplo, hermitian=True))], [(1, np.eye(N))]
    squared = bb.lauum(factor, overwrite=False, **flags)
    yield [(1, *factors(triangular, "LU"[uplo == "L"]))], [(1, symmetric(squared, uplo, hermitian=True))]


def inverse_of_a_triangle(rng, dtype, flags):
    a = well(general(rng, dtype, N, N), flags["uplo"], flags["diag"])
    found = bb.trtri(a, overwrite=False, **flags)
    whole = (triangle(x, flags["uplo"], flags["diag"]) for x in (a, found))
    yield [(1, *whole)], [(1, np.eye(N))]


def lu(rng, dtype, flags):
    a, b = general(rng, dtype, N, N) + 3 * np.eye(N, dtype=dtype), general(rng, dtype, N, 40)
    factor, ipiv = bb.getrf(a, overwrite=False)
    rows = np.arange(N)
    for i, other in enumerate(ipiv - 1):
        rows[[i, other]] = rows[[other, i]]
    low, up = triangle(factor, "L", "U"), triangle(factor, "U")
    yield [(1, low, up)], [(1, a[rows])]
    solved = bb.getrs(factor, ipiv, b, overwrite=False, **flags)
    yield [(1, apply(flags["trans"], a), solved)], [(1, b)]
    yield [(1, a, bb.gesv(a, b, overwrite=False))], [(1, b)]
    yield [(1, a, bb.getri(factor, ipiv, overwrite=False))], [(1, np.eye(N))]


EQUATIONS = {
    "gemm": product,
    **{name: symmetric_product(name) for name in ("symm", "hemm")},
    **{name: update(name) for name in ("syrk", "herk", "syr2k", "her2k")},
    **{name: triangular(name) for name in ("trmm", "trsm")},
    "potrf": cholesky,
    "trtri": inverse_of_a_triangle,
    "getrs": lu,
}


def test_one_wrong_element_is_seen(rng):
    a, b = general(rng, "float32", M, K), general(rng, "float32", K, N)
    found = bb.gemm(a, b)
    assert ratio([(1, found)], [(1, a, b)], rng, "float32") < BOUND
    found[M // 2, N // 3] += np.sqrt(K)
    assert ratio([(1, found)], [(1, a, b)], rng, "float32") > BOUND


@pytest.mark.parametrize("turn", range(2))
@pytest.mark.parametrize(("name", "dtype"), [(x, y) for x in EQUATIONS for y in dtypes(OPS[x])])
def test_equations_hold_for_vectors(name, dtype, turn):
    rng = np.random.default_rng([len(name), turn])
    flags = {flag: str(rng.choice(letters(OPS[name], flag))) for flag in OPS[name].flags}
    for left, right in EQUATIONS[name](rng, dtype, flags):
        assert ratio(left, right, rng, dtype) < BOUND, flags

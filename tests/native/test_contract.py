"""The numerical contract of every operation of the table: what is read and written, which bits, how wrong they may be.

Cases come from the rows of OPS and the oracles: a new row is tried here without being named.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from support.cases import SELDOM, TRIED, TWINS, UNPIVOTED, WITHOUT_ORACLE, Case, pairwise, prepared, run, tried, typical
from support.contract import check, may_change
from support.extended import NAN
from support.kernels import arguments, available, exchanged, optimized
from support.layouts import bits, is_interleaved
from support.table import ORACLES

import bblas_gen as bb
from bblas_gen.ir.catalog import OPS
from bblas_gen.ir.terms import Kind, Role
from bblas_gen.runtime import kernels

NAMES = [row.name for row in TRIED]
PLACE = {name: position for position, name in enumerate(OPS)}
most_operations = pytest.mark.parametrize("op", tried())

OTHERS = SELDOM - TWINS.keys()
"""Operations that are tried as others, or as steps of them."""
NOT_FINITE = {"syev", "sygv"}
"""Operations whose first operand is reported for nothing else: test_eigen and test_generalized have these."""


def test_every_operation_has_an_oracle():
    """Or a reason to have none."""
    assert ORACLES.keys() | WITHOUT_ORACLE.keys() == OPS.keys()
    assert not ORACLES.keys() & WITHOUT_ORACLE.keys()
    assert {row.name for row in TRIED if row.info} == NOT_FINITE | {
        name for name, x in ORACLES.items() if x.fail and name not in UNPIVOTED
    }


SHARES = 12


def share_of(op):
    """Which twelfth of the pairs an operation is tried with: a twin has one that its twin leaves out."""
    return (PLACE[TWINS.get(op, op)] + (op in TWINS)) % SHARES


@pytest.mark.parametrize(
    ("op", "share"),
    [
        pytest.param(op, share, marks=[] if share == share_of(op) and op not in OTHERS else [pytest.mark.thorough])
        for share in range(SHARES)
        for op in NAMES
    ],
)
def test_every_pair_of_choices(op, share):
    """A twelfth of them for each operation, all with --thorough."""
    for case in prepared(pairwise(OPS[op])[share::SHARES]):
        check(case)


@most_operations
def test_bits_depend_on_the_matrix_alone(op):
    """Not on its place in the batch, the size of that, the neighbours or the number of threads."""
    for case in prepared(typical(OPS[op], PLACE[op])):
        operands = case.make()

        def results(index, team=None, case=case, operands=operands):
            found = run(case, {name: x[index] for name, x in operands.items()}, num_threads=team)
            return [found.after[name] for name in operands]

        whole = results(np.arange(70), 1)
        assert any(bits(x) != bits(y) for x, y in zip(whole, operands.values(), strict=True)), case
        for team in (2, 3, None):
            assert list(map(bits, results(np.arange(70), team))) == list(map(bits, whole)), (case, team)
        order = np.random.default_rng(1).permutation(70)
        for index in (*(np.arange(*ends) for ends in ((0, 1), (3, 4), (5, 22), (33, 70), (62, 69))), order):
            assert list(map(bits, results(index))) == [bits(x[index]) for x in whole], (case, index)


@most_operations
def test_padding_is_not_written_and_disturbs_nothing(op):
    """All that is around a batch is NaN in these tests, padding too; here for every number of matrices in a block."""
    for case in prepared(typical(OPS[op], PLACE[op])):
        if not is_interleaved(case.layouts[0]):
            continue
        operands, whole = case.make(), run(case).after
        for batch in (1, 5, 17, 21):
            for layout in (case.layouts[0], *(["il-"] if case.layouts[0] == "il" else [])):
                found = run(replace(case, layouts=(layout,)), {name: x[:batch] for name, x in operands.items()})
                assert found.info is None or not found.info.any()
                for name, x in whole.items():
                    assert bits(found.after[name]) == bits(x[:batch]), (case, batch, layout)
                    assert found.given[name].untouched_around(), (case, batch, layout)


def read_element(case, name, shape):
    """An element of an operand that every call reads, off the diagonal of a triangle."""
    rows, cols = shape
    x = case.row.operand(name)
    if not x.triangle:
        return rows // 2, cols // 2 - (cols > 1)  # not a diagonal, of which only an inverse may count
    if "uplo" not in case.flags:
        return 1, 1
    return (rows - 2, 1) if case.flags["uplo"] == "L" else (1, cols - 2)


LANES = 19
_CODES = [*combinations(range(6), 3)][:LANES]
STRUCK = [[lane for lane, code in enumerate(_CODES) if digit in code] for digit in range(6)] + [[0], [LANES - 1]]
"""Matrices that are not finite in one call: of each two there is a call in which the one is and the other is not."""


def test_each_matrix_is_struck_without_each_other():
    for one, other in permutations(range(LANES), 2):
        assert any(one in lanes and other not in lanes for lanes in STRUCK)


@pytest.mark.parametrize("bad", [NAN, float("inf")])
@most_operations
def test_nan_and_inf_stay_in_their_matrix_and_are_never_skipped(op, bad):
    """Though they are multiplied by zeros, and whatever it is that multiplies them."""
    for case in prepared(typical(OPS[op], PLACE[op])):
        case = replace(case, batch=LANES)
        operands = case.make()
        clean = run(case, operands)
        for name in [x.name for x in case.row.parameters if x.role is not Role.OUT and x.kind is not Kind.INDEX]:
            at = read_element(case, name, operands[name].shape[1:])
            at = at[::-1] if np.isnan(operands[name][0][at]) else at  # the other triangle is not read
            for lanes in STRUCK:
                changed = {n: x.copy() for n, x in operands.items()}
                for lane in lanes:
                    changed[name][lane][at] = bad
                    if lane % 2 and bad != bad:  # zeros do not hide NaN
                        for other in changed.keys() - {name}:
                            changed[other][lane][np.isfinite(changed[other][lane])] = 0
                found = run(case, changed)
                others = np.delete(np.arange(LANES), lanes)
                for n, x in found.after.items():
                    assert bits(x[others]) == bits(clean.after[n][others]), (case, name, n, lanes)
                for lane in lanes:
                    assert shows(case, changed, found, lane), (case, name, lane)


def shows(case, before, found, lane):
    """Whether a matrix has become something that is no finite number, or says so."""
    if found.info is not None and found.info[lane]:
        return True
    outputs = [x.name for x in case.row.outputs]
    masks = {name: may_change(case, name, before[name].shape[1:]) for name in outputs}
    return any(not np.isfinite(found.after[name][lane][masks[name]]).all() for name in outputs)


MULTIPLIED = [row.name for row in TRIED if any(x.scaled_by == "alpha" for x in row.parameters)]


def takes_null_pointers(case, choice=None):
    """With an alpha of zero, for all that it multiplies; the result is exact."""
    case = replace(case, scalars={"alpha": 0, **{name: x for name, x in case.scalars.items() if name != "alpha"}})
    operands = case.make()
    given = case.place(operands)
    with exchanged(choice or (lambda spec: kernels.kernel(spec, **available(spec, case.schedule)))):
        plan = case.plan(given, num_threads=1)
    null = [x.name for x in case.row.parameters if x.scaled_by == "alpha"]
    assert plan.kernel is None or plan.kernel(*arguments(plan, null)) == 0, case
    after = {name: x.values() for name, x in given.items()}
    assert case.oracle.error(operands, after, dict(case.flags), dict(case.scalars)) == 0, case


@pytest.mark.parametrize("op", MULTIPLIED)
def test_alpha_of_zero_takes_null_pointers(op):
    row = OPS[op]
    for case in prepared(typical(row, PLACE[op])):
        takes_null_pointers(replace(case, scalars={name: {"alpha": 0, "beta": 0.5}[name] for name in row.scalars}))


def test_alpha_of_zero_takes_null_pointers_for_arrays_of_pointers():
    """By the text alone: compilers that optimize drop loads of what nobody uses."""
    with optimized(("-O0",)):
        for case in prepared([x for op in MULTIPLIED for x in typical(OPS[op], PLACE[op]) if x.layouts == ("pp",)]):
            takes_null_pointers(replace(case, scalars=dict.fromkeys(case.scalars, 0.5)))


@pytest.mark.thorough
@pytest.mark.parametrize("op", MULTIPLIED)
def test_alpha_of_zero_takes_null_pointers_where_nothing_is_optimized(op):
    with optimized(("-O0",)):
        for case in prepared(pairwise(OPS[op])):
            takes_null_pointers(case)


@pytest.mark.parametrize("op", [row.name for row in TRIED if ORACLES[row.name].real])
def test_diagonals_of_hermitian_results_are_real(op):
    """Imaginary parts in front of the call count as zero, whatever they are."""
    name = ORACLES[op].real
    for layout in ("st", "bi"):
        row, chosen = OPS[op], {"uplo": "U"} | ({"trans": "N"} if "trans" in OPS[op].flags else {})
        sizes = {size: {"n": 4, "k": 3}.get(size, 2) for size in row.sizes}
        scalars = dict.fromkeys(row.scalars, 1.0)
        case = Case(op, "complex128", sizes, 11, chosen, scalars, (layout,))
        found = []
        for noise in (0, 1, NAN):
            operands = case.make()
            operands[name][:, range(4), range(4)] = operands[name][:, range(4), range(4)].real + 0j
            operands[name].imag[:, range(4), range(4)] = noise
            after = run(case, operands).after
            assert (after[name][:, range(4), range(4)].imag == 0).all()
            found.append([bits(x) for x in after.values()])
        assert found[0] == found[1] == found[2]


def test_the_contract_can_fail():
    """A kernel that writes beyond its triangle, beside its operand, or a wrong number, is found."""
    case = typical(OPS["syrk"], 0)[0]
    check(case)
    wrong = ORACLES["syrk"].error
    after = run(case).after
    after["C"] = after["C"] * (1 + 1e-3)
    assert wrong(case.make(), after, dict(case.flags), dict(case.scalars)) > ORACLES["syrk"].bound
    found = run(case)
    found.given["C"].around[0][0] = 0
    assert not found.given["C"].untouched_around()
    assert bb.plan("syrk", *(x.operand for x in case.place(case.make()).values()), **case.flags).kernel

"""The compact functions of a library built ahead of time: interleaved matrices with leading dimensions."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest
from support.c_library import COMPACT, ORDERS, Group, group, ints, onemkl, opened, passed, run_program
from support.c_library import NAME as LIBRARY
from support.table import ORACLES

from bblas_gen.ir.spec import operation
from bblas_gen.ir.terms import PRECISIONS

ARGUMENTS = {
    "gemm": "layout transa transb m n k alpha A lda B ldb beta C ldc format nm",
    "trsm": "layout side uplo transa diag m n alpha A lda B ldb format nm",
    "potrf": "layout uplo n A lda info format nm",
    "getrfnp": "layout m n A lda info format nm",
    "getrinp": "layout n A lda work lwork info format nm",
}
"""As the vendor has them."""
FORMAT = 183
REAL = {"s": ctypes.c_float, "d": ctypes.c_double, "c": ctypes.c_float, "z": ctypes.c_double}
COUNTS = (0, 1, 16, 19)
"""Of matrices: whole blocks, and others."""


@pytest.fixture(scope="module")
def functions(c_library):
    return opened(c_library)


def letter_of(g):
    return next(letter for letter, p in PRECISIONS.items() if p.dtype == g.dtype)


def long(*numbers):
    return [ctypes.c_int64(x) for x in numbers]


class Packed:
    """The matrices of an operand in compact storage with ``gap`` elements between lines, which hold 77."""

    def __init__(self, functions, g, name, gap):
        self.letter, self.order = letter_of(g), ORDERS[g.order]
        p, shape = PRECISIONS[self.letter], g.operands[name].shape[1:]
        lines, length = shape if g.order == "C" else shape[::-1]
        self.functions, self.ld, self.count = functions, max(1, length) + gap, g.count
        self.blocks = -(-g.count // p.default_nb)
        self.memory = np.full((self.blocks, lines, self.ld, p.parts, p.default_nb), 77, f"f{p.storage.bytes}")
        self.elements, self.shape = self.memory[:, :, :length], shape
        self.copied("gepack", g, name)
        self.before = self.memory.copy()

    def copied(self, what, g, name):
        function = self.functions[f"{LIBRARY}_{self.letter}{what}_compact"]
        pointers, at = ints(g.pointers(name), ctypes.c_void_p), passed(self.memory)
        where = [*long(g.ld(g.operands[name])), at, *long(self.ld), FORMAT, *long(self.count)]
        assert function(self.order, *long(*self.shape), pointers, *where) == 0

    def gap(self, memory):
        return memory[:, :, self.elements.shape[2] :]

    def checked(self, written):
        """What is not to be written has the bytes that it had."""
        same = self.gap if written else np.asarray
        assert same(self.memory).tobytes() == same(self.before).tobytes()


def arguments(g, packed, info):
    """Those of a compact function by their names; complex scalars are arrays."""
    p, row = PRECISIONS[letter_of(g)], operation(g.op)
    found = {"layout": ORDERS[g.order], "format": FORMAT, "nm": g.count, "info": info, **g.arguments}
    found |= {"work": np.full(1, 77, p.dtype), "lwork": 0}
    for name in row.scalars:
        found[name] = np.array([g.scalars[name]], g.dtype) if p.complex else REAL[p.letter](g.scalars[name])
    for name, x in packed.items():
        found |= {name: x.memory, f"ld{name.lower()}": x.ld}
    return {name: found[name] for name in ARGUMENTS[g.op].split()}


def run(functions, g, gaps=(0, 0, 0), report=None, **changed):
    """Pack operands, call, unpack what is written; returns what the function does."""
    row = operation(g.op)
    report = np.full(g.count + 1, 77, np.int32) if report is None else report
    packed = {x.name: Packed(functions, g, x.name, gap) for x, gap in zip(row.parameters, gaps, strict=False)}
    given = arguments(g, packed, report) | changed
    numbers = (*row.sizes, "lda", "ldb", "ldc", "lwork", "nm")
    function = functions[f"{LIBRARY}_{letter_of(g)}{g.op}_compact"]
    status = function(*(ctypes.c_int64(x) if name in numbers else passed(x) for name, x in given.items()))
    for x in row.parameters:
        packed[x.name].checked(written=x in row.outputs and status == 0)
        if x in row.outputs:
            packed[x.name].copied("geunpack", g, x.name)
    return status


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("letter", sorted(PRECISIONS))
def test_storage(functions, rng, letter, order):
    """Blocks of 64 bytes of real parts, then of imaginary ones; what is missing in the last one is the identity."""
    p = PRECISIONS[letter]
    a = rng.standard_normal((19, 3, 4)).astype(p.dtype) * (1 + 2j if p.complex else 1)
    a = a.astype(p.dtype)
    g = Group("potrf", p.dtype, order, {}, {}, {}, {"A": a})
    x = Packed(functions, g, "A", 2)
    size = functions[f"{LIBRARY}_{letter}get_size_compact"]
    size.restype = ctypes.c_int64
    assert size(*long(x.ld, a.shape[1 if order == "C" else 2]), FORMAT, *long(19)) == x.memory.nbytes
    full = np.concatenate([a, np.broadcast_to(np.eye(3, 4), (x.blocks * p.default_nb - 19, 3, 4))])
    parts = np.stack([full.real, full.imag][: p.parts], -1).reshape(x.blocks, p.default_nb, 3, 4, p.parts)
    expected = parts.transpose((0, 2, 3, 4, 1) if order == "C" else (0, 3, 2, 4, 1))
    assert np.array_equal(x.elements, expected)
    assert (x.gap(x.memory) == 77).all()
    g.view("A")[...] = 0
    x.copied("geunpack", g, "A")
    assert g.memory["A"].tobytes() == g.before["A"].tobytes()


@pytest.mark.parametrize("gaps", [(0, 0, 0), (2, 1, 3), (1, 0, 0), (0, 0, 1)])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), COMPACT)
def test_results(functions, rng, op, letter, order, gaps):
    """In any memory order, with any leading dimensions; nothing else is written."""
    for count in COUNTS:
        for sizes in ((3, 4, 2), (4, 2, 3), (1, 1, 1), (2, 3, 0), (0, 2, 2)):
            g = group(rng, op, PRECISIONS[letter].dtype, order, count, sizes)
            info = np.full(count + 1, 77, np.int32)
            assert run(functions, g, gaps, info) == 0
            g.check()
            assert info.tolist() == [0 if operation(op).info else 77] * count + [77]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("n", "count"), [(3, 460), (17, 19)])
def test_copies_of_some_blocks_at_a_time(functions, rng, n, count, order):
    """As many as a buffer has room for; of a matrix for which it has none one."""
    g = group(rng, "getrfnp", "float64", order, count, (n, n))
    info = np.full(count + 1, 77, np.int32)
    assert run(functions, g, (1,), info) == 0
    g.check()
    assert info.tolist() == [0] * count + [77]


def failing(rng, op, letter, order):
    """Nineteen matrices, of which two cannot be done, and what is said of them."""
    row = operation(op)
    g = group(rng, op, PRECISIONS[letter].dtype, order, 19, (3,) * len(row.sizes))
    for matrix, place in ((4, 2), (17, 1)):
        ORACLES[op].fail(g.view("A")[matrix], place - 1, 0)
    expected = np.zeros(19, np.int32)
    expected[[4, 17]] = 2, 1
    return g, expected


@pytest.mark.parametrize("gap", [0, 2])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), [pair for pair in COMPACT if operation(pair[0]).info])
def test_info_of_each_matrix(functions, rng, op, letter, order, gap):
    g, expected = failing(rng, op, letter, order)
    g.before = {name: x.copy() for name, x in g.memory.items()}
    info = np.full(20, 77, np.int32)
    run(functions, g, (gap,), info)
    assert info.tolist() == [*expected.tolist(), 77]
    good = expected == 0
    x, y = (g.view("A", {"A": memory["A"]})[good] for memory in (g.before, g.memory))
    if op == "getrinp":
        assert g.view("A")[~good].tobytes() == g.view("A", g.before)[~good].tobytes()
    again = Group(op, g.dtype, order, g.flags, g.sizes, {}, {"A": x.copy()})
    again.view("A")[...] = y
    again.check()


@pytest.mark.parametrize(("end", "kind"), [("", np.int32), ("_64", np.int64)])
def test_info_by_the_name_of_the_vendor_is_one_number(functions, rng, end, kind):
    """Programs have room for one, as the vendor writes no more."""
    g, _ = failing(rng, "potrf", "d", "F")
    numbers = ctypes.c_int64 if end else ctypes.c_int
    for count, said in ((4, 0), (19, 2)):
        x, info = Packed(functions, g, "A", 0), np.full(2, 77, kind)
        where = [numbers(3), passed(x.memory), numbers(3), passed(info), FORMAT, numbers(count)]
        functions[f"mkl_dpotrf_compact{end}"](ORDERS["F"], g.arguments["uplo"], *where)
        assert info.tolist() == [said, 77]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("op", "letter"), COMPACT)
def test_illegal_arguments(functions, rng, op, letter, order):
    g = group(rng, op, PRECISIONS[letter].dtype, order, 9, (3, 3, 3), idle=True)
    null = ["info"] if operation(op).info else ["alpha"] * PRECISIONS[letter].complex
    for position, name in enumerate(ARGUMENTS[op].split(), 1):
        if name in ("alpha", "beta", "work") and name not in null:
            continue
        wrong = None if name in null or name.isupper() else 2 if name.startswith("ld") else -2
        for gaps in ((0, 0, 0), (1, 1, 1)):
            assert run(functions, g, gaps, **{name: wrong}) == -position, name
    g.check()


def test_illegal_arguments_of_copies(functions, rng, capfd):
    """They are returned, and by the vendor's names said."""
    function, a = functions[f"{LIBRARY}_dgepack_compact"], np.full(80, 77.0)
    pointers = ints([a.ctypes.data], ctypes.c_void_p)
    good = [102, *long(3, 2), pointers, *long(3), passed(a), *long(3), FORMAT, *long(1)]
    for position, wrong in enumerate([100, *long(-1, -1), None, *long(2), None, *long(2), 182, *long(-1)], 1):
        bad = [*good[: position - 1], wrong, *good[position:]]
        assert function(*bad) == -position
        functions.mkl_dgeunpack_compact_64(*bad)
        said = re.fullmatch(r" \*\* On entry to (\w+) parameter number +(\d+) .*\n", capfd.readouterr().err)
        assert said.groups() == ("mkl_dgeunpack_compact_64", str(position))
    size = functions[f"{LIBRARY}_dget_size_compact"]
    size.restype = ctypes.c_int64
    assert [size(*long(3, 2), FORMAT - 1, *long(1)), size(*long(3, 2), FORMAT, *long(-1))] == [-3, -4]
    assert functions.mkl_dget_size_compact(3, 2, FORMAT, -1) == 0
    assert "mkl_dget_size_compact parameter number  4" in capfd.readouterr().err
    assert (a == 77).all()


def test_a_workspace_is_asked_for_and_not_used(functions, rng):
    """As large as the vendor's: programs allocate what they are told."""
    g = group(rng, "getrinp", "complex128", "F", 19, (3,), idle=True)
    a, work, info = Packed(functions, g, "A", 1), np.full(2, 77.0), np.full(20, 77, np.int32)
    call = functions[f"{LIBRARY}_zgetrinp_compact"]
    given = [ORDERS["F"], *long(3), passed(a.memory), *long(a.ld)]
    rest = [passed(info), FORMAT, *long(19)]
    assert call(*given, passed(work), *long(-1), *rest) == 0
    assert work.tolist() == [3 * 2 * 8, 77]
    assert call(*given, None, *long(-1), *rest) == -5
    assert (info == 77).all()
    a.checked(written=False)
    assert call(*given, None, *long(0), *rest) == 0
    assert info.tolist() == [0] * 19 + [77]


@pytest.fixture(scope="module")
def printed(c_library, tmp_path_factory):
    """What the program for a vendor's library prints with ours."""
    return run_program("compact.c", c_library, tmp_path_factory.mktemp("ours")).stdout


def test_a_program_for_a_vendor(printed):
    """It compares what it computes with plain loops."""
    assert "wrong" not in printed
    assert len(printed.splitlines()) == 4 * len(COMPACT)


def test_onemkl_computes_the_same(printed, c_library, tmp_path):
    links, environment = onemkl()
    theirs = run_program("compact.c", c_library, tmp_path, links=links, environment=environment).stdout
    for ours, other in zip(printed.splitlines(), theirs.splitlines(), strict=True):
        if "numbers" in ours:  # of memory: of processors of other makers oneMKL wants less
            continue
        (*names, numbers), (*others, found) = ours.split(" ", 2), other.split(" ", 2)
        assert names == others
        values, expected = (np.array([complex(x.replace("i", "j")) for x in some.split()]) for some in (numbers, found))
        np.testing.assert_allclose(values, expected, atol=0.011, err_msg=ours)  # of two digits the last

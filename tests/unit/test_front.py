"""What users see of the package before anything is computed: its names, signatures, help and refusals."""

from __future__ import annotations

import inspect
import re
import typing
from types import FunctionType

import numpy as np
import pytest
from click.testing import CliRunner

import bblas_gen as bb
from bblas_gen.cli.main import main
from bblas_gen.ir.documentation import FUNCTIONS
from bblas_gen.toolchain import machine

OTHERS = sorted(name for name in bb.__all__ if isinstance(getattr(bb, name), FunctionType) and name not in FUNCTIONS)
"""Public functions that are written by hand."""


def test_tab_shows_what_is_public():
    assert dir(bb) == bb.__all__
    for operand in (bb.Interleaved.empty((3, 2, 2)), bb.Pointers.of([np.ones((2, 2))])):
        shown = {name for name in dir(operand) if not name.startswith("_")}
        assert {"batch", "shape", "dtype"} <= shown
        assert not shown & {"as_operand", "call_key", "recipe", "form", "places"}


def test_signatures_show_types_without_quotes():
    shown = str(inspect.signature(bb.gemm))
    assert "c: BatchLike | None = None" in shown
    assert "Literal['N', 'T', 'C', 'R'] | list[str] = 'N'" in shown
    assert "data: Array, batch: int" in str(inspect.signature(bb.Interleaved))
    assert "-> Interleaved" in str(inspect.signature(bb.Interleaved.empty))
    assert "'" not in str(inspect.signature(bb.deinterleave))
    assert typing.get_type_hints(bb.posv)["uplo"] == typing.Literal["L", "U"] | list[str]


@pytest.mark.parametrize("name", OTHERS)
def test_functions_that_are_written_by_hand_are_documented_as_the_others(name):
    text = inspect.getdoc(getattr(bb, name))
    titles = re.findall(r"^(\w+)\n-+$", text, re.MULTILINE)
    order = ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]
    assert titles == [title for title in order if title in titles]
    assert {"Parameters", "Returns", "Raises", "Examples"} <= set(titles)
    arguments = text[text.index("Parameters") : text.index("Returns\n---")]
    described = re.findall(r"^\*{0,2}(\w+)(?: : .*)?$", arguments, re.MULTILINE)
    assert described[1:] == list(inspect.signature(getattr(bb, name)).parameters)


def test_what_things_print():
    spec = bb.KernelSpec.make("gemm", m=2, n=3, k=4, layout="bi", target="cuda")
    assert repr(spec) == "KernelSpec.parse('bb_dgemm_nn_bi_m2n3k4', 'cuda')"
    assert eval(repr(spec), {"KernelSpec": bb.KernelSpec}) == spec


@pytest.mark.parametrize("name", ["gemm", "symm", "dot", "posv"])
def test_an_unknown_argument_is_refused_with_those_there_are(name):
    function = getattr(bb, name)
    known = [x.name for x in inspect.signature(function).parameters.values() if x.kind is not x.VAR_KEYWORD]
    expected = f"{name} has no argument 'lower': expected {', '.join(known)}"
    with pytest.raises(TypeError) as raised:
        function(1, 2, 3, lower=True) if name == "symm" else function(1, 2, lower=True)
    assert str(raised.value) == expected


class Foreign:
    """An array of another library that shares its memory."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **named):
        return self.array.__dlpack__(**named)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Convertible:
    def __array__(self, dtype=None, copy=None):
        return np.ones((1, 2, 2))


def test_arrays_of_other_libraries_are_refused_with_the_way_in():
    a = np.ones((3, 2, 2))
    with pytest.raises(TypeError, match=r"a is a Foreign: expected a 3-D array .*; np\.from_dlpack\(a\) has the same"):
        bb.gemm(Foreign(a), a)
    with pytest.raises(TypeError, match=r"b\[1\] is a Foreign: expected a 2-D array; np\.from_dlpack\(b\[1\]\)"):
        bb.gemm(a, [a[0], Foreign(a[1])])
    with pytest.raises(TypeError, match=r"x is a Foreign: .*np\.from_dlpack\(x\)"):
        bb.scal(Foreign(a[0]), alpha=2)
    with pytest.raises(TypeError, match=r"a is a Convertible: .*; np\.asarray\(a\) makes an array of it"):
        bb.gemm(Convertible(), a)
    with pytest.raises(TypeError, match=r"a is a float64: expected a 3-D array[^;]*$"):
        bb.gemm(np.float64(1), a)
    assert np.shares_memory(np.from_dlpack(Foreign(a)), a)


def shown(*words):
    return CliRunner().invoke(main, [*words]).output


def test_help_has_whole_sentences():
    for group in ((), ("cache",), ("bench",)):
        text = shown(*group, "--help").split("Commands:")[1]
        assert "..." not in text
        assert len(re.findall(r"^  [a-z2-]+ {2,}[A-Z]", text, re.MULTILINE)) >= 6
    assert "tune [OPTIONS] [OPERATION]\n" in shown("tune", "--help")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("explain bb_dgemm_nn_bi_m8n8k8 --arch sm_90", "expected --target cuda"),
        ("bench gemm --json nowhere/x.json", "there is no folder 'nowhere'"),
        ("compile -s m=1..20000 -s n=1 -s k=1", "10000 sizes at most"),
    ],
)
def test_what_a_command_refuses(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in shown(*words.split())


def test_info_has_units(monkeypatch):
    monkeypatch.setattr(machine, "caches", lambda: {"l1d": 32 << 10, "l2": None})
    monkeypatch.setattr(machine, "load", lambda: 1.23456)
    lines = shown("info").splitlines()
    assert [line.split(None, 2)[2] for line in lines if line.startswith(("caches", "threads load"))] == [
        "1.2",
        "32 KiB",
        "-",
    ]

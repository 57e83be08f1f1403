"""What templates are given and what they use are the same names."""

from __future__ import annotations

import re

import pytest
from jinja2 import Environment, meta
from support import golden

from bblas_gen.codegen.context import empty_context, has_output, kernel_context
from bblas_gen.codegen.device import launch_context
from bblas_gen.codegen.operands import operands_of
from bblas_gen.codegen.recursive import recursive_context
from bblas_gen.codegen.render import source_of, template_folder
from bblas_gen.codegen.scratch import scratch_of
from bblas_gen.codegen.signature import signature_of
from bblas_gen.ir.program import Program
from bblas_gen.ir.spec import KernelSpec
from bblas_gen.ir.targets import Isa
from bblas_gen.schedule.choose import choose

LOCAL = {"full", "move", "node", "p"}
"""Names that a template has from the one that includes it: arguments of macros, of with, and what a loop is over."""

OTHERS = ("bench", "emit", "large", "library")
"""Folders of templates that are no part of kernels."""


def given():
    """The names that some golden kernel gives its templates."""
    found = set()
    for symbol, target, simd_bytes, overrides in golden.SET:
        program = Program.of(KernelSpec.parse(symbol, target))
        schedule = choose(program, Isa.of(simd_bytes), **overrides)
        if schedule.form == "recursive":
            found |= recursive_context(program, schedule).keys() | signature_of(program.spec).context().keys()
            continue
        program = program.in_form(schedule.form)
        context = kernel_context if has_output(program) else empty_context
        operands, entry = operands_of(program, schedule), signature_of(program.spec)
        found |= context(program, schedule, operands, scratch_of(program, schedule, operands), entry).keys()
        found |= launch_context(entry, ()).keys()
    return found | {"launcher", "inner", "is_large", "heap_bytes"}


def used():
    """The names that templates of kernels do not define."""
    environment = Environment(trim_blocks=True, autoescape=False)
    environment.filters["index"] = environment.tests["before"] = str
    folder = template_folder()
    paths = [p for p in folder.rglob("*.c*") if p.relative_to(folder).parts[0] not in OTHERS]
    return set().union(*(meta.find_undeclared_variables(environment.parse(p.read_text())) for p in paths))


def test_all_that_templates_use_is_given_and_all_that_is_given_is_used():
    assert used() - LOCAL == given()


@pytest.mark.parametrize("strides", ["", "_ld", "_rs"])
@pytest.mark.parametrize("name", ["dgemm_nn_st_m1n1k1", "dgesvd_st_m1n5", "zgesvdvals_st_m5n1", "dsyev_vl_st_n1"])
def test_what_moves_one_number_of_each_matrix_is_there(name, strides):
    spec = KernelSpec.parse(f"bb_{name}{strides}")
    text = source_of(spec, Isa.of(64)).text
    used = set(re.findall(r"\b(bb_(?:un)?pack\d+)\(", text))
    made = set(re.findall(r"^static .*\b(bb_(?:un)?pack\d+)\(", text, re.MULTILINE))
    assert used == made

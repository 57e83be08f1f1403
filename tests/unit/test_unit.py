"""Several kernels as one text: what is renamed, what is not, and that nothing is shared."""

from __future__ import annotations

import re

import pytest
from support import golden
from support.sources import source

from bblas_gen.codegen.unit import unit

SOURCES = [source("bb_dgemm_nn_bi_m4n4k4"), source("bb_zposv_l_st_n3nrhs2"), source("bb_sgemm_nn_st_m3n3k3")]
DEFINED = re.compile(
    r"^#define (\w+)|^typedef .*?(\w+)(?: __attribute__.*)?;|^static .*?(\w+)(?:\[\]|\))?\s*[(=](?!\*)|^int (\w+)\(",
    re.MULTILINE,
)


def defined(text):
    return {next(filter(None, match)) for match in DEFINED.findall(text)}


def test_entry_points_keep_their_names():
    made = unit(SOURCES)
    assert made.entries == tuple(s.symbol for s in SOURCES)
    for s in SOURCES:
        assert len(re.findall(rf"\bint {s.symbol}\(", made.text)) == 1


def test_two_schedules_of_one_kernel_have_two_entry_points():
    same = [source("bb_dgemm_nn_st_m3n3k3"), source("bb_dgemm_nn_st_m3n3k3", form="lane"), SOURCES[0]]
    made = unit(same)
    assert made.entries == ("bb_dgemm_nn_st_m3n3k3", "bb_dgemm_nn_st_m3n3k3__1", "bb_dgemm_nn_bi_m4n4k4")
    for entry in made.entries:
        assert len(re.findall(rf"\bint {entry}\(", made.text)) == 1


@pytest.mark.parametrize("name", [name for name in golden.texts() if name.endswith(".c")])
def test_all_names_of_a_kernel_are_ours_to_change(name):
    """Or two kernels of a unit would collide."""
    names = defined(golden.texts()[name])
    assert len(names) > (2 if "m0" not in name else 0)
    assert not [x for x in names if not x.startswith(("bb_", "BB_"))]


def test_no_name_is_in_two_kernels():
    made = unit(SOURCES)
    parts = [unit([s]).text for s in SOURCES]
    assert made.text.count("\n") == sum(part.count("\n") for part in parts) + len(parts) - 1
    found = [x for x in re.findall(r"\b(?:bb|BB)\d*_\w+", made.text) if x not in (*made.entries, "BB_POOL")]
    owners = {name: re.match(r"[a-zA-Z]+(\d+)_", name) for name in found}
    assert all(owners.values())
    assert {owner[1] for owner in owners.values()} == {"0", "1", "2"}


def test_the_thread_pool_is_asked_for_as_compilers_are_told():
    asked = r"defined\((BB\w*_POOL)\)"
    assert set(re.findall(asked, unit(SOURCES).text)) == {"BB_POOL"}


def test_a_text_is_changed_in_nothing_but_names():
    first = SOURCES[0]
    made = unit([first])
    assert re.sub(r"\b(bb|BB)0_", r"\1_", made.text) == first.text

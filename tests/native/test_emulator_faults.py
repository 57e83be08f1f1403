"""The emulator of CUDA finds the faults that it is there for: each is put into a kernel that runs without it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from support import emulator
from support.emulator import ORDERS, LaunchError

WARP = 32
TEXT = (Path(__file__).resolve().parents[1] / "programs" / "faults.cu").read_text()
KERNELS = ["block", "group", "copies", "pivots", "counters", "blocks"]
RACE, UNWRITTEN, ARRIVES = "no barrier is between them", "nobody has written", "before the end of the asynchronous copy"
FAULTS = {
    "block": {
        "BARRIER_REMOVED": UNWRITTEN,
        "READ_BEFORE_WRITE": f"{UNWRITTEN}, in line LINE$",
        "SECOND_BARRIER_REMOVED": RACE,
        "THIRD_BARRIER_REMOVED": RACE,
        "BARRIER_NOT_REACHED": "waits for ever at __sync.* in line .*, as thread .* does at __sync.* in line",
        "BARRIER_IN_A_LOOP": "__syncthreads in line .* meets that in line .* of thread",
        "INDEX_OUT_OF_BOUNDS": "an index in line LINE is out of bounds",
        "BEHIND_AN_ARRAY": "writes shared memory behind an array, in line LINE",
        "VECTOR_BEYOND_SHARED": "reads shared memory at byte .* of .*, in line LINE",
        "BEYOND_THE_ARRAY": "writes 8 bytes at .*, which belong to no argument, in line LINE",
        "BEFORE_THE_ARRAY": "reads 8 bytes at .*, which belong to no argument, in line LINE",
        "SAME_PLACE": RACE,
        "MISALIGNED": "an address in line LINE is not aligned",
    },
    "group": {
        "ONE_PLACE": RACE,
        "NEIGHBOURS_PLACE": RACE,
        "WARP_BARRIER_REMOVED": UNWRITTEN,
        "ANOTHERS_MASK": "a lane that is not in its mask 000000ff",
        "TWO_MASKS": "with mask .* meets one in line .* with mask",
        "SOURCE_OUTSIDE": "reads lane 0, which is outside its mask",
        "PARTNER_OUTSIDE": "__shfl_xor_sync in line LINE reads lane .*, which is outside its mask",
        "SOURCE_HAS_LEFT": "reads lane .*, which is outside its mask .* or has left",
        "TRIP_COUNTS": "__shfl_.* in line .* meets",
        "TWO_OPERATIONS": "__a.._sync in line .* meets __a.._sync in line",
        "BAD_WIDTH": "has width 6",
    },
    "copies": {
        "COMMIT_REMOVED": ARRIVES,
        "WRONG_WAIT": ARRIVES,
        "WAIT_REMOVED": ARRIVES,
        "BARRIER_BEHIND_WAIT_REMOVED": f"{UNWRITTEN}|{ARRIVES}",
        "BARRIER_BEFORE_COPY_REMOVED": f"{RACE}|{ARRIVES}",
        "COPY_MISALIGNED": "not multiples",
        "COPY_TO_GLOBAL": "not shared memory",
    },
    "pivots": {
        "HALF_A_VECTOR": UNWRITTEN,
        "ARRIVAL_REMOVED": ARRIVES,
        "BARRIER_BEHIND_COPIES_REMOVED": f"{UNWRITTEN}|{ARRIVES}",
        "VECTOR_MISALIGNED": "is not aligned as its type",
        "BARRIER_BEFORE_VECTOR_REMOVED": RACE,
        "VECTORS_OVERLAP": RACE,
        "REDUCTION_FOR_BARRIER": RACE,
        "REDUCTION_MASK": "__reduce_max_sync in line LINE by a lane that is not in its mask",
        "REDUCTION_MASKS": "__reduce_max_sync in line .* (meets|with mask)",
        "REDUCTION_SKIPPED": "__reduce_max_sync in line .* meets __syncwarp in line LINE|__syncwarp in line LINE meets",
        "TWO_REDUCTIONS": "__reduce_m.._sync in line LINE meets __reduce_m.._sync in line LINE",
    },
    "counters": {
        "COUNTER_NOT_SET": UNWRITTEN,
        "BARRIER_BEFORE_COUNTER_REMOVED": f"{RACE}|{UNWRITTEN}",
        "COUNTER_NOT_ATOMIC": RACE,
        "COUNTER_OUTSIDE": "writes 4 bytes at .*, which belong to no argument, in line LINE",
        "BARRIER_BEHIND_COUNTER_REMOVED": RACE,
    },
    "blocks": dict.fromkeys(
        ["TWO_BLOCKS_WRITE", "ANOTHER_BLOCK_READS", "ANOTHER_BLOCK_HAS_READ"], "memory, in line .*, that another block"
    ),
}
IN_RESULTS = {
    "block": ["BARRIER_REMOVED", "READ_BEFORE_WRITE", "THIRD_BARRIER_REMOVED"],
    "group": ["WARP_BARRIER_REMOVED"],
    "copies": ["COMMIT_REMOVED", "WRONG_WAIT", "WAIT_REMOVED", "BARRIER_BEHIND_WAIT_REMOVED"],
    "counters": ["BARRIER_BEHIND_COUNTER_REMOVED"],
    "pivots": ["HALF_A_VECTOR", "ARRIVAL_REMOVED", "BARRIER_BEHIND_COPIES_REMOVED"],
}
"""Faults that also make results wrong."""
NUMBERS = {name: 1 + i for i, name in enumerate(name for some in FAULTS.values() for name in some)}


@pytest.fixture(scope="module")
def checked():
    return emulator.compile(TEXT, KERNELS, NUMBERS | {"WARP": WARP}, sanitize="checks")


@pytest.fixture(scope="module")
def unchecked():
    return emulator.compile(TEXT, KERNELS, NUMBERS | {"WARP": WARP})


def run(module, kernel, order, fault="", shared_bytes=None):
    x = np.arange(1.0, 1 + 4 * WARP)
    y = np.zeros(4 if kernel == "blocks" else 4 * WARP if kernel == "block" else WARP)
    shape = (4, 1) if kernel == "blocks" else (1, len(y))
    dynamic = 8 * 4 * WARP * (kernel == "block") if shared_bytes is None else shared_bytes
    module.launch(kernel, *shape, dynamic, x, y, NUMBERS.get(fault, 0), order=order)
    return y


def right(kernel):
    x = np.arange(1.0, 1 + 4 * WARP)
    if kernel == "block":
        return x[::-1] + np.roll(x[::-1], -1)
    if kernel == "group":
        return np.repeat(x[:WARP].reshape(4, 8).sum(1), 8)
    if kernel == "counters":
        return np.full(WARP, x[:WARP].sum())
    if kernel == "pivots":
        lane = np.arange(WARP)
        return x[lane ^ 1] + x[WARP + (lane ^ 1)] + WARP + x[lane ^ 3]
    return x.reshape(4, WARP).sum(0)[::-1] if kernel == "copies" else x[:4]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_without_faults(checked, kernel, order):
    assert run(checked, kernel, order).tolist() == right(kernel).tolist()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("kernel", "fault"), [(kernel, fault) for kernel, some in FAULTS.items() for fault in some])
def test_each_fault_is_found(checked, kernel, fault, order):
    line = TEXT[: re.search(rf"\b{fault}\b", TEXT).start()].count("\n") + 1
    with pytest.raises(LaunchError, match=FAULTS[kernel][fault].replace("LINE", str(line))):
        run(checked, kernel, order, fault)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("kernel", "fault"), [(kernel, fault) for kernel, some in IN_RESULTS.items() for fault in some]
)
def test_faults_spoil_results(unchecked, kernel, fault, order):
    assert run(unchecked, kernel, order).tolist() == right(kernel).tolist()
    assert run(unchecked, kernel, order, fault).tolist() != right(kernel).tolist()


@pytest.mark.parametrize(
    ("module", "fault"), [("checked", "shared memory at byte"), ("unchecked", "writes dynamic shared")]
)
def test_too_little_shared_memory_is_found(request, module, fault):
    with pytest.raises(LaunchError, match=fault):
        run(request.getfixturevalue(module), "block", "forward", shared_bytes=8 * (4 * WARP - 1))

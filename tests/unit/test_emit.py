"""Files that are emitted: names, headers, what is refused."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from support.sources import source

from bblas_gen.codegen import emit
from bblas_gen.errors import SpecError


def test_files_are_not_overwritten_unasked(tmp_path):
    symbol = "bb_dgemm_nn_st_m2n2k2"
    emit.emit([source(symbol)], tmp_path)
    emit.emit([source(symbol)], tmp_path)
    path = tmp_path / f"{symbol}.c"
    path.write_text("mine")
    (tmp_path / "bblas_kernels.h").unlink()
    with pytest.raises(FileExistsError, match="exists and differs"):
        emit.emit([source(symbol)], tmp_path)
    assert path.read_text() == "mine"
    assert not (tmp_path / "bblas_kernels.h").exists()
    emit.emit([source(symbol)], tmp_path, force=True)
    assert path.read_text() == source(symbol).text


@pytest.mark.parametrize("header", ["../x.h", "x", "x.c", "a b.h", "x.h\n", "/x.h", ""])
def test_headers_have_plain_names(header, tmp_path):
    with pytest.raises(SpecError, match="is not a file name"):
        emit.emit([source("bb_dgemm_nn_st_m2n2k2")], tmp_path, header=header)
    assert not list(tmp_path.iterdir())


def test_kernels_must_fit_one_header(tmp_path):
    twice = [source("bb_dgemm_nn_bi_m2n2k2")] * 2
    with pytest.raises(SpecError, match="name a kernel twice"):
        emit.emit(twice, tmp_path)
    with pytest.raises(SpecError, match="several targets"):
        emit.emit([twice[0], source("bb_dgemm_nn_bi_m3n2k2", target="cuda")], tmp_path)


def test_what_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        emit.emit([source("bb_dgemm_nn_st_m2n2k2")], tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_only_files_are_compared_and_overwritten(make, tmp_path):
    make(tmp_path / "bb_dgemm_nn_st_m2n2k2.c")
    with pytest.raises(FileExistsError, match="exists and is no file"):
        emit.emit([source("bb_dgemm_nn_st_m2n2k2")], tmp_path)
    assert len(list(tmp_path.iterdir())) == 1

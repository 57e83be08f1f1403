"""Memory of a GPU that was lent to other libraries by DLPack.

A library names the stream on which it works when it asks for an array. When it lets go of it, that stream may be at
work still, or be no more. So memory that was lent is not freed in the order of the default stream as other memory is,
but behind all that the GPU was asked for by then, on a stream that does nothing else: nobody waits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from .launches import done


class Memory:
    """What arrays of ours are in. What was ``lent`` is freed no sooner than :func:`taken` has it."""

    __slots__ = ("_left", "buffer", "lent")

    def __init__(self, buffer: Any, left: deque[Any]) -> None:
        self.buffer, self.lent, self._left = buffer, False, left

    def __del__(self) -> None:
        if self.lent:  # in any thread, and perhaps while a stream captures: what asks the driver is for later
            self._left.append(self.buffer)


def taken(left: deque[Any]) -> list[Any]:
    """What was lent, and nobody has any more."""
    found = list[Any]()
    with suppress(IndexError):  # others took the last one
        while left:
            found.append(left.popleft())
    return found


def free(buffers: Sequence[Any], device: Any, stream: Any) -> bool:
    """Free them on ``stream``, behind all that was queued on the ``device``, which is current, on any stream. Whether
    that is possible now: while another thread captures it is not.

    To ask for it then would also make the capture useless, in any mode of capturing. So the default stream is asked
    first, which does no harm: it answers so while a stream captures that it would wait for. Of others nobody knows.
    """
    from cuda.bindings import driver  # here: it is an extra

    status, _ = driver.cuStreamIsCapturing(driver.CU_STREAM_LEGACY)
    if status == driver.CUresult.CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
        return False
    event = device.create_event()
    (context,) = done(driver.cuCtxGetCurrent())
    try:
        (status,) = driver.cuCtxRecordEvent(context, event.handle)
        if not int(status):
            (status,) = driver.cuStreamWaitEvent(stream.handle, event.handle, 0)
    except RuntimeError:  # drivers before CUDA 12.5 have no such events
        (status,) = driver.cuCtxSynchronize()
    if int(status):
        return False
    for buffer in buffers:
        buffer.close(stream)
    return True

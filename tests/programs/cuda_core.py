"""Runs a module of the emulator through cuda-core: its image, then the numbers x of which y + 2 x is printed."""

import sys
from pathlib import Path

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, ObjectCode, launch


def done(result):
    assert result[0] == driver.CUresult.CUDA_SUCCESS, result


device = Device()
device.set_current()
stream = device.create_stream()
kernel = ObjectCode.from_cubin(Path(sys.argv[1]).read_bytes()).get_kernel("axpy")
x = np.array(sys.argv[2:], float)
y = np.ones_like(x)
ours = [device.allocate(x.nbytes, stream=stream) for _ in range(2)]
for to, values in zip(ours, (x, y), strict=True):
    done(driver.cuMemcpyHtoDAsync(int(to.handle), values.ctypes.data, x.nbytes, stream.handle))
arguments = (kernel, *ours, np.float64(2), np.int32(len(x)))
launch(stream, LaunchConfig(grid=2, block=32), *arguments)
stream.sync()
done(driver.cuMemcpyDtoH(y.ctypes.data, int(ours[1].handle), x.nbytes))
print(*y)

graph = device.create_graph_builder()
graph.begin_building()
launch(graph, LaunchConfig(grid=2, block=32), *arguments)
whole = graph.end_building().complete()
event = stream.record()
for _ in range(3):
    whole.launch(stream)
stream.sync()
event.sync()
done(driver.cuMemcpyDtoH(y.ctypes.data, int(ours[1].handle), x.nbytes))
print(*y)

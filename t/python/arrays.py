# SPDX-License-Identifier: BSD-3-Clause
# Arrays that numpy and h5py read and write: what is done in which line follows from the
# name, lineN.
#	arrays.py DIRECTORY
import sys

import h5py
import numpy as np


def at():
    """The path of a file that is named after the line that is running."""
    return "%s/line%d" % (sys.argv[1], sys._getframe(1).f_lineno)


def numpys(a):
    np.save(at(), a)
    a.tofile(at())
    np.fromfile(sys.argv[1] + "/line%d" % (sys._getframe().f_lineno - 1), dtype=a.dtype)
    np.savetxt(at(), a[:10])
    np.savez(at(), a=a, b=a)
    m = np.memmap(at(), dtype="f8", mode="w+", shape=(1000,)); m[:] = 1; m.flush(); del m


def h5pys(a):
    with h5py.File(at(), "w") as f: f.create_dataset("a", data=a); f["a"].attrs["x"] = 1; f.flush()


def main():
    a = np.arange(100000.0)
    numpys(a)
    h5pys(a)


main()

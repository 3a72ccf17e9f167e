"""How helpers of kernels are compiled."""

from __future__ import annotations

import pytest
from flocksim.simulate.compiled import jit_is_on, kernel, numba, types


@kernel
def twice(number, times=1):
    return number * 2 * times


@kernel
def six(number):
    return twice(1) + twice(2) + twice(number) - twice(number, times=1)


@pytest.mark.skipif(not jit_is_on(), reason="nothing is compiled")
def test_constants_do_not_compile_a_helper_again():
    """Once for a whole number, once more with `times` given."""
    assert numba.njit(types.int64(types.int64))(six.py_func)(7) == 6
    assert len(twice.signatures) == 2

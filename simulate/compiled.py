"""How kernels are compiled: one decorator for helpers, and a compile cache that can never be stale.

numba's own cache looks only at the file of the function it compiled, so an edited helper elsewhere would
silently not count. flocksim therefore points the cache at a folder named by a hash of every source file that
can end up inside a kernel, and of numba's version. Every other module takes numba from here, so that this comes first.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .cache_folder import cache_root

UNUSED_DAYS = 30


def source_files() -> Iterator[Path]:
    """Every source and data file that decides how games go, in a fixed order."""
    import flocksim.strategies

    for folder in (Path(__file__).parent, Path(flocksim.strategies.__file__).parent):
        yield from sorted(
            path
            for path in folder.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".md"
        )


def sources_hash(files: Iterable[Path]) -> str:
    """Hash of files, by folder, name and content, and of numba's version."""
    digest = hashlib.sha256(version("numba").encode())
    for path in files:
        digest.update(f"{path.parent.name}/{path.name}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _drop_unused(root: Path, keep: Path) -> None:
    """Remove compile caches that no run has used for a month."""
    limit = time.time() - UNUSED_DAYS * 86400
    for folder in root.glob("kernels-*"):
        if folder != keep and folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


SOURCES = sources_hash(source_files())
"""Stands for everything that decides how games go."""
KERNELS = sources_hash(path for path in source_files() if path.suffix == ".py")
"""Stands for everything that decides what a kernel does: data reaches kernels when they run."""
CACHE = root / f"kernels-{KERNELS}" if (root := cache_root()) else None


def _point_numba_at_cache(cache: Path) -> None:
    os.environ["NUMBA_CACHE_DIR"] = str(cache)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        os.utime(cache)
        _drop_unused(cache.parent, cache)
    except OSError:  # another process may be tidying up too; a cache is never worth a failure
        pass


if CACHE:
    _point_numba_at_cache(CACHE)

import warnings  # noqa: E402

import numba  # noqa: E402
from numba import types  # noqa: E402
from numba.core.errors import NumbaError, NumbaExperimentalFeatureWarning  # noqa: E402
from numba.extending import overload, typeof_impl  # noqa: E402

if CACHE:
    numba.config.CACHE_DIR = str(CACHE)  # type: ignore[attr-defined]  # where numba was imported before
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


_FOR_KERNELS: dict[str, Any] = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Callable[..., Any]) -> Any:
    """Decorator of compiled helpers: they compile inside, and are cached with, the functions that call them.

    A helper is compiled once for whole numbers, not once more for every constant that some caller hands it, and
    without the entry that Python calls need (a fifth of the compile time): the rare call from Python compiles anew.
    """
    dispatcher: Any = numba.njit(**_FOR_KERNELS)(function)
    if not jit_is_on():
        return dispatcher
    template = dispatcher.get_call_template

    def without_literals(args: Any, kws: Any) -> Any:
        return template([types.unliteral(arg) for arg in args], {k: types.unliteral(v) for k, v in kws.items()})

    def keep_for_kernels(compiled: Any) -> None:
        dispatcher.overloads[tuple(compiled.signature.args)] = compiled

    dispatcher.get_call_template = without_literals
    dispatcher.add_overload = keep_for_kernels
    from_python = cache(lambda: numba.njit(error_model="numpy")(function))
    dispatcher._compile_for_args = lambda *_, **__: from_python()
    return dispatcher


@cache
def _presume_blas() -> None:
    """Spare numba a quarter of a second at its first function: it imports scipy.linalg to see whether that is there.

    It is; and a kernel that multiplies matrices imports it when it does.
    """
    from numba.np import linalg

    asks, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        from numba.np import arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = asks


def compile_function(function: Callable[..., Any], signature: Any) -> Any:
    """Compile `function` for one fixed signature, from the cache when it is there.

    A function compiled so is a first-class value: other kernels take it as an argument and call it through its
    pointer without being compiled again. Without the JIT the plain function comes back, silent where 64-bit words
    wrap around as they do in a kernel.
    """
    function = getattr(function, "py_func", function)
    if not jit_is_on():
        import numpy as np

        return np.errstate(over="ignore")(function)
    _presume_blas()
    if CACHE is None:
        return _compile(function, signature, cache=False)
    try:
        return _compile(function, signature, cache=True)
    except NumbaError:
        raise
    except Exception:  # whatever a damaged or a full cache makes numba's reader and writer do
        made = _compile(function, signature, cache=False)  # or else it was not the cache
        shutil.rmtree(CACHE, ignore_errors=True)
        return made


def _compile(function: Callable[..., Any], signature: Any, cache: bool) -> Any:
    return numba.njit(signature, cache=cache, nogil=True, error_model="numpy")(function)


class FunctionValue(types.WrapperAddressProtocol):
    """A compiled function whose address is looked up once, for passing it to kernels over and over from Python.

    Handing over the compiled function itself makes numba work out its type and address at every call, some 30 us.
    """

    def __init__(self, compiled: Any) -> None:
        self._signature = compiled.nopython_signatures[0]
        result = compiled.overloads[self._signature.args]
        self._address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        self._keep_alive = compiled
        self.type = types.FunctionType(self._signature)

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        return self._signature


@typeof_impl.register(FunctionValue)
def _type_of(value: FunctionValue, context: Any) -> Any:
    return value.type


def function_value(compiled: Any) -> Any:
    """What stands for a compiled function when Python calls a kernel often; without the JIT the function itself."""
    return FunctionValue(compiled) if jit_is_on() else compiled


def entry(compiled: Any) -> Any:
    """What Python calls a compiled function by when the types of the arguments are known to be right, always.

    The function itself works them out at every call, which takes milliseconds for tuples of records and functions.
    """
    if not jit_is_on():
        return compiled
    return compiled.overloads[compiled.nopython_signatures[0].args].entry_point


def jit_is_on() -> bool:
    return not numba.config.DISABLE_JIT  # type: ignore[attr-defined]


__all__ = [
    "CACHE",
    "SOURCES",
    "compile_function",
    "entry",
    "function_value",
    "jit_is_on",
    "kernel",
    "numba",
    "overload",
    "types",
]

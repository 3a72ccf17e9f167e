"""Tells: figures, templates and the report, from result tables alone.

Import what you need from its modules; this package imports nothing, because the command line loads it lazily.
"""

import os

from flocksim.simulate.cache_folder import cache_root

if root := cache_root():  # else matplotlib would keep its font list in the user's home
    os.environ.setdefault("MPLCONFIGDIR", str(root / "matplotlib"))

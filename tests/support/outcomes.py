"""What a call comes to, to compare functions of ours with those of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def outcome(function: Callable[[Any], Any], a: Any) -> Any:
    """Shapes and dtypes of results, or the error."""
    try:
        found = function(a)
    except Exception as error:
        return type(error), str(error)
    return [(np.shape(x), np.asarray(x).dtype) for x in (found if isinstance(found, (tuple, list)) else (found,))]

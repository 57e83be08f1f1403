"""The oracles of all operations."""

from __future__ import annotations

from . import elementwise_oracles, lu_oracles, oracles, qr_oracles, svd_oracles

ORACLES = oracles.ORACLES | lu_oracles.ORACLES | qr_oracles.ORACLES | svd_oracles.ORACLES | elementwise_oracles.ORACLES

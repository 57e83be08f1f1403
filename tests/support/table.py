"""The oracles of all operations."""

from __future__ import annotations

from . import eig_oracles, elementwise_oracles, lu_oracles, oracles, qr_oracles

ORACLES = oracles.ORACLES | lu_oracles.ORACLES | qr_oracles.ORACLES | eig_oracles.ORACLES | elementwise_oracles.ORACLES

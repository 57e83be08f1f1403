"""The oracles of all operations."""

from __future__ import annotations

from . import eig_oracles, elementwise_oracles, lu_oracles, oracles, qr_oracles, svd_oracles

MODULES = (oracles, lu_oracles, qr_oracles, eig_oracles, svd_oracles, elementwise_oracles)
ORACLES = {name: oracle for module in MODULES for name, oracle in module.ORACLES.items()}

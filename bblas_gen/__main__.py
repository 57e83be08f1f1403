"""``python -m bblas_gen``."""

from .cli import main

main(prog_name="bblas-gen")

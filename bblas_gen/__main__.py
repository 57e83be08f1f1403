"""``python -m bblas_gen``."""

from .cli.main import main

main(prog_name="bblas-gen")

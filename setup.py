"""``BBLAS_GEN_PREBUILD=1 pip install .`` puts the library with which no compiler is needed into the package, options of
``bblas-gen prebuild`` in the place of 1 a smaller one. All else is in pyproject.toml.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

WANTED = os.environ.get("BBLAS_GEN_PREBUILD", "").strip()
OPTIONS = [] if WANTED.lower() in {"1", "true", "yes", "on"} else shlex.split(WANTED)
NEEDED = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]


class Build(build_py):
    def run(self):
        super().run()
        if WANTED and not self.editable_mode:
            package = Path(self.build_lib).resolve() / "bblas_gen"
            with tempfile.TemporaryDirectory() as folder:
                environment = os.environ | {"PYTHONPATH": str(package.parent)}
                command = [sys.executable, "-m", "bblas_gen", "prebuild", *OPTIONS, "-o", folder]
                subprocess.run(command, cwd=folder, env=environment, check=True)
                for found in (*Path(folder).glob("lib/*.so.*"), *Path(folder).glob("share/*/manifest.json")):
                    target = package / "prebuilt" / found.relative_to(folder)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(found, target)


class Native(Distribution):
    def has_ext_modules(self):
        """Whether the wheel is for one kind of machine."""
        return bool(WANTED)


setup(cmdclass={"build_py": Build}, distclass=Native, setup_requires=NEEDED if WANTED else [])

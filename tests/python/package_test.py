"""The package as a whole: its version, its types, and where it finds its files."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
from importlib.util import find_spec

import rhumb

SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["RHUMB_BUILD_DIR"])


class Package(unittest.TestCase):
    def test_version_is_that_of_the_binary(self):
        result = subprocess.run([os.environ["RHUMB_BIN"], "--version"], capture_output=True, text=True, check=True)
        self.assertIn(rhumb.__version__, result.stdout)

    def test_stubs_are_those_of_the_extension(self):
        with tempfile.TemporaryDirectory() as folder:
            written = pathlib.Path(folder) / "_core.pyi"
            subprocess.run([SOURCE / "tools/make_stubs", written], check=True)
            committed = (SOURCE / "python/rhumb/_core.pyi").read_text()
            self.assertEqual(written.read_text(), committed, "mend with: tools/make_stubs")

    def test_extra_of_minari_brings_what_its_files_import(self):
        """Minari 0.5.4 requires neither h5py nor Pillow, but cannot write a dataset without them."""
        extras = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        given = " ".join(["numpy", "gymnasium", *extras["minari"]])
        storage = pathlib.Path(find_spec("minari").origin).parent / "dataset/_storages/hdf5_storage.py"
        packages = {"PIL": "pillow"}
        for module in re.findall(r"^ *(?:import|from) (\w+)", storage.read_text(), re.M):
            if module not in sys.stdlib_module_names:
                self.assertIn(packages.get(module, module), given)

    def test_everything_public_is_documented(self):
        for name in rhumb.__all__:
            self.assertTrue(getattr(rhumb, name).__doc__ or name == "Error", f"rhumb.{name} has no docstring")

    def test_everything_public_has_types(self):
        """Functions of the package annotate every parameter and their result."""
        for path in sorted((SOURCE / "python/rhumb").glob("*.py")):
            for line in re.findall(r"^ *def (.*?):\n", path.read_text(), re.M | re.S):
                with self.subTest(path=path.name, function=line):
                    self.assertIn("->", line)

    def test_needs_no_newer_system_than_the_wheel_says(self):
        """manylinux_2_34 (tools/make_wheel): glibc 2.34 and the libraries of GCC 11."""
        (extension,) = (BUILD / "python/rhumb").glob("_core.*.so")
        table = subprocess.run(["objdump", "-p", extension], capture_output=True, text=True, check=True).stdout
        for library, limit in {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (7, 0, 0)}.items():
            needed = {tuple(map(int, one.split("."))) for one in re.findall(rf"\b{library}_([\d.]+)$", table, re.M)}
            self.assertTrue(needed, library)
            self.assertLessEqual(max(needed), limit, library)

    def test_installed_package_needs_nothing_of_the_build(self):
        """An installed copy steers and steps, with libmujoco of the wheel beside it."""
        with tempfile.TemporaryDirectory() as folder:
            command = ["cmake", "--install", BUILD, "--component", "python", "--prefix", folder]
            subprocess.run(command, check=True, capture_output=True)
            self.assertTrue((pathlib.Path(folder) / "rhumb/py.typed").is_file())
            script = (
                "import rhumb, gymnasium\n"
                "assert rhumb.__file__.startswith({0!r}), rhumb.__file__\n"
                "print(rhumb.load('halfcheetah').steer(target={{'forward': 3000}}).status)\n"
                "gymnasium.make('rhumb/mo-hopper-v5').reset(seed=1)\n"
            ).format(folder)
            environment = {**os.environ, "PYTHONPATH": folder}
            result = subprocess.run(
                [sys.executable, "-c", script], env=environment, cwd=folder, capture_output=True, text=True
            )
            self.assertEqual(result.stdout, "solved\n", result.stderr)


if __name__ == "__main__":
    unittest.main()

"""Follows docs/embedding.md: installs librhumb and builds examples/embed against it alone."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["RHUMB_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["RHUMB_BUILD_DIR"])
DOCUMENT = SOURCE / "docs" / "embedding.md"
UNWANTED = re.compile(r"torch|mujoco|hdf5", re.I)


def sanitizer_of(build):
    return re.search(r"^RHUMB_SANITIZE:STRING=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)


def document_commands():
    block = re.search(r"^```sh\n(.*?)^```", DOCUMENT.read_text(), re.M | re.S).group(1)
    # The tested build, and a target that the sample model can reach.
    return block.replace("build/release", f"'{BUILD}'").replace("forward=4500", "forward=0.5").splitlines()


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class EmbedInstall(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        shutil.copytree(SOURCE / "examples" / "embed", cls.folder / "examples" / "embed")
        subprocess.run([BUILD / "bin" / "sample_model_writer", cls.folder / "cheetah.model"], check=True)
        # The program also needs the sanitizer's runtime.
        sanitizer = sanitizer_of(BUILD)
        cls.environment = {**os.environ, "CXXFLAGS": f"-fsanitize={sanitizer}" if sanitizer else ""}
        cls.results = [cls.run_line(line) for line in document_commands()]
        cls.library = cls.folder / "build" / "installed" / "lib" / "librhumb.so"
        cls.program = cls.folder / "build" / "embed" / "embed"

    @classmethod
    def run_line(cls, line):
        return subprocess.run(
            ["bash", "-c", line], cwd=cls.folder, env=cls.environment, capture_output=True, text=True, timeout=300
        )

    def test_the_commands_of_the_document_work(self):
        for result in self.results:
            self.assertEqual(result.returncode, 0, f"{result.args}\n{result.stdout}{result.stderr}")
        output = self.results[-1].stdout
        self.assertRegex(output, r"^sample-v0: 3 observations, 2 actions\nsolved in [\d.]+ ms\n")
        forward = float(re.search(r"^  forward +(\S+)", output, re.M).group(1))
        # A target counts as reached within 1.25 % of the range from -6 to 6.
        self.assertAlmostEqual(forward, 0.5, delta=0.15)
        self.assertRegex(output, r"acted in [\d.]+ us a step; the last action is( -?[01]\.\d{4}){2}\n$")

    def test_what_is_installed(self):
        installed = self.folder / "build" / "installed"
        files = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
        self.assertLessEqual(
            {
                "include/rhumb/steer/answer.h",
                "include/rhumb/steer/embed.h",
                "lib/librhumb.so",
                "lib/cmake/rhumb/rhumbConfig.cmake",
                "lib/cmake/rhumb/rhumbConfigVersion.cmake",
            },
            files,
        )
        headers = sorted(name for name in files if name.endswith(".h"))
        self.assertEqual(headers, ["include/rhumb/steer/answer.h", "include/rhumb/steer/embed.h"])
        for name in (installed / "lib" / "cmake").rglob("*.cmake"):
            self.assertNotIn(str(SOURCE), name.read_text(), f"{name} belongs to one machine")

    def test_neither_torch_nor_mujoco_nor_hdf5_is_needed(self):
        for binary in (self.library, self.program):
            loaded = output_of("ldd", binary)  # with what the libraries need in their turn
            self.assertIn("libstdc++", loaded)
            self.assertIsNone(UNWANTED.search(loaded), loaded)
            self.assertNotIn("not found", loaded)

    def test_the_document_names_what_is_needed(self):
        needed = set(re.findall(r"NEEDED.*\[(lib\w+)", output_of("readelf", "-d", self.library)))
        toolchain = {"libstdc", "libm", "libgcc_s", "libc", "libasan", "libubsan", "libtsan"}
        for name in needed - toolchain:
            self.assertIn(name, DOCUMENT.read_text())

    def test_the_library_shows_the_embedding_alone(self):
        symbols = output_of("nm", "-DC", "--defined-only", self.library).splitlines()
        names = [line.split(maxsplit=2)[2] for line in symbols]
        shown = re.compile(r"\brhumb::steer::(BehaviourMap|CodePolicy)::")
        self.assertTrue(any("rhumb::steer::BehaviourMap::Steer(" in name for name in names))
        ours = [name for name in names if "rhumb::" in name and not shown.search(name)]
        self.assertEqual(ours, [])

    def test_bad_input_is_one_sentence(self):
        for words, sentence in {
            "nowhere.model forward=1": "nowhere.model",
            "cheetah.model forwards=1": "forwards",
            "cheetah.model forward=nan": "nan",
        }.items():
            result = self.run_line(f"build/embed/embed {words}")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(sentence, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_what_is_out_of_reach_is_diagnosed(self):
        result = self.run_line("build/embed/embed cheetah.model energy=10 'forward>=2' '2*forward<=2'")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"\ninfeasible in [\d.]+ ms\n.*forward")


if __name__ == "__main__":
    unittest.main()

"""rhumb/<room>/<file>.cc has a test of its own, tests/<room>/<file>_test.cc, and no test is astray."""

import pathlib
import unittest

import sources

# The verbs of the command line are tested as a person meets them: tests/cli/*_test.py run the binary.
VERBS = "_command.cc"

# Tested through others, for good.
TESTED_ELSEWHERE = {
    "cli/main.cc": "RunCommandLine and an exit",
    "cli/command_line.cc": "tests/cli/command_test.py and options_test.py",
    "learn/device/cuda/graph_step.cc": "runs only on a GPU, which the tests do without",
    "learn/device/cuda/nccl_exchange.cc": "runs only on GPUs, which the tests do without",
    "net/kernels_avx2.cc": "tests/net/kernels_test.cc tries every instruction set of the machine",
    "net/kernels_avx512.cc": "likewise",
    "net/kernels_neon.cc": "likewise, by tools/check_arm64 on other machines",
    "net/kernels_portable.cc": "likewise",
    "serve/http_session.cc": "tests/serve/server_test.py, over a real connection",
    "serve/server.cc": "likewise",
    "serve/viewer.cc": "likewise",
    "python/bindings.cc": "tests/python/*_test.py, as a person meets it",
    "python/data_binding.cc": "tests/python/grounding_test.py",
    "python/environment_binding.cc": "tests/python/envs_test.py",
    "python/model_binding.cc": "tests/python/steering_test.py and onnx_test.py",
    "python/module.cc": "likewise",
    "python/older_libstdcxx.cc": "tests/python/package_test.py, in the built extension",
    "python/population_binding.cc": "tests/python/population_test.py",
    "python/vector_environment.cc": "tests/python/envs_test.py",
}

# Tests of a property that several sources share.
OF_SEVERAL = {
    "eval/embedding_test.cc": "steer/embed, with roll-outs of its answers",
    "sim/allocation_test.cc": "stepping allocates nothing",
    "sim/divergence_test.cc": "simulations that diverge",
}


def below(folder):
    """The C++ sources below it, as "<room>/<file>.cc"."""
    paths = [path for path in sources.files(".cc") if path.parts[0] == folder]
    return {str(path.relative_to(folder)) for path in paths}


def test_of(source):
    return source.removesuffix(".cc") + "_test.cc"


class Mirror(unittest.TestCase):
    code, tests = below("rhumb"), below("tests")

    def test_every_source_has_a_test(self):
        for source in sorted(self.code):
            if not source.endswith(VERBS) and source not in TESTED_ELSEWHERE:
                self.assertTrue(test_of(source) in self.tests, f"rhumb/{source} has no test of its own")

    def test_the_lists_are_up_to_date(self):
        for source in TESTED_ELSEWHERE:
            self.assertTrue(source in self.code, f"{source} is gone: shorten the list")
            self.assertFalse(test_of(source) in self.tests, f"{source} has a test: shorten the list")

    def test_every_test_has_a_source(self):
        for path in sorted(self.tests):
            if path.endswith("_test.cc") and path not in OF_SEVERAL and not path.startswith("support/"):
                source = pathlib.Path("rhumb", path.removesuffix("_test.cc"))
                known = [source.with_suffix(".cc"), source.with_suffix(".h")]
                self.assertTrue(any((sources.ROOT / one).exists() for one in known), f"{path} tests nothing")


if __name__ == "__main__":
    unittest.main()

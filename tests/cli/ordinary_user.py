"""Runs rhumb as an ordinary user, because root may write anywhere."""

import os
import subprocess

RHUMB = os.environ["RHUMB_BIN"]
NOBODY = 65534


def options(test, *folders):
    """What subprocess.run needs for it. The user may enter the folders; skips where that is not enough."""
    if os.getuid() != 0:
        return {}
    for folder in folders:
        folder.chmod(0o755)
    options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run([RHUMB, "version"], capture_output=True, check=True, **options)
    except (OSError, subprocess.CalledProcessError):
        test.skipTest("another user cannot run the binary here")
    return options

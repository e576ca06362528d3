"""A venv for a peer, made on first use."""

import subprocess
import sys
import venv


def ensure(folder, requirements):
    """Python of the venv that has the requirements."""
    python = folder / "bin" / "python"
    finished = folder / "requirements.txt"  # written last, so that a broken install is made again
    wanted = "\n".join(requirements) + "\n"
    if not finished.exists() or finished.read_text() != wanted:
        print(f"installing {', '.join(requirements)} into {folder}", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        command = [python, "-m", "pip", "install", "--quiet", *requirements]
        subprocess.run(command, check=True)
        finished.write_text(wanted)
    return python

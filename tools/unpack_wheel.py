"""Takes named parts out of a wheel: unpack_wheel.py WHEEL FOLDER PATTERN=SUBFOLDER...

A file whose path in the wheel matches PATTERN (* crosses no slash) goes to FOLDER/SUBFOLDER under
its own name; a PATTERN that ends in /** takes the whole tree below it. Every pattern must match.
"""

import pathlib
import shutil
import sys
import zipfile


def destination(name, pattern, subfolder):
    """Where the file called name goes below the folder, or None when pattern does not match."""
    path = pathlib.PurePosixPath(name)
    if pattern.endswith("/**"):
        parent = pattern[:-3]
        return subfolder / path.relative_to(parent) if path.is_relative_to(parent) else None
    same_depth = len(path.parts) == pattern.count("/") + 1
    return subfolder / path.name if same_depth and path.match(pattern) else None


def main(wheel, folder, *rules):
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/")]
        for rule in rules:
            pattern, subfolder = rule.split("=")
            targets = {n: destination(n, pattern, pathlib.Path(folder, subfolder)) for n in names}
            targets = {name: target for name, target in targets.items() if target}
            if not targets:
                sys.exit(f"{wheel} holds nothing that matches {pattern}")
            for name, target in targets.items():
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, open(target, "wb") as copy:
                    shutil.copyfileobj(source, copy, 1 << 20)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What the README shows is what the program does: its console sessions and its Python."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def sessions() -> list[tuple[str, str]]:
    """Every command of the console blocks with the output shown under it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def test_the_readme_has_examples() -> None:
    assert len(sessions()) >= 6


@pytest.mark.parametrize(("command", "output"), sessions(), ids=[command for command, _ in sessions()])
def test_console_session(command: str, output: str, tmp_path: Path) -> None:
    """The output is as shown; a line `...` stands for any lines."""
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"], "COLUMNS": "80"}
    environment |= {"PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode in (0, 1, 2)
    pattern = re.escape(output).replace(re.escape("...\n"), r"(?:.*\n)*")
    # Lines end where their text ends, here and there.
    shown = "".join(line.rstrip() + "\n" for line in (done.stdout + done.stderr).splitlines())
    assert re.fullmatch(pattern, shown), shown


def test_python_session() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert (failed, tried > 5) == (0, True)

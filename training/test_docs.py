"""The Python of docs/command-line.md reads what the command before it writes.

The command line's program is taken from the variable ROPESCOPE, else from target/debug.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_python_reads_what_the_command_line_writes(tmp_path: Path, monkeypatch, capsys):
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    command = re.search(r"^ropescope (.* --output out\.safetensors)$", page, re.MULTILINE)
    assert command
    (tmp_path / "models").symlink_to(ROOT / "models")
    monkeypatch.chdir(tmp_path)
    program = os.environ.get("ROPESCOPE") or ROOT / "target" / "debug" / "ropescope"
    subprocess.run([program, *shlex.split(command[1])], check=True, timeout=120)
    exec(compile(code, "docs/command-line.md", "exec"), {})
    assert re.match(r"\[\[[01]\.", capsys.readouterr().out)

"""Completion by Tab in a real shell, and help that imports no game."""

from __future__ import annotations

import subprocess
import sys

import pytest

from roundtable.cli import build_parser
from roundtable.cli.completion import SHELLS, words_by_command

pytestmark = pytest.mark.slow

COMMANDS = tuple(words_by_command(build_parser()))


def completed(*typed: str) -> list[str]:
    """What bash offers after these words."""
    words = " ".join(f"'{word}'" for word in ("roundtable", *typed))
    script = f"""
        source <({sys.executable} -m roundtable completion bash)
        COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _roundtable; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd="/")
    return run.stdout.split()


def test_bash_completes_commands_flags_and_games() -> None:
    assert completed("re") == ["replay", "referee"]
    assert completed("watch", "--se") == ["--seats", "--seed"]
    assert completed("watch", "tha") == ["thavalon"]
    assert set(completed("")) == set(COMMANDS)


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_hears_of_every_command(shell: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "roundtable", "completion", shell], capture_output=True, text=True, check=True
    )
    assert [command for command in COMMANDS if command not in run.stdout] == []


def test_help_needs_no_game_and_no_event_loop() -> None:
    """Help is quick because it imports neither; what it takes in seconds depends on the machine."""
    code = (
        "import sys, contextlib, io\n"
        "from roundtable.cli import main\n"
        "for command in sys.argv[1:]:\n"
        "    with contextlib.redirect_stdout(io.StringIO()) as help, contextlib.suppress(SystemExit):\n"
        "        main([command, '--help'])\n"
        "    slow = ('roundtable.games.', 'roundtable.bots', 'asyncio')\n"
        "    print(command, bool(help.getvalue()), [name for name in sys.modules if name.startswith(slow)])"
    )
    run = subprocess.run([sys.executable, "-c", code, *COMMANDS], capture_output=True, text=True, check=True)
    names_alone = "['roundtable.games.registry']"
    assert run.stdout.splitlines() == [f"{command} True {names_alone}" for command in COMMANDS]

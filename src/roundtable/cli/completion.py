"""`roundtable completion`: the Tab key knows the commands."""

from __future__ import annotations

import argparse

from roundtable.games import GAMES

BASH = """\
_roundtable() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$current"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    case "$current" in -*) ;; *) COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}}
complete -o filenames -F _roundtable roundtable
"""
SHELLS = ("bash", "zsh", "fish")


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser(
        "completion",
        help="print a script for Tab completion in your shell",
        description="Print a completion script, as in: source <(roundtable completion bash). "
        "For fish: roundtable completion fish | source.",
    )
    command.add_argument("shell", choices=SHELLS)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from roundtable.cli import build_parser

    words = words_by_command(build_parser())
    if arguments.shell == "fish":
        print(fish_script(words))
    else:
        before = "autoload -U +X bashcompinit && bashcompinit\n" if arguments.shell == "zsh" else ""
        print(before + bash_script(words), end="")
    return 0


def words_by_command(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """Each command with its flags, and the games where it takes one."""
    (subparsers,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    words = {}
    for name, command in subparsers.choices.items():
        flags = [flag for action in command._actions for flag in action.option_strings if flag.startswith("--")]
        takes_game = any(action.dest == "game" for action in command._actions)
        words[name] = [*sorted(flags), *(GAMES if takes_game else ()), *(SHELLS if name == "completion" else ())]
    return words


def bash_script(words: dict[str, list[str]]) -> str:
    cases = "\n".join(f'        {name}) words="{" ".join(known)}" ;;' for name, known in words.items())
    return BASH.format(commands=" ".join(words), cases=cases)


def fish_script(words: dict[str, list[str]]) -> str:
    lines = [f'complete -c roundtable -n __fish_use_subcommand -f -a "{" ".join(words)}"']
    for name, known in words.items():
        seen = f'-n "__fish_seen_subcommand_from {name}"'
        lines += [f"complete -c roundtable {seen} -l {word[2:]}" for word in known if word.startswith("--")]
        lines += [f"complete -c roundtable {seen} -a {word}" for word in known if not word.startswith("--")]
    return "\n".join(lines)

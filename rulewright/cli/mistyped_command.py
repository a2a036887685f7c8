"""Describe an error in a command line as one sentence, with a suggestion and the usage of the command.

In: an exception of the command line parser. Out: a message in the style of other errors, instead of the parser's
box.
"""

import re
from collections.abc import Iterable
from typing import Any

from rulewright.errors import suggestion_text

# Common synonyms of the names of commands.
CALLED = {
    "audit": "verify trace", "ask": "query question answer eval", "change": "patch modify edit amend option",
    "check": "lint validate compile build prove analyze", "compare": "balance experiment simulate lab",
    "coverage": "cover", "diff": "delta difference", "dump": "ir ast emit generate", "editor": "lsp language-server",
    "errata": "changelog history corrections", "explain": "what define doc describe search find lookup why",
    "export": "save vassal-export", "fmt": "format pretty style tidy", "graph": "draw dot diagram plot",
    "import": "convert vassal load", "new": "init create start template",
    "open": "serve ui gui web workbench table browse browser view", "play": "run game",
    "reference": "print rulebook html pdf site publish render manual", "replay": "rerun again",
    "scenarios": "list ls cards situations", "show": "map board position cat", "test": "tests examples pytest",
    "tree": "rules precedence exceptions", "version": "about info",
}  # fmt: skip
# Options of earlier versions, and what takes their place.
GONE_OPTIONS = {
    "--alone": "compare a layer that has only this part",
    "--dask": "`--jobs` plays in several processes of this machine",
    "--report": "redirect what is printed to a file, or take `--format json`",
    "--by-strength": "name each budget, as `--players search:4 --players search:8`",
    "--reported": "nothing compares reported results; the table of the report has the wins of each side",
}
_NAMES = {word: command for command, words in CALLED.items() for word in words.split()}
_CHOICES = re.compile(r"'(?P<word>[^']*)' is not one of (?P<known>.+?)\.?$")
_COMMAND = re.compile(r"[Nn]o such command '(?P<word>.*?)'")
_EXTRA = re.compile(r"unexpected extra argument(?:s|\(s\))? \((?P<words>.*)\)")


def is_parser_error(error: BaseException) -> bool:
    """Return whether an exception is a usage error of the parser, which may come from two libraries."""
    return getattr(error, "exit_code", None) == 2 and hasattr(error, "format_message")


def describe_mistake(error: Any, commands: Iterable[str]) -> str:
    """Return the error and the usage of the command; "" if the help page has been printed already."""
    message = _error_sentence(error, sorted(commands))
    context = getattr(error, "ctx", None)
    if not message or context is None:
        return message
    written = " ".join(re.sub(r"[{}]", "", context.get_usage()).split()).removeprefix("Usage: ")
    command = context.info_name if context.parent is not None else ""
    rest = written[len(context.command_path) :].strip()
    return f"{message}\n  {' '.join(filter(None, ('rulewright', command, rest)))}   (`-h` says more)"


def _error_sentence(error: Any, commands: list[str]) -> str:
    """Return the error as a sentence."""
    message = str(error.format_message()).strip()
    context = getattr(error, "ctx", None)
    if option := getattr(error, "option_name", ""):
        known = (
            [name for each in context.command.params for name in each.opts if name.startswith("--")] if context else []
        )
        if message.startswith("Option"):
            return f"`{option}` wants something behind it"
        command = context.info_name if context and context.parent else "rulewright"
        if option in GONE_OPTIONS:
            return f"`{command}` has no option `{option}` any more: {GONE_OPTIONS[option]}"
        return f"`{command}` has no option `{option}`; {suggestion_text(option, known)}"
    if found := _COMMAND.search(message):
        word = found["word"]
        synonym = _NAMES.get(word.lower().lstrip("-"))
        return (
            f"there is no command `{word}`; "
            f"{f'did you mean `{synonym}`?' if synonym else suggestion_text(word, commands)}"
        )
    if found := _EXTRA.search(message):
        return f"`{found['words']}` is too much"
    if found := _CHOICES.search(message):
        known = re.findall(r"'(.*?)'", found["known"])
        parameter_match = re.search(r"for '?(.*?)'?:", message)
        return (
            f"`{found['word']}` is nothing for `{parameter_match[1] if parameter_match else 'this'}`; "
            f"{suggestion_text(found['word'], known)}"
        )
    plain = message.replace("Value error, ", "").rstrip(".").split(". Choose from")[0].split(" Choose from")[0]
    return f"{plain[:1].lower()}{plain[1:]}".rstrip(".")

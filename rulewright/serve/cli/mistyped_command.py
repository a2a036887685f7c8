"""Describe an error in a command line as one sentence, with the usage of the command.

In: an exception of the command line parser. Out: a message in the style of other errors, instead of the parser's box.
"""

import re
from typing import Any

# Commands and options of earlier versions, and what takes their place.
GONE = {
    "--alone": "compare a layer that has only this part",
    "--by-strength": "name each budget, as `--players search:4 --players search:8`",
    "--dask": "`--jobs` plays in several processes of this machine",
    "--engine": "a single game is played in Python, and `compare` plays many in compiled code",
    "--games": "`compare SCENARIO --players X,Y -n N` plays several games",
    "--help-all": "`--help` lists all options",
    "--report": "redirect what is printed to a file, or take `--format json`",
    "--reported": "nothing compares reported results; the table of wins has those of each side",
    "ladder": "`compare SCENARIO --players A,B --swap` tells which of two players is stronger",
}


def is_parser_error(error: BaseException) -> bool:
    """Return whether an exception is a usage error of the parser, which may come from two libraries."""
    return getattr(error, "exit_code", None) == 2 and hasattr(error, "format_message")


def describe_mistake(error: Any) -> str:
    """Return the error and the usage of the command; "" if the help page has been printed already."""
    message = str(error.format_message()).strip().replace("Value error, ", "")
    missing = re.match(r"No such (?:option:|command) '?([\w-]+)", message)
    if missing and missing[1] in GONE:
        return f"`{missing[1]}` is gone: {GONE[missing[1]]}"
    context = getattr(error, "ctx", None)
    if not message or context is None:
        return message
    usage = " ".join(re.sub(r"[{}]", "", context.get_usage()).split()).removeprefix("Usage: ")
    return f"{message[:1].lower()}{message[1:].rstrip('.')}\n  {usage}   (`-h` says more)"

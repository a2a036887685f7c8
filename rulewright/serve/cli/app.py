"""The command line: registration of the commands, shared options, and exit codes.

In: the arguments of a call. Out: the printed `Reply` of its command, and the exit code.
Exit codes: 0 done, 1 findings, 2 usage, 3 a bug in rulewright. Bad input never shows a traceback.
"""

import _thread
import atexit
import errno
import gc
import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright import __version__
from rulewright.library.broken_stack import BrokenStackError
from rulewright.serve.cli import console
from rulewright.serve.cli.ask import ask
from rulewright.serve.cli.audit import audit
from rulewright.serve.cli.change import change
from rulewright.serve.cli.check import check
from rulewright.serve.cli.compare import compare
from rulewright.serve.cli.console import Reply, ReplyFormat
from rulewright.serve.cli.coverage import coverage
from rulewright.serve.cli.demo import demo
from rulewright.serve.cli.diff import diff
from rulewright.serve.cli.disputes import disputes
from rulewright.serve.cli.dump import dump
from rulewright.serve.cli.editor import editor
from rulewright.serve.cli.errata import errata
from rulewright.serve.cli.explain import explain
from rulewright.serve.cli.export import export
from rulewright.serve.cli.fmt import fmt
from rulewright.serve.cli.graph import graph
from rulewright.serve.cli.help_pages import CommandIndex, CommandPage
from rulewright.serve.cli.importing import import_
from rulewright.serve.cli.mistyped_command import describe_mistake, is_parser_error
from rulewright.serve.cli.new import new
from rulewright.serve.cli.number import number
from rulewright.serve.cli.play import play
from rulewright.serve.cli.reference import reference
from rulewright.serve.cli.replay import replay
from rulewright.serve.cli.scenarios import scenarios
from rulewright.serve.cli.show import show
from rulewright.serve.cli.test import test
from rulewright.serve.cli.tree import tree
from rulewright.serve.cli.version import version
from rulewright.serve.cli.work_line import work_line
from rulewright.serve.cli.workbench import open_
from rulewright.system.errors import UsageError
from rulewright.system.progress import PARENT
from runtime.play.garbage_collection import collect_seldom

# The commands in groups, by what one does with them, in the order of the help page.
GROUPS: dict[str, tuple[Callable[..., Reply[Any] | None], ...]] = {
    "Begin": (demo, version),
    "Write rules": (new, change, check, test, diff, tree, coverage, fmt, number, editor, dump),
    "Ask": (ask, explain, disputes, errata),
    "Play": (scenarios, show, open_, play, replay, audit),
    "Measure": (compare,),
    "Print": (reference, graph),
    "Exchange": (import_, export),
}
COMMANDS = tuple(command for group in GROUPS.values() for command in group)

# The options that every command has, even if it does not declare them as parameters.
SHARED = {
    "packages": Parameter(
        "packages",
        Parameter.KEYWORD_ONLY,
        default=[],
        annotation=Annotated[
            list[Path],
            typer.Option(
                "--path",
                metavar="DIR",
                exists=True,
                file_okay=False,
                help="Also look for packages in this folder; may be repeated.",
            ),
        ],
    ),
    "form": Parameter(
        "form",
        Parameter.KEYWORD_ONLY,
        default=ReplyFormat.TEXT,
        annotation=Annotated[
            ReplyFormat, typer.Option("--format", help="Print text for people, or JSON for programs.")
        ],
    ),
}

# The commands whose evaluations have a budget (runtime/graph/budget.py).
BUDGETED = frozenset({ask, play, compare})
# The commands whose replies list the errors of files that a stack leaves out.
LISTING = frozenset({check})
STEPS = Parameter(
    "steps",
    Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[
        int | None,
        typer.Option(
            "--steps",
            metavar="N",
            min=1,
            help="How many members of sets an answer, or a decision in play, may pass over.",
        ),
    ],
)

# The seconds after which a lost interruption is repeated: outside of the destructor that lost it.
MOMENT = 0.01
# The exit code of an interrupted command in shells.
STOPPED = 130
# The errors of a full disk, an exhausted quota, or a file size limit.
FULL_DISK = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

# The program name for completion; shells cannot complete `python3 -m rulewright`.
NAME = "rulewright"

app = typer.Typer(
    name=NAME,
    cls=CommandIndex,
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line of this process: the entry point of the console script."""
    console.open_streams()
    collect_seldom()  # Few objects become garbage, and collection took a fifth of the time of a short command.
    # Called last: the garbage collection at exit would traverse all compiled objects, which takes half a second.
    atexit.register(gc.freeze)
    atexit.register(_report_cache_failure)  # Registered before the handler of the cache, and therefore called after it.
    if PARENT in os.environ:
        from rulewright.system.worker import end_with_starter

        end_with_starter()
    with _interruptible():
        code = run(sys.argv[1:])
    sys.exit(code)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt at Ctrl-C; later that ends the process, as a handler at exit would print a traceback.

    A process that was started to ignore Ctrl-C, as by nohup, still does.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.unraisablehook = _interrupt_again
    yield
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _interrupt_again(lost: "sys.UnraisableHookArgs") -> None:
    """Repeat an interruption that was lost in a destructor, of which proofs call thousands; print other exceptions."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        from threading import Timer, main_thread

        if sys.platform == "win32":
            timer = Timer(MOMENT, _thread.interrupt_main)
        else:
            timer = Timer(MOMENT, signal.pthread_kill, (main_thread().ident, signal.SIGINT))
        timer.daemon = True
        timer.start()
    else:
        sys.__unraisablehook__(lost)


def _report_cache_failure() -> None:
    """Print why results could not be cached."""
    cache = sys.modules.get("rulewright.library.cache")
    if cache is not None and (reason := cache.failure_text()):
        console.print_note(f"nothing is kept for the next time, and this took longer: {reason}")


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    console.type_command(arguments)
    try:
        _require_texts(arguments)
        code = typer.main.get_command(app).main(args=list(arguments), prog_name=NAME, standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else console.ExitCode.DONE
    except typer.Abort as end:
        # Typer makes this of any end of file, also of one that ends no input, as of a damaged file of bytecode.
        return console.report_bug(end.__cause__) if isinstance(end.__cause__, EOFError) else STOPPED
    except KeyboardInterrupt:
        return STOPPED
    except UsageError as error:
        return console.print_error(str(error))
    except OSError as error:
        # A specified file is missing or not permitted. An error of writing a file contains its name; an error
        # of a full disk without a name is one of the output stream.
        if error.errno in FULL_DISK and error.filename is None:
            console.drop_output()
        place = "what is printed" if error.errno in FULL_DISK else "the system"
        return console.print_error(f"{error.filename or place}: {error.strerror or error}")
    except Exception as bug:  # noqa: BLE001 -- the one place where a bug becomes a sentence
        if not is_parser_error(bug):
            return console.report_bug(bug)
        message = describe_mistake(bug)
        return console.print_error(message) if message else console.ExitCode.USAGE
    return code if isinstance(code, int) else console.ExitCode.DONE


def _require_texts(arguments: Sequence[str]) -> None:
    """Raise `UsageError` for an empty argument, as of an unset variable of a shell, which would name this folder."""
    for index, each in enumerate(arguments):
        option, _, value = each.partition("=") if each.startswith("--") and "=" in each else ("", "", each)
        if not value:
            before = option or next((name for name in arguments[index - 1 : index] if name.startswith("-")), "")
            raise UsageError(f"`{before}` is given an empty text" if before else f"argument {index} is empty")


def add_command(command: Callable[..., Reply[Any] | None], group: str, alias: str = "") -> None:
    """Register `command` in a group, or hidden as an alias, with the shared options; its reply is printed."""
    command_parameters = inspect.signature(command, eval_str=True).parameters

    def start(**arguments: Any) -> None:
        # `check` has a separate budget of steps, for proofs.
        with work_line.running(), _limited(arguments.get(STEPS.name) if command in BUDGETED else None):
            try:
                reply = command(**{name: arguments[name] for name in command_parameters})
            except BrokenStackError as error:
                from rulewright.serve.cli.findings import refusal_reply

                reply = refusal_reply(error.stack)
        _report_left_out(is_listed=command in LISTING)
        raise typer.Exit(console.print_reply(reply, arguments["form"]) if reply else console.ExitCode.DONE)

    parameters = [parameter for name, parameter in command_parameters.items() if name not in SHARED]
    parameters += [STEPS] if command in BUDGETED else []
    # Typer reads the parameters from the signature.
    vars(start)["__signature__"] = inspect.Signature([*parameters, *SHARED.values()])
    # `import` and `open` are a keyword and a built-in of Python.
    name = alias or command.__name__.removesuffix("_")
    app.command(name, cls=CommandPage, help=inspect.getdoc(command), hidden=bool(alias), rich_help_panel=group)(start)


def _report_left_out(*, is_listed: bool) -> None:
    """Print which files with errors the stacks of a command left out, unless its reply lists them."""
    module = sys.modules.get("rulewright.library.concerned_problems")
    files = module.take_skipped_files() if module is not None else []
    if files and not is_listed:
        more = f" and {len(files) - 1} more" if files[1:] else ""
        console.print_note(f"left out, as they have errors: {files[0]}{more}; `rulewright check STACK` names them")


def _limited(steps: int | None) -> AbstractContextManager[None]:
    if steps is None:
        return nullcontext()
    from runtime.graph.budget import limited_budget

    return limited_budget(steps)


def _show_version(wanted: bool) -> None:
    """Print the version for `rulewright --version`, and exit."""
    if wanted:
        sys.stdout.write(f"rulewright {__version__}\n")
        raise typer.Exit


@app.callback()
def front_door(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Compile the rules of board wargames, ask them, play them, compare them, print them.

    `rulewright COMMAND --help` has an example of each command. `--install-completion` completes commands and options
    with the Tab key.
    """


for title, group in GROUPS.items():
    for each in group:
        add_command(each, title)
add_command(open_, "Play", "workbench")
add_command(reference, "Print", "book")

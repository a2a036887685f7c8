"""`rulewright test STACK`: run the examples; with `--mutate` see what they protect."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rulewright.cli.arguments import StackName
from rulewright.cli.console import Reply


def test(
    stack: StackName,
    packages: list[Path],
    mutate: Annotated[
        bool, typer.Option("--mutate", help="Alter each rule and cell in turn and see whether an example notices.")
    ] = False,  # noqa: PT028 -- a command named test, not a test
    here: Annotated[
        bool, typer.Option("--here", help="Only the examples for exactly this stack; say which others there are.")
    ] = False,  # noqa: PT028 -- as above
) -> Reply:
    """Run the examples that the layers of STACK have, each under the stack it names.

    Exits with 1 if one fails, if a stack that one names does not compile, and if there is none.
    """
    from compiler.report.diagnose import diagnose
    from compiler.report.steps import placed
    from rulewright.cli.findings import as_text, refusal
    from rulewright.examples import (
        clarified_elsewhere,
        own_layers,
        protect_all,
        unplayed_readings,
        unplayed_rulings,
        unprotected_anywhere,
    )
    from rulewright.library.stacks import named_stack, open_shelves
    from rulewright.tallies import as_data, lines
    from rulewright.testing import run_tests

    name, folders = named_stack(stack)
    shelves = open_shelves((*packages, *folders))
    shelves.know(name)
    loaded = shelves.compiled(name)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    tested = run_tests(shelves, name, here=here)
    found = protect_all(shelves, loaded.graph) if mutate else None
    unseen = unprotected_anywhere(shelves, loaded.graph, found) if found else ()
    unprotected = [unit_data(unit) for unit in unseen]
    problems = [each for group in tested.groups for each in group.problems]
    failed = [placed(each, loaded.texts) for group in tested.groups for each in group.failed]
    otherwise = [each for group in tested.groups for each in group.otherwise]
    runs = tested.own(name)
    elsewhere = clarified_elsewhere(loaded.graph, runs)
    unplayed = unplayed_rulings(loaded.graph, runs)
    readings = unplayed_readings(shelves, loaded.graph)
    diagnostics = diagnose((*problems, *failed, *otherwise, *elsewhere, *unplayed, *readings), loaded.texts)
    mend = len(otherwise) + len(elsewhere) + len(unplayed) + len(readings)
    also = f", {mend} to mend" if mend else ""
    text = as_text(diagnostics, loaded.texts, last="\n".join(lines(tested, name)) + also)
    for each in unprotected:
        text.append(f"\nunprotected: {each['what']} {each['name']}  {each['file']}:{each['line']}")
    if found:
        own = own_layers(loaded.graph)
        whole = sum(unit.origin.layer in own for unit in (*found.protected, *found.unprotected))
        text.append(
            f"\n{whole - len(unprotected)} of {whole} rules, cells, defaults, counters and procedures are protected"
        )
    data = {
        **as_data(tested),
        "failures": [
            {
                "example": each.example, "case": each.case, "expected": each.expected, "actual": each.actual,
                "file": each.origin.file, "line": each.origin.line, "explanation": each.explanation,
            }
            for each in failed
        ],
        "clarified_elsewhere": [
            {"ruling": each.ruling, "clarifies": each.label, "file": each.origin.file, "line": each.origin.line}
            for each in elsewhere
        ],
        "refused_otherwise": [
            {
                "example": each.example, "action": each.action, "named": each.named, "reasons": list(each.reasons),
                "file": each.origin.file, "line": each.origin.line,
            }
            for each in otherwise
        ],
        "unplayed": [*(each.ruling for each in unplayed), *(each.reading for each in readings)],
        "unprotected": [each["name"] for each in unprotected],
        "unprotected_at": unprotected,
    }  # fmt: skip
    return Reply(data, text, findings=bool(diagnostics) or not sum(tested.cases))


def unit_data(unit: Any) -> dict[str, Any]:
    """Say what an example should protect."""
    return {
        "what": unit.what,
        "name": unit.name,
        "cites": list(unit.cites),
        "file": unit.origin.file,
        "line": unit.origin.line,
    }

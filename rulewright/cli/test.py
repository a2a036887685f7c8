"""`rulewright test STACK`: run the examples; with `--mutate` see what they protect."""

from dataclasses import replace
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
) -> Reply:
    """Run the examples of STACK."""
    from compiler.report.diagnose import diagnose
    from compiler.report.steps import placed
    from rulewright.cli.findings import as_text, refusal
    from rulewright.examples import (
        clarified_elsewhere,
        own_layers,
        protect_all,
        run_all,
        unplayed_readings,
        unplayed_rulings,
        unprotected_anywhere,
    )
    from rulewright.failures import failures
    from rulewright.library.stacks import named_stack, open_shelves

    name, folders = named_stack(stack)
    shelves = open_shelves((*packages, *folders))
    shelves.know(name)
    loaded = shelves.compiled(name)
    if loaded.broken or loaded.graph is None:
        return refusal(loaded)
    runs, problems = run_all(shelves, loaded)
    if problems:
        return refusal(replace(loaded, problems=problems))
    found = protect_all(shelves, loaded.graph) if mutate else None
    unseen = unprotected_anywhere(shelves, loaded.graph, found) if found else ()
    unprotected = [unit_data(unit) for unit in unseen]
    failed = [placed(each, loaded.texts) for each in failures(runs, loaded.graph)]
    elsewhere = clarified_elsewhere(loaded.graph, runs)
    unplayed = unplayed_rulings(loaded.graph, runs)
    readings = unplayed_readings(shelves, loaded.graph)
    diagnostics = diagnose((*failed, *elsewhere, *unplayed, *readings), loaded.texts)
    passed = sum(run.passed for run in runs)
    also = f", {len(diagnostics)} to mend" if diagnostics and passed == len(runs) else ""
    text = as_text(diagnostics, loaded.texts, last=f"{passed} passed, {len(runs) - passed} failed{also}")
    for each in unprotected:
        text.append(f"\nunprotected: {each['what']} {each['name']}  {each['file']}:{each['line']}")
    if found:
        own = own_layers(loaded.graph)
        whole = sum(unit.origin.layer in own for unit in (*found.protected, *found.unprotected))
        text.append(
            f"\n{whole - len(unprotected)} of {whole} rules, cells, defaults, counters and procedures are protected"
        )
    data = {
        "passed": passed,
        "failed": len(runs) - passed,
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
        "unplayed": [*(each.ruling for each in unplayed), *(each.reading for each in readings)],
        "unprotected": [each["name"] for each in unprotected],
        "unprotected_at": unprotected,
    }  # fmt: skip
    return Reply(data, text, findings=bool(diagnostics))


def unit_data(unit: Any) -> dict[str, Any]:
    """Say what an example should protect."""
    return {
        "what": unit.what,
        "name": unit.name,
        "cites": list(unit.cites),
        "file": unit.origin.file,
        "line": unit.origin.line,
    }

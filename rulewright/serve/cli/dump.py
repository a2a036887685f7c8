"""`rulewright dump STACK --stage lowered`: print a stage of compiling."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.explain.views.stage import CompilationStage
from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply


def dump(
    stack: StackName,
    packages: list[Path],
    stage: Annotated[CompilationStage, typer.Option(help="The stage to print.")] = CompilationStage.LOWERED,
    term: Annotated[str | None, typer.Option(metavar="TERM", help="Print only this question and its rules.")] = None,
    rule: Annotated[str | None, typer.Option(metavar="LABEL", help="Print only this rule.")] = None,
) -> Reply:
    """Print STACK after a stage of compilation.

    A stage has a node in each line; the last stages are the core and the Python code that answers.

    Example: rulewright dump low_tide --stage generated
    """
    from compiler.format.outline import nodes_as_data, outline_lines
    from compiler.report.diagnose import diagnose
    from rulewright.explain.views.compile_stages import core_text, dump_stack, generated_source, limited_parts
    from rulewright.serve.cli.findings import reply_with
    from runtime.graph.canonical import plain_data

    found = dump_stack(stack, stage, packages)
    if found.problems:
        return reply_with(diagnose(found.problems, found.texts), found.texts)
    parts = limited_parts(found, term, rule)
    if stage is CompilationStage.GENERATED:
        text = generated_source(found, parts)
        return Reply({"stack": found.stack, "stage": stage.value, "python": text}, text.rstrip("\n"))
    if stage in (CompilationStage.CORE, CompilationStage.LOWERED_CORE):
        text = core_text(found, parts, stage)
        return Reply({"stack": found.stack, "stage": stage.value, "core": text}, text)
    lines: list[str] = []
    for section, named in parts.items():
        lines.append(f"{section} ({len(named)})")
        lines += (line for name, node in named for line in outline_lines(node, name, 1))
    data = {
        "stack": found.stack,
        "stage": stage.value,
        "parts": {section: [nodes_as_data(node) for _, node in named] for section, named in parts.items()},
    }
    if found.graph is not None and stage is CompilationStage.LOWERED and parts is found.parts:
        data["graph"] = plain_data(found.graph)
    return Reply(data, "\n".join(lines))

"""`rulewright dump STACK --stage lowered`: print a stage of compiling."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.explain.views.stage import CompilationStage
from rulewright.serve.cli.arguments import StackName
from rulewright.serve.cli.console import Reply
from runtime.graph.document_lines import drawn_lines, reply_block
from runtime.graph.records.asking import DumpRecord
from runtime.graph.records.findings import FindingsRecord


def dump(
    stack: StackName,
    packages: list[Path],
    stage: Annotated[CompilationStage, typer.Option(help="The stage to print.")] = CompilationStage.LOWERED,
    term: Annotated[str | None, typer.Option(metavar="TERM", help="Print only this question and its rules.")] = None,
    rule: Annotated[str | None, typer.Option(metavar="LABEL", help="Print only this rule.")] = None,
) -> Reply[DumpRecord] | Reply[FindingsRecord]:
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
    record: DumpRecord = {"stack": found.stack, "stage": stage.value}
    if stage is CompilationStage.GENERATED:
        record["python"] = text = generated_source(found, parts)
    elif stage in (CompilationStage.CORE, CompilationStage.LOWERED_CORE):
        record["core"] = text = core_text(found, parts, stage)
    else:
        lines: list[str] = []
        for section, named in parts.items():
            lines.append(f"{section} ({len(named)})")
            lines += (line for name, node in named for line in outline_lines(node, name, 1))
        text = "\n".join(lines)
        record["parts"] = {section: [nodes_as_data(node) for _, node in named] for section, named in parts.items()}
        if found.graph is not None and stage is CompilationStage.LOWERED and parts is found.parts:
            record["graph"] = plain_data(found.graph)
    return Reply(record, lambda _: reply_block(*drawn_lines(text)))

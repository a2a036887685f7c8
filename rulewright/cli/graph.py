"""`rulewright graph STACK --term TERM`: draw the rules that answer, defeat and query each other."""

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.arguments import StackName
from rulewright.cli.console import Reply


def graph(
    stack: StackName,
    packages: list[Path],
    term: Annotated[
        str | None, typer.Option(metavar="TERM", help="Draw only this question and what is around it.")
    ] = None,
    rule: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Draw only this rule and what is around it.")
    ] = None,
    depth: Annotated[int, typer.Option(min=0, max=9, help="With --term or --rule: how many steps around it.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write FILE.svg, a picture, or FILE.dot.")
    ] = None,
) -> Reply:
    """Draw the rules of STACK as a graph.

    It draws all questions, or what is around one. Without --out it prints DOT.

    Example: rulewright graph low_tide --term cost --out cost.svg
    """
    from compiler.format.graphviz import graphviz_text
    from rulewright.atomic_files import save_text
    from rulewright.errors import UsageError
    from rulewright.library.stacks import load_stack
    from rulewright.views.dependency_diagrams import FORMATS, dependency_diagram

    if out is not None and out.suffix not in FORMATS:
        raise UsageError(f"`{out}` is neither {' nor '.join(each.name for each in FORMATS.values())} file")
    loaded = load_stack(stack, packages)
    diagram = dependency_diagram(loaded.rules, term, rule, depth)
    title = f"{term or rule or 'all questions'}, {loaded.name}"
    data = {
        "nodes": [
            {"id": node.id, "kind": node.kind, "name": node.title, "says": list(node.lines), "layer": node.layer}
            for node in diagram.nodes.values()
        ],
        "edges": [{"from": edge.start, "to": edge.end, "kind": edge.kind} for edge in diagram.edges],
    }
    if out is None:
        return Reply(data, graphviz_text(diagram))
    save_text(out, FORMATS[out.suffix].write(diagram, title))
    text = f"{len(diagram.nodes)} nodes and {len(diagram.edges)} edges in {out}"
    return Reply({**data, "file": out.as_posix()}, text)

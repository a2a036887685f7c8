"""The queries of compiling and proving a stack: their memos, how often they are reused, and what they read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compiler.analysis.arithmetic.strategy import available_strategy
from compiler.analysis.prove import prove_graph
from compiler.compile import compile_stack
from compiler.query.database import Database, QueryUse
from compiler.report.diagnose import Problem
from compiler.source.package import discover_layers
from rulewright.library.concerned_problems import own_problems
from rulewright.library.parse_archive import pack
from rulewright.library.shipped_folders import rules_folder
from rulewright.library.stack_names import named_stack
from rulewright.library.stacks import PackageSet


@dataclass(frozen=True, slots=True)
class Queries:
    """The queries of a stack; those of proofs are missing if `problems` prevent its compilation."""

    stack: str
    compiling: tuple[QueryUse, ...]
    proving: tuple[QueryUse, ...]
    problems: tuple[Problem, ...]
    texts: Mapping[str, str]


def queries_of(text: str, packages: Sequence[Path]) -> Queries:
    """Compile and prove a stack twice, to measure the reuse after an edit without effect."""
    name, folders = named_stack(text)
    database, proofs = Database(pack), Database()
    library, misread = discover_layers((rules_folder(), *packages, *folders), database)
    PackageSet(library, misread).require_layers(name)
    concerned = own_problems(library, misread, name)
    problems: tuple[Problem, ...] = concerned
    for _ in range(2):
        compiled = compile_stack(library, name)
        problems = (*concerned, *compiled.problems)
        if compiled.graph is not None:
            prove_graph(compiled.graph, available_strategy(), proofs)
    return Queries(name, database.uses(), proofs.uses(), problems, library.texts)


def as_text(queries: Queries) -> str:
    """Format the queries as two tables."""
    lines = []
    for title, uses in (("compiling", queries.compiling), ("proving", queries.proving)):
        widest = max((len(each.name) for each in uses), default=0)
        lines.append(f"{title:{widest + 2}}   memos  computed  reused  names read")
        lines += [
            f"  {each.name:{widest}}  {each.memos:6}  {each.computed:8}  {each.reused:6}  {each.reads:10}"
            for each in uses
        ]
    return "\n".join(lines)

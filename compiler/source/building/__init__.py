"""Build source nodes from what the parser reduces: one function per grammar rule, named like it.

In: the parts of the rule, keywords and all. Out: its node. A builder only arranges; whatever can
be wrong with a part was said when it was read.
"""

from types import SimpleNamespace

from compiler.source.building import accounts, amendments, declarations, examples, expressions, laws, procedures
from compiler.source.building.parts import Parts
from compiler.source.nodes import Statement


def start(parts: Parts) -> tuple[Statement, ...]:
    """Build a whole file."""
    return tuple(parts)


# lark asks for a builder by the name of its rule.
BUILDERS = SimpleNamespace(
    start=start,
    **vars(declarations)
    | vars(laws)
    | vars(amendments)
    | vars(examples)
    | vars(procedures)
    | vars(accounts)
    | vars(expressions),
)

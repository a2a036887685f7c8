"""Build source nodes from the reductions of the parser: one function per grammar rule, of the same name.

The input is the parts of the rule, including keywords; the output is its node. A builder only arranges parts; errors in
a part were reported when it was read. Most are forms (`node` of parts.py), which show the text of the rule.
"""

from types import SimpleNamespace

from compiler.source.building import (
    amendments,
    clauses,
    declarations,
    examples,
    expressions,
    laws,
    procedures,
)

# lark looks up a builder by the name of its rule.
BUILDERS = SimpleNamespace(
    **vars(clauses)
    | vars(declarations)
    | vars(laws)
    | vars(amendments)
    | vars(examples)
    | vars(procedures)
    | vars(expressions)
)

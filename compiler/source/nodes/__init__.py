"""Source trees: the content of a file as written, before name resolution; import their classes as `source.Rule`.

Each node starts with its span. `.rules` files become expressions, declarations, laws and procedures; YAML files become
tables, pieces, packages, boards and cards. Each of these modules starts with the format as a designer writes it.
"""

from compiler.source.nodes.amendments import *  # noqa: F403
from compiler.source.nodes.boards import *  # noqa: F403
from compiler.source.nodes.books import *  # noqa: F403
from compiler.source.nodes.cards import *  # noqa: F403
from compiler.source.nodes.declarations import *  # noqa: F403
from compiler.source.nodes.effects import *  # noqa: F403
from compiler.source.nodes.examples import *  # noqa: F403
from compiler.source.nodes.expressions import *  # noqa: F403
from compiler.source.nodes.files import *  # noqa: F403
from compiler.source.nodes.laws import *  # noqa: F403
from compiler.source.nodes.packages import *  # noqa: F403
from compiler.source.nodes.pieces import *  # noqa: F403
from compiler.source.nodes.preconditions import *  # noqa: F403
from compiler.source.nodes.procedure_names import *  # noqa: F403
from compiler.source.nodes.procedures import *  # noqa: F403
from compiler.source.nodes.tables import *  # noqa: F403
from compiler.source.nodes.types import *  # noqa: F403
from compiler.source.nodes.words import *  # noqa: F403

"""The node classes of the graph, split by subject; import them from here as `graph.Rule`."""

from runtime.graph.nodes.conduct import *  # noqa: F403
from runtime.graph.nodes.expressions import *  # noqa: F403
from runtime.graph.nodes.kinds import *  # noqa: F403
from runtime.graph.nodes.laws import *  # noqa: F403
from runtime.graph.nodes.setups import *  # noqa: F403
from runtime.graph.nodes.stack import *  # noqa: F403
from runtime.graph.nodes.types import *  # noqa: F403
from runtime.graph.nodes.vocabulary import *  # noqa: F403

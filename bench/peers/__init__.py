"""The rule engines that the workload is compared with: one file each, skipped if not installed.

`python3 -m bench` installs them.
"""

from collections.abc import Callable

from bench.peers.cel import cel
from bench.peers.clingo import clingo
from bench.peers.durable import durable
from bench.peers.engine import Engine
from bench.peers.fisca import fisca
from bench.peers.rule_engine import rule_engine
from bench.peers.zen import zen

# By the names of their packages.
PEERS: dict[str, Callable[[], Engine]] = {
    "zen-engine": zen,
    "common-expression-language": cel,
    "openfisca-core": fisca,
    "durable-rules": durable,
    "rule-engine": rule_engine,
    "clingo": clingo,
}

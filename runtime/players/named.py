"""The players one can name on the command line."""

from collections.abc import Mapping

from runtime.players.greedy import greedy
from runtime.players.player import Player
from runtime.players.uniform import uniform

PLAYERS: Mapping[str, Player] = {"random": uniform, "greedy": greedy}

"""Owners of traits, statuses, features and places.

In: the owner in a declaration. Out: a problem, where it cannot have any: a kind that is not declared, the game, a side.
Without this check, each use of the flag would be reported as an unknown name.
"""

from collections.abc import Mapping

from compiler.source import nodes as source
from compiler.typed.environment import Environment

# The owners of flags besides pieces, by sort of flag; and those that have tracks alone.
FLAGGED: Mapping[str, tuple[str, ...]] = {"feature": ("hex", "hexside"), "status": ("hex",), "trait": (), "place": ()}
KEEPING = ("game", "scenario", "side")


def check_owner(env: Environment, flag_kind: str, owner: source.Word | None) -> None:
    """Report a flag of something that cannot have one: a kind that is not declared, the game, a side."""
    special_owners = FLAGGED.get(flag_kind, ())
    if owner is None or owner.text in special_owners or (flag_kind != "feature" and owner.text in env.kinds):
        return
    if flag_kind == "feature":
        message = f"`{owner.text}` cannot have features, which are printed on the map"
        advice = f"write `feature hex: ..`, `feature hexside: ..` or `trait {owner.text}: ..`"
        env.report_invalid(owner.span, message, advice)
    elif owner.text in KEEPING:
        message = f"`{owner.text}` cannot have a {flag_kind}"
        advice = f"write `track {owner.text}.NAME: yes_no = no`"
        env.report_invalid(owner.span, message, advice)
    else:
        env.report_unknown("kind", owner, (*env.kinds, *special_owners))

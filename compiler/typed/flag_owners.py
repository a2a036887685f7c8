"""What traits, statuses, features and places may be declared of.

In: the owner that a declaration names. Out: a problem, where that cannot have any: a kind that is not declared, the
game, a side. Without it whoever asks for the flag is told that there is no such name.
"""

from collections.abc import Mapping

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.problems import Misplaced
from compiler.typed.unknown_names import no_such

# What may have a flag besides pieces, by what it is; and what has none, but keeps notes.
FLAGGED: Mapping[str, tuple[str, ...]] = {"feature": ("hex", "hexside"), "status": ("hex",), "trait": (), "place": ()}
KEEPING = ("game", "scenario", "side")


def check_owner(env: Environment, what: str, owner: source.Word | None) -> None:
    """Report a flag of something that cannot have one: a kind that is not declared, the game, a side."""
    own = FLAGGED.get(what, ())
    if owner is None or owner.text in own or (what != "feature" and owner.text in env.kinds):
        return
    if what == "feature":
        said = f"features are printed on the map, and not on `{owner.text}`"
        advice = (
            f"write `feature hex: ..` or `feature hexside: ..`; what a piece is, is a trait: `trait {owner.text}: ..`"
        )
        env.problems.append(Misplaced(owner.span, said, advice))
    elif owner.text in KEEPING:
        said = f"`{owner.text}` has no {what}"
        advice = f"let it keep a note: `track {owner.text}.NAME: yes_no = no`"
        env.problems.append(Misplaced(owner.span, said, advice))
    else:
        env.problems.append(no_such("kind", owner, (*env.kinds, *own)))

"""The closed sets of words in fields of nodes, where separate classes would add nothing.

They are `Literal` types and not enumerations: a word in a graph is the text in its file, comparisons are cheap where
games are played, and mypy still reports a `match` that omits one and a comparison with an unknown word. The schema and
the reader of files use them.
"""

from typing import Literal

# Expressions: the kind of a field; what `has` tests; the kind of a word after `is`; what a name denotes.
GetKind = Literal["printed", "track", "record", "partner", "partners", "given"]
HasKind = Literal["partner", "path", "printed", "track", "record"]
TestKind = Literal["trait", "feature", "path", "status", "place", "kind", "cell", "gone", "off"]
SpotKind = Literal["hex", "piece", "region", "step"]
TrackOwner = Literal["game", "scenario"]
FoldKind = Literal[
    "count", "some", "none", "every", "sum", "min", "max", "gather", "trailing", "leading", "least", "greatest"
]
SearchKind = Literal["reachable", "cheapest_cost", "cheapest_way", "linked"]

# Laws: how rules answer a term; what a rule concludes, "" if it only defeats others; how rows of a table are combined.
Form = Literal["value", "sum", "min", "max", "set", "verdict", "condition", "flag"]
Verb = Literal["", "is", "adds", "offers", "includes", "excludes", "allows", "forbids", "holds", "fails"]
Hit = Literal["unique", "any", "collect", "first"]

# Steps: one member, a subset, or an order of all; which side of a counter; a moment of an account, and its texts.
Choosing = Literal["", "any", "order"]
Face = Literal["back", "front"]
Moment = Literal["before", "after"]
Telling = Literal["previews", "tells", "results"]
Narration = Literal["previews", "tells", "chances"]
# A procedure of kind "example" contains the lines of an example; it is built where they run, and is in no file.
ProcedureKind = Literal["sequence", "action", "resolution", "hook", "example"]

# Declarations: sets and lists; the kinds of flags; the end of a relation with at most one partner.
ManyShape = Literal["set", "list"]
FlagKind = Literal["trait", "feature", "path", "place", "status"]
RelationEnd = Literal["", "left", "right"]

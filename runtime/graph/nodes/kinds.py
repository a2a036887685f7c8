"""The closed sets of words that nodes hold, where a class each would say no more.

They are `Literal` types and no enumerations: a word in a graph is the text that stands in its file, it costs nothing to
compare where games are played, and mypy still names the `match` that forgot one and the comparison with a word that is
none. The schema and the reader of files take them from here.
"""

from typing import Literal

# Expressions: where a field is looked for; what `has` asks for; what a word after `is` is; what a name stands for.
GetKind = Literal["printed", "track", "record", "partner", "partners", "given"]
HasKind = Literal["partner", "path", "printed", "track", "record"]
TestKind = Literal["trait", "feature", "path", "status", "place", "kind", "cell", "gone", "off"]
SpotKind = Literal["hex", "piece", "region", "step"]
TrackOwner = Literal["game", "scenario"]
FoldKind = Literal[
    "count", "some", "none", "every", "sum", "min", "max", "gather", "trailing", "leading", "least", "greatest"
]
SearchKind = Literal["reachable", "cheapest_cost", "cheapest_way", "linked"]

# Laws: how rules answer a term; what a rule says, "" if it only defeats others; how rows of a table answer together.
Form = Literal["value", "sum", "min", "max", "set", "verdict", "condition", "flag"]
Verb = Literal["", "is", "adds", "offers", "includes", "excludes", "allows", "forbids", "holds", "fails"]
Hit = Literal["unique", "any", "collect", "first"]

# Steps: one member, a subset, or an order of all; which side of a counter; a moment of an account, and its texts.
Choosing = Literal["", "any", "order"]
Face = Literal["back", "front"]
Moment = Literal["before", "after"]
Telling = Literal["previews", "tells", "results"]
Narration = Literal["previews", "tells", "chances"]
# A procedure of kind "example" holds the lines of an example; it is made where they are played, and stands in no file.
ProcedureKind = Literal["sequence", "action", "resolution", "hook", "example"]

# What is declared: sets and lists; flags by what they are; the end of a relation where at most one partner stands.
ManyShape = Literal["set", "list"]
FlagKind = Literal["trait", "feature", "path", "place", "status"]
RelationEnd = Literal["", "left", "right"]

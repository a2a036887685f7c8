"""Source trees: what a file says, word for word, before any name is looked up.

Every node starts with its span. `.rules` files become expressions, declarations, laws and
procedures; YAML files become tables, pieces, packages, boards and cards. Each of these files
opens with the format as a designer writes it.
"""

# An index; one name a line would run to five pages.
# isort: off
# fmt: off
from compiler.source.nodes.amendments import Amend, Pointed, Spot
from compiler.source.nodes.boards import (
    Board, BoardPlacement, Edging, Ground, Hexside, InlineBoard, Numbering, Outline, Region,
)
from compiler.source.nodes.cards import (
    Area, Bounded, CardPatch, CardRegion, Entry, Force, ForceChange, HexEntry, NamedEntry, Near, PartChange, PieceEntry,
    Placed, Position, Scenario, VictoryLine,
)
from compiler.source.nodes.declarations import (
    Always, Declaration, Define, Domain, Enumeration, Event, Flags, Item, Kind, Measure, Outcome, Place, Record,
    Relation, Requirement, Requires, Scale, ScaleItem, Sides, Stage, Status, StatusItem, Task, Term, Track, Wording,
)
from compiler.source.nodes.doings import Doing, Replacing
from compiler.source.nodes.effects import Add, Assign, Create, Flip, Mark, Move, Pair, Remove, Strike, Write
from compiler.source.nodes.examples import (
    Ask, Cases, ChoiceMade, Dice, Drawn, Draws, Example, ExpectedVerdict, Given, HexRow, LetOnly, Order, PathSetting,
    Perform, PieceSetting, Refused, Setting, SideSetting, Station,
)
from compiler.source.nodes.expressions import (
    Aggregate, Amount, Arithmetic, Binder, Both, Call, Cell, Choice, Compare, Either, Expression, Extreme, Field,
    Gathered, HasTest, InTest, IsTest, Make, Minus, Name, Not, Pieces, Quoted, Range, Search, SetLiteral,
    Truth,
)
from compiler.source.nodes.files import RulesFile, Statement
from compiler.source.nodes.laws import (
    Case, CellPatch, Conclusion, Dispute, Law, Reading, Relate, Rule, Ruling, With, laws_inside,
)
from compiler.source.nodes.packages import Document, Equivalent, Layer, Sources
from compiler.source.nodes.pieces import Counter, PieceChart, PiecePatch, PrintedChange
from compiler.source.nodes.procedures import (
    Action, Beside, Branch, Choose, Conduct, Draw, Each, Hook, Insert, Invoke, Legal, Let, Loop, NamedOffer,
    Offer, Offered, Phase, Proceed, Reaction, Resolution, Roll, Sequence, Stands, Step, Stop, Unpreferred,
)
from compiler.source.nodes.preconditions import Begin, ExtendPrecondition, Precondition
from compiler.source.nodes.tables import AddedColumn, CellChange, Match, MatchRange, Row, Table, TablePatch
from compiler.source.nodes.types import ManyType, Moment, NameType, Parameter, RangeType, Type
from compiler.source.nodes.words import Reads, Scalar, Value, ValueList, ValueMap, Word

__all__ = [
    "Action", "Add", "AddedColumn", "Aggregate", "Always", "Amend", "Amount", "Area", "Arithmetic", "Ask", "Assign",
    "Begin", "Beside", "Binder", "Board", "BoardPlacement", "Both", "Bounded", "Branch", "Call", "CardPatch",
    "CardRegion", "Case", "Cases", "Cell", "CellChange", "CellPatch", "Choice", "ChoiceMade", "Choose", "Compare",
    "Conclusion", "Conduct", "Counter", "Create", "Declaration", "Define", "Dice", "Dispute", "Document", "Doing",
    "Domain", "Draw", "Drawn", "Draws", "Each", "Edging", "Either", "Entry", "Enumeration", "Equivalent", "Event",
    "Example", "ExpectedVerdict", "Expression", "ExtendPrecondition", "Extreme", "Field", "Flags", "Flip", "Force",
    "ForceChange", "Gathered", "Given", "Ground", "HasTest", "HexEntry", "HexRow", "Hexside", "Hook", "InTest",
    "InlineBoard", "Insert", "Invoke", "IsTest", "Item", "Kind", "Law", "Layer", "Legal", "Let", "LetOnly", "Loop",
    "Make", "ManyType", "Mark", "Match", "MatchRange", "Measure", "Minus", "Moment", "Move", "Name", "NameType",
    "NamedEntry", "NamedOffer", "Near", "Not", "Numbering", "Offer", "Offered", "Order", "Outcome", "Outline", "Pair",
    "Parameter", "PartChange", "PathSetting", "Perform", "Phase", "PieceChart", "PieceEntry", "PiecePatch",
    "PieceSetting", "Pieces", "Place", "Placed", "Pointed", "Position", "Precondition", "PrintedChange", "Proceed",
    "Quoted", "Range", "RangeType", "Reaction", "Reading", "Reads", "Record", "Refused", "Region", "Relate",
    "Relation", "Remove", "Replacing", "Requirement", "Requires", "Resolution", "Roll", "Row", "Rule", "RulesFile",
    "Ruling", "Scalar", "Scale", "ScaleItem", "Scenario", "Search", "Sequence", "SetLiteral", "Setting",
    "SideSetting", "Sides", "Sources", "Spot", "Stage", "Stands", "Statement", "Station", "Status", "StatusItem",
    "Step", "Stop", "Strike", "Table", "TablePatch", "Task", "Term", "Track", "Truth", "Type", "Unpreferred", "Value",
    "ValueList", "ValueMap", "VictoryLine", "With", "Word", "Wording", "Write", "laws_inside",
]
# fmt: on

"""Ablation: a stack without some of its rules, to measure their effect on games.

In: the packages, a stack and the names of what to remove: the label of a rule, a ruling or a whole case; a cell as
`table[key, key]`, or the name of a table for all of its patches; a changed part of a card as `card[turns]`,
`card[side, counter]` or `card[victory, side, level]`, or the name of the card; a changed counter as `kind[counter]`;
an action, reaction, resolution, phase or hook that a layer declares, as `action march`, or changes, as `change of
action march`. If several layers declare or change the same thing, `yard[turns] of mine` is the part of one. Out: the
packages without the sources of these things; they are compiled like any others.

Things are removed from the sources instead of the graph, since a rule may replace another rule or patch a chart:
without it the replaced rule and the original cell apply. Relations to removed things are removed too, and so are the
examples, which an experiment does not use.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from compiler.layered.layer_selection import layers_of_stack
from compiler.source import nodes as source
from compiler.source.finding import Finding
from compiler.source.package import LayerSource, Library, load_layer
from rulewright.system.errors import UsageError, suggestion_text

Read = Mapping[str, tuple[LayerSource, tuple[Finding, ...]]]


def without_labels(library: Library, stack: str, left_out: Sequence[str]) -> Library:
    """Return the packages without some rules, procedures, cells, or patches; `UsageError` for an unknown name."""
    manifests = layers_of_stack(library, stack)
    layers = {manifest.name.text: load_layer(library, manifest.name.text) for manifest in manifests}
    names = {name: names_of_layer(read) for name, (read, _) in layers.items()}
    of_one = {qualified_name(label, layer): (layer, label) for label, layer in shared_names(names)}
    known = sorted(of_one.keys() | set().union(*names.values()))
    # Names of cells are matched regardless of spaces and quotes.
    places = {_plain_name(name): name for name in reversed(known)}
    removed_labels: frozenset[str] = frozenset()
    parts: set[tuple[str, str]] = set()
    for label in left_out:
        found = places.get(_plain_name(label))
        if found is None:
            raise UsageError(
                f"`--ablate`: {stack} has no rule, action, patched cell, table or situation `{label}`; "
                f"{suggestion_text(label, known)}"
            )
        if found in of_one:
            parts.add(of_one[found])
        else:
            removed_labels |= {found}
    while True:
        edited: dict[str, tuple[LayerSource, tuple[Finding, ...]]] = {}
        for name, (read, problems) in layers.items():
            own_labels = {label for layer, label in parts if layer == name}
            edited[name] = _without_statements(read, removed_labels | own_labels), problems
        # Rules that only relate to removed ones are removed too, which may affect further relations: iterate to a
        # fixpoint.
        lost_labels = all_labels(layers) - all_labels(edited)
        if lost_labels <= removed_labels:
            return replace(library, read=edited)
        removed_labels |= lost_labels


def names_of_layer(read: LayerSource) -> frozenset[str]:
    """Return the names of everything that may be removed from a layer."""
    return frozenset((*all_labels({read.layer.name.text: (read, ())}), *_patched_cells(read)))


def shared_names(names: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Yield each name that several layers declare or change, with each of these layers."""
    times = Counter(label for labels in names.values() for label in labels)
    yield from ((label, layer) for layer, labels in names.items() for label in sorted(labels) if times[label] > 1)


def qualified_name(label: str, layer: str) -> str:
    """Return the name of what one of several layers declares or changes."""
    return f"{label} of {layer}"


def _plain_name(name: str) -> str:
    """Return a name without spaces and quotes."""
    return "".join(name.replace("'", "").split())


def all_labels(layers: Read) -> set[str]:
    """Return the labels of all laws and procedures of layers."""
    return {
        label
        for name, (read, _) in layers.items()
        for statement in read.statements()
        for label in (*statement_labels(statement), *conduct_labels(statement, name))
    }


def _patched_cells(read: LayerSource) -> Iterator[str]:
    """Yield the names of the patches of a layer: cells and their tables, parts of cards and the cards, counters."""
    for patch in read.table_patches:
        if patch.set:
            yield patch.table.text
        yield from (cell_name(patch, change) for change in patch.set)
    for of_card in read.card_patches:
        yield of_card.card.text
        yield from card_parts(of_card)
    for of_pieces in read.piece_patches:
        yield of_pieces.kind.text
        yield from _patched_counters(of_pieces)


def card_parts(patch: source.CardPatch) -> Iterator[str]:
    """Yield the names of the parts of a card that a patch changes: `yard[turns]`, `yard[north, tank]`."""
    yield from (_card_part(patch.card.text, change) for change in patch.forces)
    yield from (_card_part(patch.card.text, change) for change in patch.parts)


def _card_part(card: str, change: source.ForceChange | source.PartChange) -> str:
    """Return the name of a part of a card: its kind, or the side and the unit of a force."""
    whose = [word.text for word in (change.side, change.group) if word]
    if isinstance(change, source.ForceChange):
        place = [*whose, change.unit.text]
    elif change.name.text == change.kind:
        place = [*whose, change.kind]
    else:
        place = [change.kind, *whose, change.name.text]
    return f"{card}[{', '.join(place)}]"


def _patched_counters(patch: source.PiecePatch) -> Iterator[str]:
    """Yield the names of the counters that a patch adds or changes: `unit[tank]`."""
    words = [each.id for each in patch.add] + [each.id for each in patch.set] + [each.id for each in patch.values]
    names = [word.text for word in words]
    yield from dict.fromkeys(f"{patch.kind.text}[{name}]" for name in names)


def conduct_labels(statement: object, layer: str) -> Iterator[str]:
    """Yield the name of a declared or changed procedure; that of a hook without a label contains its layer."""
    match statement:
        case source.Action() | source.Reaction() | source.Resolution():
            yield _change_label(type(statement).__name__.lower(), statement.name.text, statement.replaces)
        case source.Phase():
            yield _change_label("phase", statement.name.text, statement.replaces)
        case source.Precondition():
            yield f"precondition {statement.label.text}"
        case source.ExtendPrecondition():
            yield f"change of precondition {statement.label.text}"
        case source.Insert():
            yield f"phase {statement.phase.name.text}"
        case source.Hook():
            name = statement.label.text if statement.label else f"{statement.event.text} of {layer}"
            yield _change_label("hook", name, statement.replaces)
        case _:
            pass


def _change_label(kind: str, name: str, replaces: object) -> str:
    return f"change of {kind} {name}" if replaces else f"{kind} {name}"


def statement_labels(statement: object) -> Iterator[str]:
    """Return the labels of the rules, rulings and cases in a statement, its own first."""
    laws = source.nested_laws((statement,))
    return (law.label.text for law in laws if isinstance(law, source.Rule | source.Ruling | source.Case))


def cell_name(patch: source.TablePatch, change: source.CellChange) -> str:
    """Return the name of a cell: `tec[slope, truck]`, with several values of a key as `a|b`."""
    keys = ("|".join(map(_match_text, matches)) for _, matches in change.keys)
    return f"{patch.table.text}[{', '.join(keys)}]"


def _match_text(match: source.Match) -> str:
    return match.text if isinstance(match, source.Word) else f"{match.low}..{match.high}"


def _without_statements(read: LayerSource, removed_labels: frozenset[str]) -> LayerSource:
    """Return a layer without some statements and patches."""
    layer = read.layer.name.text
    files = list[source.RulesFile]()
    for file in read.files:
        statements = list[source.Statement]()
        for each in file.statements:
            if removed_labels.isdisjoint(conduct_labels(each, layer)):
                statements += strip_statement(each, removed_labels)
        files.append(replace(file, statements=tuple(statements)))
    patches = list[source.TablePatch]()
    for table in read.table_patches:
        cells = (c for c in table.set if removed_labels.isdisjoint((table.table.text, cell_name(table, c))))
        patches.append(replace(table, set=tuple(cells)))
    cards = (_stripped_card(card, removed_labels) for card in read.card_patches if card.card.text not in removed_labels)
    pieces = (_stripped_pieces(kind, removed_labels) for kind in read.piece_patches
            if kind.kind.text not in removed_labels)  # fmt: skip
    # Books refer to labels that may have been removed, and no book of such a stack is printed.
    return replace(read, files=tuple(files), table_patches=tuple(patches), card_patches=tuple(cards),
                   piece_patches=tuple(pieces), books=())  # fmt: skip


def _stripped_card(patch: source.CardPatch, removed_labels: frozenset[str]) -> source.CardPatch:
    card = patch.card.text
    return replace(
        patch,
        forces=tuple(force for force in patch.forces if _card_part(card, force) not in removed_labels),
        parts=tuple(each for each in patch.parts if _card_part(card, each) not in removed_labels),
    )


def _stripped_pieces(patch: source.PiecePatch, removed_labels: frozenset[str]) -> source.PiecePatch:
    kind = patch.kind.text
    return replace(
        patch,
        add=tuple(each for each in patch.add if f"{kind}[{each.id.text}]" not in removed_labels),
        set=tuple(each for each in patch.set if f"{kind}[{each.id.text}]" not in removed_labels),
        values=tuple(each for each in patch.values if f"{kind}[{each.id.text}]" not in removed_labels),
    )


def strip_statement(statement: source.Statement, removed_labels: frozenset[str]) -> Iterator[source.Statement]:
    """Yield a statement without removed parts; nothing if no part remains."""
    match statement:
        case source.Example():
            return
        case source.Rule():
            yield from _strip_rule(statement, removed_labels)
        case source.Case() if statement.label.text not in removed_labels:
            yield replace(statement, laws=_strip_laws(statement.laws, removed_labels))
        case source.Ruling() if statement.label.text not in removed_labels:
            rules = _strip_rules(statement.laws, removed_labels)
            if rules or not any(isinstance(law, source.Rule) for law in statement.laws):
                yield replace(statement, laws=rules)
        case source.Dispute():
            readings = (
                replace(reading, laws=_strip_rules(reading.laws, removed_labels)) for reading in statement.readings
            )
            yield replace(statement, readings=tuple(readings))
        case source.Case() | source.Ruling():
            return
        case source.Beside():
            kept_actions = tuple(
                action for action in statement.actions if f"action {action.action.text}" not in removed_labels
            )
            if kept_actions and f"action {statement.host.action.text}" not in removed_labels:
                yield replace(statement, actions=kept_actions)
        case _:
            yield statement


def _strip_laws(laws: tuple[source.Law, ...], removed_labels: frozenset[str]) -> tuple[source.Law, ...]:
    """Return the laws of a case without removed ones."""
    statements = (statement for law in laws for statement in strip_statement(law, removed_labels))
    return tuple(law for law in statements if isinstance(law, source.Law))


def _strip_rules(
    laws: tuple[source.Rule | source.Example, ...], removed_labels: frozenset[str]
) -> tuple[source.Rule, ...]:
    """Return the rules among laws without removed ones."""
    return tuple(rule for law in laws if isinstance(law, source.Rule) for rule in _strip_rule(law, removed_labels))


def _strip_rule(rule: source.Rule, removed_labels: frozenset[str]) -> Iterator[source.Rule]:
    """Yield a rule unless it is removed, or consists only of relations to removed rules."""
    if rule.label.text in removed_labels:
        return
    relations = tuple(
        replace(relation, labels=labels)
        for relation in rule.relations
        if (labels := tuple(word for word in relation.labels if word.text not in removed_labels)) or relation.procedures
    )
    patches = tuple(patch for patch in rule.patches if patch.table.text not in removed_labels)
    if rule.conclusion or relations or patches or rule.amends:
        yield replace(rule, relations=relations, patches=patches)

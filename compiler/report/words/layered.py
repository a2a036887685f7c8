"""Sentences of problems with layers, rulings and relations that conflict."""

from compiler.layered import problems as layered
from compiler.layered.problems import DuplicateTable, LeavesOffNothing, UnknownCell
from compiler.report.words import replaced_procedures
from compiler.source.sentence import (
    MOST_NAMES,
    Label,
    Sentence,
    Severity,
    backquoted,
    choice_text,
    did_you_mean,
    list_words,
    suggestion_text,
)
from compiler.source.suggestions import nearest_names
from runtime.graph.words import counted_noun

StackProblem = (
    layered.UnknownLayer
    | layered.LayerCycle
    | layered.LayersExclude
    | layered.LeavesOffNothing
    | layered.UnknownReading
    | layered.NoDefaultReading
)
RelationProblem = (
    layered.UnknownLabel
    | layered.NamesUpward
    | layered.SparesNothing
    | layered.RemovedTarget
    | layered.EmptyTarget
    | layered.WrongTarget
    | layered.ExceptionCycle
)
ReadingProblem = layered.ReadingsAlike | layered.ReadingChosenTwice
TakenLabel = layered.DuplicateLabel | layered.CaseRenamed | layered.ReplacedTwice
CollisionProblem = (
    layered.NotAsExpected
    | layered.PatchedTwice
    | layered.PatchesNothing
    | layered.InsertedTwice
    | layered.DuplicateTable
)


def layered_sentence(problem: layered.Problem) -> Sentence:
    """Format a problem of the layered stage as a sentence."""
    if isinstance(problem, StackProblem):
        return _stack(problem)
    if isinstance(problem, RelationProblem):
        return _relation(problem)
    if isinstance(problem, TakenLabel):
        return _label(problem)
    if isinstance(problem, CollisionProblem):
        return _collision(problem)
    if isinstance(problem, replaced_procedures.ReplacementProblem):
        return replaced_procedures.replacement_sentence(problem)
    if isinstance(problem, ReadingProblem):
        return _readings(problem)
    match problem:
        case layered.UnknownCell():
            return missing_cell(problem)
        case layered.ExampleElsewhere(span, stack, layer):
            message = f"this example stands in `{layer}`, which is no part of `{stack}`"
            advice = f"name a stack with `{layer}` in it, or move the example"
            return Sentence(message, (Label(span, "runs under this stack"),), advice)
        case layered.UnknownSource(span, cite, missing, near_names, items) if items:
            has = f"`{missing}` has {counted_noun(items, 'item')} in `sources.yaml`"
            message = f"`{cite}` is not in the register of sources: {has}"
            labels = (Label(span, "cited here"),)
            advice = f"{did_you_mean(near_names, 'cite another.')} If it has more, raise the number"
            return Sentence(message, labels, advice, root=f"source {missing}", names=(cite.partition(".")[0],))
        case layered.UnknownSource(span, cite, missing, near_names):
            part = "section" if "." in missing else "document"
            message = f"`{cite}` is not in the register of sources"
            labels = (Label(span, "cited here"),)
            advice = (
                f"did you mean {list_words(near_names)}? If not, list the {part} in `sources.yaml`"
                if near_names
                else "list the document and its section in `sources.yaml`"
            )
            return Sentence(message, labels, advice, root=f"source {missing}", names=(cite.partition(".")[0],))


def _stack(problem: StackProblem) -> Sentence:
    """Explain why these layers make no stack."""
    match problem:
        case layered.LeavesOffNothing():
            return why_required(problem)
        case layered.UnknownLayer(span, name, candidates, is_incompatible=True):
            message = f"there is no layer `{name}`, so this keeps nothing apart"
            labels = (Label(span, "named here"),)
            return Sentence(message, labels, did_you_mean(candidates), root=f"layer {name}", severity=Severity.WARNING)
        case layered.UnknownLayer(span, name, candidates):
            near_names = nearest_names(name, candidates)
            message = f"there is no layer `{name}`"
            advice = did_you_mean(
                near_names, f"the layers are {list_words(candidates, 'and', 12)}" if candidates else ""
            )
            return Sentence(message, (Label(span, "named here"),), advice, root=f"layer {name}", names=(name,))
        case layered.LayerCycle(spans, names):
            listed = list_words(names, "and")
            return Sentence(
                f"the layers {listed} stand on each other in a circle" if names[1:] else f"{listed} stands on itself",
                tuple(Label(span, "named here") for span in spans[:MOST_NAMES]),
                "take one of these names away",
            )
        case layered.LayersExclude(span, layer, other, below=True):
            message = f"`{layer}` stands on `{other}` and says that it does not go together with it"
            labels = (Label(span, f"named here, though `{layer}` cannot be without it"),)
            advice = f"take `{other}` out of `not with`, or let `{layer}` stand on another layer"
            return Sentence(message, labels, advice, root=" ".join(sorted((layer, other))))
        case layered.LayersExclude(span, layer, other):
            message = f"`{layer}` does not go together with `{other}`"
            labels = (Label(span, f"`{layer}` says so here"),)
            return Sentence(message, labels, f"leave out `{layer}` or `{other}`", root=" ".join(sorted((layer, other))))
        case layered.UnknownReading(span, dispute, "", candidates):
            message = f"there is no dispute `{dispute}`"
            advice = choice_text(nearest_names(dispute, candidates), candidates, "the disputes are")
            return Sentence(message, (Label(span, "its reading is chosen here"),), advice, root=f"dispute {dispute}")
        case layered.UnknownReading(span, dispute, reading, candidates):
            near_names = nearest_names(reading, candidates)
            message = f"`{reading}` is no reading of a dispute `{dispute}`"
            advice = choice_text(near_names, candidates, "what can be chosen is")
            return Sentence(message, (Label(span, "chosen here"),), advice)
        case layered.NoDefaultReading(span, dispute, is_single_reading=True):
            message = f"the dispute `{dispute}` has one reading only, and nothing to choose from"
            advice = "write the reading that it is held against, or make plain rules of it"
            return Sentence(message, (Label(span, "this dispute"),), advice)
        case layered.NoDefaultReading(span, dispute, (first, second, *_)):
            message = f"the dispute `{dispute}` has more than one default reading"
            advice = "leave `default` and its reason with the reading to follow, and take it from the others"
            return Sentence(message, (Label(second, "this says `default`"), Label(first, "and so does this")), advice)
        case layered.NoDefaultReading(span, dispute):
            message = f"the dispute `{dispute}` needs exactly one default reading"
            advice = 'write `default "why we follow it"` behind the label of the reading to follow'
            return Sentence(message, (Label(span, "this dispute"),), advice)


def _relation(problem: RelationProblem) -> Sentence:
    """Explain why a relation between rules is invalid."""
    match problem:
        case layered.UnknownLabel(span, _, name, candidates, labels_of_term):
            others = "the other rules on the same question are"
            advice = "a relation names a label of its own layer or of one below it"
            close = did_you_mean(nearest_names(name, candidates))
            return Sentence(
                f"there is no rule, ruling or case labeled `{name}`",
                (Label(span, "named here"),),
                close or suggestion_text(name, labels_of_term, others, advice) or advice,
                root=f"label {name}",
                names=(name,),
            )
        case layered.SparesNothing(span, target, name, question):
            return Sentence(
                f"`{name}` forbids nothing of `{question}`, so there is nothing to leave out",
                (Label(span, "left out here"), Label(target, f"`{name}`")),
                f"name a rule that forbids `{question}`, or leave the exception out",
            )
        case layered.NamesUpward(span, name, target, layer, target_layer):
            message = f"`{layer}` does not stand on `{target_layer}`, so its rules cannot name `{name}`"
            labels = (Label(span, f"named in `{layer}`"), Label(target, f"`{name}` belongs to `{target_layer}`"))
            return Sentence(message, labels, f"put the rule into `{target_layer}`, or into a joint layer on both")
        case layered.RemovedTarget(span, name, target, remover, remover_label, below):
            parties = (Label(remover, f"`{remover_label}` withdraws it"), Label(span, f"names `{name}`"))
            return Sentence(
                f"`{name}` is not in force: `{remover_label}` withdraws it",
                # A layer that withdraws a rule below it has to handle the rules that depend on it.
                (*(parties if below else reversed(parties)), Label(target, f"`{name}`")),
                f"{'withdraw what names it as well' if below else 'drop one of the two'}, "
                f"or write an exception to `{name}` instead of withdrawing it",
                root=f"withdrawn {name}",
            )
        case layered.EmptyTarget(span, name, target, "own layer"):
            message = f"`{name}` holds no rule of a layer below, so nothing is removed"
            return Sentence(
                message, (Label(span, "removed here"), Label(target, f"`{name}`")), "delete what is not to hold"
            )
        case layered.EmptyTarget(span, name, target, "removal"):
            message = f"`{name}` only confirms, changes or removes others, so an exception to it does nothing"
            advice = f"withdraw `{name}`, or make an exception to what holds in its stead"
            return Sentence(message, (Label(span, "aims at it"), Label(target, f"`{name}`")), advice)
        case layered.EmptyTarget(span, name, target):
            message = f"`{name}` holds no rule that could be defeated here"
            advice = "name the rule that should fall silent"
            return Sentence(message, (Label(span, "aims at it"), Label(target, f"`{name}`")), advice)
        case layered.WrongTarget():
            return _wrong_target(problem)
        case layered.ExceptionCycle((span,), (name,)):
            advice = "name the rule that it changes, or delete the line"
            return Sentence(f"`{name}` cannot be related to itself", (Label(span, "names its own rule"),), advice)
        case layered.ExceptionCycle(spans, labels):
            circle = list_words(labels, "and")
            does, taken_back = ("remove", "removal") if problem.removes else ("defeat", "exception")
            return Sentence(
                f"{circle} {does} each other in a circle",
                tuple(Label(span, f"`{name}`") for span, name in zip(spans, labels, strict=False)),
                f"decide which of them wins where both apply, and take back the other {taken_back}",
                root=" ".join(sorted(labels)),
            )


def _wrong_target(problem: layered.WrongTarget) -> Sentence:
    """Explain why a rule cannot defeat another."""
    if problem.verdict:
        return Sentence(
            f"`{problem.target_label}` adds nothing to a sum, min, max or set, so it cannot be suppressed",
            (
                Label(problem.span, "suppressed here"),
                Label(problem.target, f"says that `{problem.target_concludes_on}` {_saying(problem.verdict)}"),
            ),
            f"write `exception to {problem.target_label}`",
        )
    note = f"`{problem.label}` speaks on `{problem.concludes_on}`" if problem.concludes_on else "aims at it"
    about = f"`{problem.target_concludes_on}`" if problem.target_concludes_on else "no term"
    message = f"`{problem.label}` cannot defeat `{problem.target_label}`, which speaks on {about}"
    labels = (Label(problem.span, note), Label(problem.target, f"`{problem.target_label}` speaks on {about}"))
    advice = "name a rule of the same term; `suppresses` is for contributions to a sum, min, max or set"
    return Sentence(message, labels, advice, names=(problem.target_label,))


def _saying(verb: str) -> str:
    return f"is {verb}" if verb in {"allowed", "forbidden"} else "is so much" if verb == "is" else verb


def _label(problem: TakenLabel) -> Sentence:
    """Return the sentence for two laws with the same label, heading or place."""
    match problem:
        case layered.DuplicateLabel(span, first, name):
            labels = (Label(span, "again here"), Label(first, "first used here"))
            advice = "labels are unique in a stack: choose another, or write `replaces` if it should take the place"
            return Sentence(f"the label `{name}` is taken", labels, advice, root=f"label {name}")
        case layered.CaseRenamed(span, first, name, heading, first_heading):
            labels = (
                Label(span, f"here it is {backquoted(heading)}"),
                Label(first, f"here it is {backquoted(first_heading)}"),
            )
            advice = "leave title and number out where a case is only opened again, or choose another label"
            return Sentence(f"the case `{name}` has two headings", labels, advice, root=f"label {name}")
        case layered.ReplacedTwice(span, other, name, target):
            message = f"`{name}` is replaced or withdrawn twice"
            parties = (Label(span, "removed here"), Label(other, "and here"), Label(target, f"`{name}`"))
            return Sentence(message, parties, "keep one, or settle it in a joint layer on both", root=f"removed {name}")


def _readings(problem: ReadingProblem) -> Sentence:
    """Return the sentence for readings that agree, or that two layers choose differently."""
    match problem:
        case layered.ReadingsAlike(span, first, reading, first_reading):
            message = f"`{reading}` and `{first_reading}` hold the same rules: whichever is chosen, nothing changes"
            advice = "write what one of them says otherwise, or take the dispute away"
            return Sentence(message, (Label(span, "this reading"), Label(first, "and this one")), advice)
        case layered.ReadingChosenTwice(span, other, dispute, (layer, other_layer), (reading, other_reading)):
            return Sentence(
                f"two loaded layers choose different readings of `{dispute}`",
                (
                    Label(span, f"`{layer}` follows `{reading}`"),
                    Label(other, f"`{other_layer}` follows `{other_reading}`"),
                ),
                f"choose one where you name the stack, `+{dispute}={reading}`, or in a joint layer on both",
                root=f"readings of {dispute}",
            )


def _collision(problem: CollisionProblem) -> Sentence:
    """Return the sentence for two changes of the same place."""
    match problem:
        case layered.NotAsExpected(span, target, part, expected, found):
            message = f"`{part}` is `{found}`, not `{expected}` as this change expects"
            advice = "what stands below has changed: look at it again, then write what is there now"
            return Sentence(message, (Label(span, f"expects `{expected}`"), Label(target, f"is `{found}`")), advice)
        case layered.PatchedTwice(span, other, part, is_same_layer=True):
            message = f"`{part}` is changed twice"
            return Sentence(message, (Label(span, "changed here"), Label(other, "and here")), "keep one of the two")
        case layered.PatchesNothing(span, target, part, "so"):
            message = f"this changes nothing: `{part}` does the same already"
            advice = "write what is to be done instead, or delete the replacement"
            return Sentence(message, (Label(span, "stands in for it"), Label(target, "does the same")), advice)
        case layered.PatchesNothing(span, target, part, "there already"):
            message = f"this changes nothing: `{part}` stands there already"
            advice = "say where it is to stand, or delete the line"
            return Sentence(message, (Label(span, "put there"), Label(target, "stands there")), advice)
        case layered.PatchesNothing(span, target, part, value):
            message = f"this changes nothing: `{part}` is `{value}` already"
            advice = "write what it should be, or delete the change"
            return Sentence(message, (Label(span, "is to stand there"), Label(target, "stands there")), advice)
        case layered.PatchedTwice(span, other, part):
            message = f"two loaded layers change `{part}`"
            advice = "settle it in a joint layer on both"
            return Sentence(message, (Label(span, "changed here"), Label(other, "and here")), advice)
        case layered.InsertedTwice(span, other, name, other_name, anchor):
            return Sentence(
                f"`{other_name}` and `{name}` are both inserted next to `{anchor}`, and nothing says which comes first",
                (Label(span, "inserted here"), Label(other, "and here")),
                "let one name the other as its neighbor; if their layers do not know each other,"
                " one of these may say `above: [OTHER]`",
            )
        case layered.DuplicateTable():
            return taken_name(problem)


def why_required(problem: LeavesOffNothing) -> Sentence:
    """Explain why a layer cannot be excluded."""
    name, needed = problem.name, problem.dependents
    others = tuple(each for each in problem.companions if each != name)
    reason, note = "it does not come along with this stack", "left off here"
    help_ = (
        f"what comes along and can be left off is {list_words(others, 'and', 12)}"
        if others
        else "no layer of this stack brings another along"
    )
    if problem.is_loaded and needed:
        reason = f"{list_words(needed, 'and')} {'stand' if len(needed) > 1 else 'stands'} on it"
        help_ = f"leave {'them' if len(needed) > 1 else 'that'} out as well, or leave `{name}` in"
    elif problem.parties:
        reason = f"it is loaded with {list_words(problem.parties, 'and')}, which would not fit together without it"
        help_ = "leave one of these out"
    elif problem.is_loaded:
        reason, note = "the stack asks for it as well", "both in the name of this stack"
        help_ = f"leave out `{name}`, or `{name}=off`"
    return Sentence(
        f"`{name}` cannot be left off: {reason}", (Label(problem.span, note),), help_, root=f"left off {name}"
    )


def missing_cell(problem: UnknownCell) -> Sentence:
    """State that the target of a patch, or of an example, does not exist."""
    name, category, patched = problem.name, problem.category, problem.patched
    if problem.counters:
        labels = (Label(problem.span, "its counters are patched otherwise"),)
        advice = (
            f"write `extend kind {name} has NAME: 0..9 = 5` in a .rules file, and `add factors: {{NAME: "
            "{COUNTER: 7}}` here"
        )
        return Sentence(f"`{name}` is a kind of piece, and no table", labels, advice, root=f"table {name}")
    message = f"there is no {category} `{name}`{' to patch' if patched else ''}"
    labels = (Label(problem.span, "patched here" if patched else "this example is on it"),)
    near_names = problem.near if category == "cell" else nearest_names(name, problem.candidates)
    known = "the cells that differ in one key are" if category == "cell" else f"the {category}s are"
    advice = choice_text(near_names, problem.candidates, known)
    return Sentence(message, labels, advice, root=f"{category} {name}", names=(name,))


def taken_name(problem: DuplicateTable) -> Sentence:
    """State that a table, a counter, a row, a column or a value already exists."""
    match problem:
        case DuplicateTable(span, first, "value", name, value):
            counter, _, column = name.rpartition(".")
            labels = (Label(span, "again here"), Label(first, f"`{value}` stands here"))
            advice = f"change it: `set: [{{id: {counter}, column: {column}, expect: {value}, now: ..}}]`"
            return Sentence(f"`{name}` is given a value already", labels, advice, root=f"value {name}")
        case DuplicateTable(span, first, category, name, table) if table:
            message = f"`{table}` has a {category} `{name}` already"
            labels = (Label(span, "added here"), Label(first, "is there"))
            advice = "change its cells one by one, `set: [{.., expect: .., now: ..}]`"
            return Sentence(message, labels, advice, root=f"{category} of {table} {name}")
        case DuplicateTable(span, first, category, name):
            labels = (Label(span, "again here"), Label(first, "first here"))
            advice = "choose another name, or patch the first one by key"
            return Sentence(f"there are two {category}s named `{name}`", labels, advice, root=f"{category} {name}")

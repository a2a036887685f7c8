"""By what remembered answers are known: of records, by their fields as they are now."""

from rulewright.library.stacks import load_stack
from runtime.answer.generate import GeneratedEvaluator


def test_a_field_that_steps_set_anew_is_known_by_what_it_is_now() -> None:
    rules = load_stack("panzer_leader").graph
    assert rules is not None
    compiled = GeneratedEvaluator(rules)
    anew = {name for _, name in compiled.emitter.amended_fields}
    remaining = [compiled.dependence.memo_key(name) for name in rules.terms]
    looks = [text for each in remaining if each is not None for text, _ in each.reads]
    assert any(text.startswith("s.field(") for text in looks)
    assert not any(f"fields.get({name!r})" in text for name in anew for text in looks)

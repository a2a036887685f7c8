"""The hand-written functions of the benchmark give the answers of the rules; a result below its target is marked."""

from bench.by_hand import by_hand
from bench.charts import CHECKED, check, load, nowhere, questions
from bench.finding import AT_LEAST, Finding
from bench.page import page, table
from bench.playing import situation
from bench.terms import SITUATION, agreed, subjects
from runtime.answer.generate import GeneratedEvaluator


def test_hand_written_charts_have_the_answers_of_the_rules() -> None:
    compiled, state = GeneratedEvaluator(rules := load()), nowhere(load())
    assert rules.terms
    check("generated", lambda *case: compiled.value(state, "result", case), questions(CHECKED))
    assert len({by_hand(*case) for case in questions(CHECKED)}) > 1


def test_hand_written_terms_have_the_answers_of_the_rules() -> None:
    compiled = GeneratedEvaluator(situation(SITUATION))
    counts = [agreed(compiled, name, hand, questions) for name, hand, questions in subjects(compiled, 2, 40)]
    assert len(counts) == 6
    assert min(counts) > 20


def test_a_result_below_its_target_is_marked() -> None:
    slow = Finding("play", "slow", "/s", 10.0, 100.0, 0.1, 1.0, AT_LEAST)
    fast = Finding("play", "fast", "us", 1.0, 1.0, 1.0, 1.5)
    alone = Finding("play", "alone", "s", 0.001)
    assert (slow.is_met, fast.is_met, alone.is_met) == (False, True, None)
    assert "| slow | 10.0 /s | 100 /s | 0.10 | (≥ 1.00) | **no** |" in page([slow, fast, alone])
    assert "MISSED" in table([slow])
    assert set(slow.data()) >= {"name", "ours", "peer", "ratio", "target", "met"}

"""The whole picture: as HTML, and as plain text where there is no page."""

from __future__ import annotations

from html import unescape

from inplace_lab import Experiment, Write, observe, picture, show

SURPRISE = Experiment("exp", writes=(Write("root", "setitem", "after_root"),))


def test_the_picture_holds_torchs_exact_words_and_their_reading() -> None:
    observation = observe(SURPRISE)
    page = unescape(picture.html(observation))
    assert observation.error.text in page
    assert observation.reading in page
    assert "Backward is refused" in page
    assert page.count("<svg") == 3


def test_a_program_that_has_not_ended_hides_gradient_and_verdict() -> None:
    page = picture.body(observe(SURPRISE), at=3)
    assert page.count("<svg") == 2
    assert "refused" not in page
    assert "After line 4" in page


def test_the_least_height_is_kept() -> None:
    assert 'height="500"' in picture.body(observe(SURPRISE), height=500)


def test_the_text_shows_program_versions_and_verdict() -> None:
    words = picture.text(observe(SURPRISE))
    lines = words.splitlines()
    assert lines[4].split() == ["5", "root[2]", "=", "10", "leaf", "v0", "middle", "v0", "root", "v1"]
    assert lines[-1].startswith("Backward is refused.")


def test_show_runs_the_experiment_and_is_both() -> None:
    shown = show(SURPRISE)
    assert shown._repr_html_() == picture.html(shown.observation)
    assert repr(shown) == picture.text(shown.observation)
    assert shown.observation.error is not None


def test_a_sentence_stands_where_the_picture_would() -> None:
    page = picture.sentence("root cannot be <written>.", height=300)
    assert "root cannot be &lt;written&gt;." in page
    assert 'role="status"' in page

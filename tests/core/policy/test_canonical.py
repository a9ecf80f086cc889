"""Whether a page's word on its canonical is believed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.policy.canonical import Named, doubt, follow, in_a_clause, why_not

PAGE = Named(outcome="ok", status=200, content_type="text/html", is_page=True, was_page=True)
FAILED = replace(PAGE, is_page=False, was_page=False)


@pytest.mark.parametrize(
    ("named", "reason"),
    [
        (Named(), ""),
        (PAGE, ""),
        (replace(PAGE, status=304, outcome="not_modified"), ""),
        (replace(FAILED, status=404), "status: 404"),
        (replace(FAILED, status=410, was_page=True), "status: 410"),
        (replace(FAILED, status=503), "status: 503"),
        (replace(FAILED, status=503, was_page=True), ""),
        (replace(FAILED, status=429, was_page=True), ""),
        (replace(FAILED, status=403, was_page=True), "status: 403"),
        (replace(FAILED, status=None, outcome="error:timeout"), "error: timeout"),
        (replace(FAILED, status=None, outcome="error:timeout", was_page=True), ""),
        (replace(FAILED, status=None, outcome="error:blocked", was_page=True), "error: blocked"),
        (replace(FAILED, outcome="truncated"), "error: truncated"),
        (replace(FAILED, soft_block=True), "soft-block"),
        (replace(FAILED, soft_block=True, was_page=True), ""),
        (replace(FAILED, content_type="image/png"), "content-type: image/png"),
        (replace(FAILED, content_type="image/png", was_page=True), "content-type: image/png"),
        (replace(FAILED, status=301, outcome="redirect", was_page=True), "redirect"),
        (replace(FAILED, status=301, outcome="redirect", next=7), ""),
        (replace(PAGE, next=7), ""),
        (replace(PAGE, barred="contents"), "contents"),
        (replace(PAGE, barred="robots: Disallow: /b"), "robots: Disallow: /b"),
        (Named(barred="robots: unreachable (status 503)"), "robots: unreachable (status 503)"),
        (replace(PAGE, barred="robots: unreachable (status 503)"), ""),
        (Named(barred="unreachable: dns"), "unreachable: dns"),
        (replace(PAGE, barred="unreachable: dns"), ""),
        (Named(barred="pattern: /b"), "pattern: /b"),
        (replace(PAGE, barred="authorisation: until 2027-01-31"), ""),
        (Named(barred="authorisation: until 2027-01-31"), ""),
    ],
)
def test_each_kind_of_page_that_is_named(named: Named, reason: str) -> None:
    assert doubt(named) == reason


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("", ""),
        ("off", "normalise.canonical is off"),
        ("conflicting", "several canonicals"),
        ("invalid", "no URL"),
        ("scope", "is outside the crawl's scope"),
        ("looping", "leads back, by its own canonical,"),
        ("ring", "leads into a ring of pages"),
        ("chained", "more than 10 steps away"),
        ("itself", "redirects back to this one"),
        ("redirect", "redirects to no page of this crawl"),
        ("redirect: status: 404", "redirects to a page that answers 404"),
        ("contents", "thirty pages of different content"),
        ("status: 404", "answers 404"),
        ("error: timeout", "cannot be fetched (timeout)"),
        ("content-type: image/png", "no page that this crawl reads (image/png)"),
        ("soft-block", "fails the content checks"),
        ("robots: Disallow: /b", "may not be fetched by robots.txt (Disallow: /b)"),
        ("pattern: /b", "is excluded by /b"),
        ("pattern: not included", "no include pattern"),
        ("depth", "is refused (depth)"),
        ("unknown", "is not known"),
    ],
)
def test_each_reason_is_told_in_a_sentence(reason: str, words: str) -> None:
    said = why_not(reason)
    assert words in said
    assert said == "" or said.endswith(".")


NAMED = st.builds(
    Named,
    barred=st.sampled_from(["", "robots: Disallow: /", "pattern: /x"]),
    next=st.sampled_from([None, 7]),
    outcome=st.sampled_from(["", "ok", "redirect", "truncated", "error:timeout"]),
    status=st.sampled_from([None, 200, 404, 503]),
    soft_block=st.booleans(),
    is_page=st.booleans(),
    was_page=st.booleans(),
)


@given(NAMED)
def test_only_an_unbarred_page_or_a_redirect_or_a_bad_hour_is_believed(named: Named) -> None:
    if doubt(named):
        assert in_a_clause(doubt(named))
    else:
        assert not named.barred
        assert not named.outcome or named.is_page or named.was_page or (named.redirects and named.next)


PLACES = {name: number for number, name in enumerate("abcdefghijklm", 1)}


def ends(said: str) -> tuple[str, str]:
    """Where the page `a` ends: `b>c` names, `b=>c` redirects, `b!` answers 404, `b?` has not answered; others do."""
    known = {}
    for word in said.split():
        name, _, target = word.partition("=>" if "=>" in word else ">")
        redirected = replace(FAILED, status=301, outcome="redirect")
        known[name.strip("!?")] = (
            replace(redirected if "=>" in word else PAGE, next=PLACES[target])
            if target
            else replace(FAILED, status=404)
            if "!" in name
            else Named()
        )
    names = {number: name for name, number in PLACES.items()}
    end = follow(PLACES["a"], PLACES["b"], lambda number: known.get(names[number], PAGE))
    return names.get(end.target or 0, ""), end.doubt


@pytest.mark.parametrize(
    ("said", "end", "reason"),
    [
        ("b?", "b", ""),
        ("b>c", "c", ""),
        ("b>c c>d d>e", "e", ""),
        ("b>c c?", "c", ""),
        ("b>c c!", "b", ""),
        ("b>c c>d d!", "c", ""),
        ("b=>c", "c", ""),
        ("b=>c c>d", "d", ""),
        ("b>c c=>d d=>e", "e", ""),
        ("b>c c=>d d!", "b", ""),
        ("b=>c c!", "", "redirect: status: 404"),
        ("b=>c c=>b", "", "redirect"),
        ("b>c c=>d d=>c", "b", ""),
        ("b=>a", "", "itself"),
        ("b=>c c=>a", "", "itself"),
        ("b>c c=>b", "b", ""),
        ("b>a", "", "looping"),
        ("b=>c c>a", "", "looping"),
        ("b>c c>b", "", "ring"),
        ("b>c c=>d d>b", "", "ring"),
        ("b>c c>d d>e e>f f>g g>h h>i i>j j>k", "k", ""),
        ("b>c c>d d>e e>f f>g g>h h>i i>j j>k k>l", "", "chained"),
    ],
)
def test_chain_is_followed_to_its_end(said: str, end: str, reason: str) -> None:
    assert ends(said) == (end, reason)

"""The cases of the contract hold every pair of choices."""

from itertools import combinations, product

from support.covering import covering


def test_every_pair_occurs_in_few_combinations():
    choices = [range(4), "abcdefghijk", range(4), (0, 1, 2), (0, 1, 2), "LU", "NTC", range(6), range(5)]
    found = covering(11, *choices)
    for i, j in combinations(range(len(choices)), 2):
        assert {(c[i], c[j]) for c in found} == set(product(choices[i], choices[j]))
    assert len(found) < 1.2 * 11 * 6  # the two longest: there cannot be fewer than all their pairs


def test_of_one_thing_the_first_choice_is_taken():
    assert covering(1, "ab") == [("a",)]
    assert covering(1) == [()]

"""The page's parts about the whole map: between the policies, fronts, changes in mid-episode."""

import unittest

from page_case import PageCase, between, fronts, page


class MapPage(PageCase):
    def test_others_that_meet_more_between_the_policies(self):
        ahead, behind, unknown = self.warnings(
            page(between(default=80.0, still=79.0, lookup=79.0)),
            page(between(default=80.0, still=79.0, lookup=85.5)),
            page(between(default=80.0, still=79.0)),
        )
        self.assertEqual(ahead, [])
        self.assertEqual(behind, ["Lookup meets more than steering: with mean actions 85.5 against 80.0 %."])
        self.assertEqual(
            unknown,
            ["Numbers are missing, so it is unknown whether lookup meets more than steering: "
             "with mean actions – against 80.0 %."],
        )  # fmt: skip

    def test_a_map_that_offers_less_than_its_policies(self):
        more, less, unknown = self.warnings(page(fronts(1.01)), page(fronts(0.99)), page(fronts(None)))
        self.assertEqual(more, [])
        row = "mean actions, undiscounted: 75.0 % of the hypervolume of training labels."
        self.assertEqual(less, [f"The map offers less than its policies did: {row}"])
        self.assertEqual(
            unknown, [f"Numbers are missing, so it is unknown whether the map offers less than its policies did: {row}"]
        )


if __name__ == "__main__":
    unittest.main()

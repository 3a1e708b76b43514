import unittest

from settings import merge


class Merge(unittest.TestCase):
    def test_nested(self):
        base = {"db": {"host": "a", "port": 1}, "debug": False}
        self.assertEqual(
            merge(base, {"db": {"host": "b"}}),
            {"db": {"host": "b", "port": 1}, "debug": False},
        )
        self.assertEqual(base["db"]["host"], "a")

    def test_a_plain_value_replaces_a_nested_one(self):
        self.assertEqual(merge({"db": {"host": "a"}}, {"db": None}), {"db": None})

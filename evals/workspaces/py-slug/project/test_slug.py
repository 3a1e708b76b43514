import unittest

from slug import slugify


class Slugify(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(slugify("  Hello, World! "), "hello-world")

    def test_accents(self):
        self.assertEqual(slugify("Crème Brûlée"), "creme-brulee")
        self.assertEqual(slugify("Ångström 42"), "angstrom-42")

import unittest

from orders import add, new_order


class Orders(unittest.TestCase):
    def test_orders_share_nothing(self):
        add(new_order("ada"), "pen")
        self.assertEqual(new_order("zoe")["items"], [])

    def test_the_callers_list_stays_as_it_is(self):
        given = ["ink"]
        add(new_order("ada", given), "pen")
        self.assertEqual(given, ["ink"])

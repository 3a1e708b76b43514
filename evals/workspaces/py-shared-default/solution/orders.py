def new_order(customer, items=()):
    """An order with these items; without any, an empty one."""
    return {"customer": customer, "items": list(items)}


def add(order, item):
    order["items"].append(item)
    return order

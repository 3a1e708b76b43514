def median(values):
    """The middle of the values; the mean of the two middle ones where their count is even."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("there is no median of nothing")
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2

def median(values):
    """The middle of the values; the mean of the two middle ones where their count is even."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2]

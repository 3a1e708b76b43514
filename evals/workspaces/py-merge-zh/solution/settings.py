def merge(base, extra):
    """Both settings as one; what `extra` says holds, nested settings are merged too. Neither is changed."""
    merged = dict(base)
    for key, value in extra.items():
        before = merged.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            merged[key] = merge(before, value)
        else:
            merged[key] = value
    return merged

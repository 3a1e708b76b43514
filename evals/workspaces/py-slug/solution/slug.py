import re
import unicodedata


def slugify(title):
    """Lower-case words of a-z and 0-9 joined by dashes; letters with accents lose them."""
    plain = unicodedata.normalize("NFKD", title)
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return re.sub(r"[^a-z0-9]+", "-", letters.lower()).strip("-")

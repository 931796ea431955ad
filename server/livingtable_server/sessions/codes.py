"""The codes of rooms, which can be read out loud, and the secrets of those who sit in them."""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O or U. Eight of them are 40 bits."""
_HALF = 4
_HEARD_AS = str.maketrans("ILO", "110")


def room_code() -> str:
    """A new code: `7K3M-Q2XD`."""
    letters = "".join(secrets.choice(_LETTERS) for _ in range(2 * _HALF))
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


def heard_code(text: str) -> str | None:
    """The code that somebody has typed or heard, in capitals or not, with or without its hyphen; None if it is none."""
    if len(text) > 40:
        return None
    letters = "".join(text.upper().translate(_HEARD_AS).replace("-", " ").split())
    if len(letters) != 2 * _HALF or not set(letters) <= set(_LETTERS):
        return None
    return f"{letters[:_HALF]}-{letters[_HALF:]}"


def hashed(secret: str) -> str:
    """What is kept of a secret of at least 128 random bits, from which it cannot be found."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def matches(secret_hash: str | None, kept: str | None) -> bool:
    """Whether two hashes are of one secret, in a time that does not tell how far they agree; False if one is none."""
    return secret_hash is not None and kept is not None and compare_digest(secret_hash, kept)

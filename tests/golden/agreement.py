"""Whether what a generator computes is what the repository has."""

import math


def same(committed: object, new: object, tolerance: float, least: float = 0.0) -> bool:
    """Equal but for the last digits of numbers, which another libm may give otherwise.

    `tolerance` is relative; numbers that differ by at most `least` are equal, too.
    """
    if isinstance(committed, dict) and isinstance(new, dict):
        return committed.keys() == new.keys() and all(same(committed[name], new[name], tolerance, least) for name in new)
    if isinstance(committed, list) and isinstance(new, list):
        return len(committed) == len(new) and all(
            same(old, now, tolerance, least) for old, now in zip(committed, new, strict=True)
        )
    if isinstance(committed, float) and isinstance(new, float):
        return math.isclose(committed, new, rel_tol=tolerance, abs_tol=least)
    return committed == new

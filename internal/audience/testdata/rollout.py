"""Prints testdata/rollout.json: python3 testdata/rollout.py > testdata/rollout.json

The hashes and decisions of 10,000 pairs of a flag and an id by hashlib and the floats of
Python, which is what the Python SDK of PostHog counts with. The test makes the same lines
and compares their checksum; the samples say where the first difference is.
"""

import hashlib
import json

MARKS = ["", "é", "日本", "😀", " ", ".", "-"]
SHARES = [0.1, 1, 33.3, 50, 99.9]
VARIANTS = [("a", 33.3), ("b", 33.3), ("c", 0.1), ("d", 33.3)]


def place(key, identity, salt=""):
    digits = hashlib.sha1((key + "." + identity + salt).encode()).hexdigest()[:15]
    return int(digits, 16) / float(0xFFFFFFFFFFFFFFF)


def variant(at):
    start = 0
    for key, share in VARIANTS:
        end = start + share / 100
        if start <= at < end:
            return key
        start = end
    return "-"


def line(n):
    key = f"flag{MARKS[n % 7]}-{n % 97}"
    identity = f"user{MARKS[n % 5]}{n * 7919}@example.com"
    at, spread = place(key, identity), place(key, identity, "variant")
    # The SDK takes out whoever is beyond the share.
    decisions = "".join("0" if at > share / 100 else "1" for share in SHARES)
    return f"{at:.16e} {spread:.16e} {decisions} {variant(spread)}"


lines = [line(n) for n in range(10_000)]
checksum = hashlib.sha256("".join(text + "\n" for text in lines).encode()).hexdigest()
print(json.dumps({"pairs": len(lines), "sha256": checksum, "samples": lines[::500]}, indent=2))

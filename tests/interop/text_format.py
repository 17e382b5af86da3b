# SPDX-License-Identifier: MIT
"""Reads the older text format as programs of the lab write it when they pass on samples."""
import re

import lab

SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)(?: \d+)?$')
LABEL = re.compile(r'\s*([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)",?')
ESCAPES = {"n": "\n", "\\": "\\", '"': '"'}


def plain(text):
    """Return a text without its backslashes."""
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[0]), text)


def read(text):
    """Return an Understood. An invalid line is a problem."""
    seen = lab.Understood()
    kinds = {}
    for line in text.split("\n"):
        about = re.match(r"# (TYPE|HELP) (\S+) ?(.*)$", line)
        if about:
            (kinds if about[1] == "TYPE" else seen.helps)[about[2]] = plain(about[3])
        elif line and not line.startswith("#"):
            match = SAMPLE.match(line)
            if not match:
                raise lab.Problem(f"no sample: {line[:200]}")
            labels = {name: plain(value) for name, value in LABEL.findall(match[2] or "")}
            seen.add(match[1], labels, match[3])
    seen.types = lab.family_names(kinds, kinds)
    seen.helps = lab.family_names(seen.helps, kinds)
    return seen

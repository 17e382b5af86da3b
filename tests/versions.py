#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare <prfdata/version.h> with the versions of the packages in bindings/, and with the first
heading of CHANGELOG.md. Change the version in <prfdata/version.h> first.
"""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent

header = (SOURCE / 'shared/include/prfdata/version.h').read_text(encoding='utf-8')
version = '.'.join(re.search(rf'^#define PRFDATA_VERSION_{part} (\d+)$', header, re.M)[1]
                   for part in ('MAJOR', 'MINOR', 'PATCH'))

PLACES = [ # (file, a pattern whose group is the version)
    ('bindings/node/package.json', r'^  "version": "(.*)",$'),
    ('bindings/rust/Cargo.toml', r'^version = "(.*)"$'),
    ('CHANGELOG.md', r'^## (?:NEXT \()?(\d[^) ]*)'), # the first heading
]

wrong = 0
for place, pattern in PLACES:
    found = re.search(pattern, (SOURCE / place).read_text(encoding='utf-8'), re.M)
    if not found or found[1] != version:
        print(f'{place}: version {found[1] if found else "is missing"}, but version.h has {version}')
        wrong += 1
sys.exit(wrong > 0)

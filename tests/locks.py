#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares the list of locks in docs/architecture.md with the locks that provider/ declares.

Prints the declarations that the list lacks, and the rows for which no declaration exists.
"""
import os
import re
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PAGE = os.path.join(SOURCE, 'docs/architecture.md')
# Does not match a pointer, because its lock is declared elsewhere.
DECLARED = re.compile(r'^ *(?:static )?prfdata_os_lock (\w+);', re.M)
ROW = re.compile(r'^\| `(\w+)` \| `([\w/.]+)` \|', re.M)


def declared_locks():
    found = []
    for folder, _, names in os.walk(os.path.join(SOURCE, 'provider')):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(('.c', '.h')):
                with open(path, encoding='utf-8') as file:
                    shown = os.path.relpath(path, os.path.join(SOURCE, 'provider')).replace(os.sep, '/')
                    found += [(lock, shown) for lock in DECLARED.findall(file.read())]
    return found


def listed_locks():
    with open(PAGE, encoding='utf-8') as file:
        text = file.read()
    table = text[text.index('takes the locks of a provider in this order'):]
    return ROW.findall(table[:table.index('\n## ')])


def main():
    declared, listed = declared_locks(), listed_locks()
    for lock, path in sorted(set(declared) - set(listed)):
        print(f'docs/architecture.md: the list of locks lacks `{lock}` of `{path}`')
    for lock, path in sorted(set(listed) - set(declared)):
        print(f'docs/architecture.md: provider/{path} declares no lock `{lock}`')
    sys.exit(len(listed) == 0 or sorted(declared) != sorted(listed))


main()

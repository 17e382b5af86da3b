#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests that files include only the modules that cmake/modules.txt allows, so that includes go one way.

    tests/includes.py [<source folder>]

Reads every .c and .h file of every module. A file may include the headers of its own module, of the
modules that the table names, and the public ones, <prfdata/...>. In the table a module must come
after the modules that it may include, so there is no circle. Prints each violation. The exit code
is 1 if there is one.
"""
import os
import re
import sys

SOURCE = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(
    os.path.realpath(__file__)))
INCLUDE = re.compile(r'\s*#\s*include\s*(<prfdata/[^>]*>|"[^"]*")')
# These folders contain only modules. Other folders have no row in the table.
FOLDERS = ('shared', 'provider', 'installer', 'reader')


def read_modules(mistakes):
    """Return {module: (folder, {modules it may include})}, in the order of the table."""
    modules = {}
    with open(os.path.join(SOURCE, 'cmake/modules.txt'), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith('#'):
                continue
            folder, names = line.split(':')
            for name in names.split():
                if name not in modules:
                    mistakes.append(f'cmake/modules.txt:{number}: {folder} may include {name}, '
                                    'which does not stand above it')
            modules[os.path.basename(folder)] = (folder, set(names.split()))
    return modules


def check_file(path, module, modules, mistakes):
    """Return how many includes the file has."""
    count = 0
    with open(os.path.join(SOURCE, path), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            count += 1
            name = match.group(1)[1:-1]
            if name.startswith('prfdata/'):
                continue
            target, _, header = name.rpartition('/')
            if target not in modules or not os.path.exists(
                    os.path.join(SOURCE, modules[target][0], header)):
                mistakes.append(f'{path}:{number}: "{name}" is not "<module>/<header>"')
            elif target != module and target not in modules[module][1]:
                mistakes.append(f'{path}:{number}: {module} may not include {target}')
    return count


def main():
    mistakes = []
    modules = read_modules(mistakes)
    folders = {folder: module for module, (folder, _) in modules.items()}
    count = 0
    for top in FOLDERS:
        for folder, below, files in os.walk(os.path.join(SOURCE, top)):
            here = os.path.relpath(folder, SOURCE)
            if here == 'shared/include':
                below.clear()
                continue
            for name in sorted(files):
                if not name.endswith(('.c', '.h')):
                    continue
                path = os.path.join(here, name)
                if here in folders:
                    count += check_file(path, folders[here], modules, mistakes)
                else:
                    mistakes.append(f'{path}: {here} is no module of cmake/modules.txt')
    print('\n'.join(mistakes) if mistakes else f'{count} includes in {len(modules)} modules: one way')
    sys.exit(1 if mistakes or count == 0 else 0)


main()

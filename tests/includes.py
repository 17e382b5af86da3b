#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Includes go one way: cmake/rooms.txt says which room may include which.

    tests/includes.py [<source folder>]

Reads every .c and .h file of every room. A file may include the headers of its own room, of the
rooms that the table names, and the public ones, <prfdata/...>. The table itself has to be in order:
a room stands after the rooms that it may include, so there is no circle. Prints each violation;
exit code 1 if there is one.
"""
import os
import re
import sys

SOURCE = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(
    os.path.realpath(__file__)))
INCLUDE = re.compile(r'\s*#\s*include\s*(<prfdata/[^>]*>|"[^"]*")')
# These folders hold rooms only: what lies beside them has no row in the table.
FOLDERS = ('shared', 'provider', 'installer', 'reader')


def read_rooms(mistakes):
    """{room: (folder, {rooms it may include})}, in the order of the table."""
    rooms = {}
    with open(os.path.join(SOURCE, 'cmake/rooms.txt'), encoding='utf-8') as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith('#'):
                continue
            folder, names = line.split(':')
            for name in names.split():
                if name not in rooms:
                    mistakes.append(f'cmake/rooms.txt:{number}: {folder} may include {name}, '
                                    'which does not stand above it')
            rooms[os.path.basename(folder)] = (folder, set(names.split()))
    return rooms


def check_file(path, room, rooms, mistakes):
    """Returns how many includes there are."""
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
            if target not in rooms or not os.path.exists(
                    os.path.join(SOURCE, rooms[target][0], header)):
                mistakes.append(f'{path}:{number}: "{name}" is not "<room>/<header>"')
            elif target != room and target not in rooms[room][1]:
                mistakes.append(f'{path}:{number}: {room} may not include {target}')
    return count


def main():
    mistakes = []
    rooms = read_rooms(mistakes)
    folders = {folder: room for room, (folder, _) in rooms.items()}
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
                    count += check_file(path, folders[here], rooms, mistakes)
                else:
                    mistakes.append(f'{path}: {here} is no room of cmake/rooms.txt')
    print('\n'.join(mistakes) if mistakes else f'{count} includes in {len(rooms)} rooms: one way')
    sys.exit(1 if mistakes or count == 0 else 0)


main()

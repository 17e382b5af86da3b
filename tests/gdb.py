#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests what docs/debugging.md tells people to type in gdb.

    gdb.py <program>    # a test program that publishes, collects and has too small a buffer

The last table of the page has places to stop at and commands to type there. gdb runs the program
for each row, stops at the place and executes the commands. Each must print something, except
`finish`.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

# gdb's own Python runs this.
INSIDE = '''
import gdb
for place, commands in {rows!r}:
    gdb.Breakpoint(place, temporary=True)
    gdb.execute('run', to_string=True)
    assert gdb.selected_frame().name() == place, place
    for command in commands:
        text = gdb.execute(command, to_string=True)
        assert (text.strip() or command == 'finish') and '<optimized out>' not in text.split(chr(10))[0], command
        print(f'{{place}}: {{command}}', text.replace(chr(10), chr(10) + '    '), sep=chr(10) + '    ')
    gdb.execute('kill')
print('rows:', len({rows!r}))
'''


def rows_of_page():
    """Return the place and the commands of each row of the last table."""
    with open(os.path.join(SOURCE, 'docs/debugging.md'), encoding='utf-8') as file:
        table = file.read().rsplit('| stop at | type | for |\n', 1)[1]
    for line in table.splitlines()[1:]:
        if not line.startswith('|'):
            return
        place, commands = line.split(' | ')[:2]
        yield place.strip('|` '), re.findall('`([^`]+)`', commands)


def main():
    if not shutil.which('gdb'):
        print('no gdb')
        return 77
    rows = list(rows_of_page())
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, 'inside.py')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(INSIDE.format(rows=rows))
        done = subprocess.run(
            ['gdb', '-nx', '-batch', '-ex', 'set confirm off', '-ex', 'set debuginfod enabled off',
             '-x', os.path.join(SOURCE, 'packaging/debugging/prfdata.gdb'), '-x', script, sys.argv[1]],
            env={**os.environ, 'ASAN_OPTIONS': 'detect_leaks=0', 'TMPDIR': folder},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace', check=False)
    if 'ptrace: Operation not permitted' in done.stdout:
        print('gdb may not run programs here')
        return 77
    print(done.stdout)
    return 0 if rows and f'rows: {len(rows)}' in done.stdout else 1


sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests that the sources of C and C++ have the format that .clang-format describes, and that this
test finds a file in another format. It also tests that no line of a comment is longer than the
format allows, because clang-format does not shorten such lines.

    tests/clang_format.py

Other versions of clang-format than Debian 12's break some lines elsewhere, so without that version
the test is skipped.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
VERSION = 14
# Outputs of the installer, which other tests compare byte by byte.
OUTPUTS = re.compile(r'ini/|tests/shared/mapfile/written_\w+\.c$')
BAD = 'int  main( void ) {return 0;}\n'
COLUMNS = int(re.search(r'^ColumnLimit: (\d+)$', (SOURCE / '.clang-format').read_text('ascii'), re.M).group(1))
COMMENT = re.compile(r'\s*(/\*|\*|//)')
AT_ONCE = 50  # files for one process


def skip(reason):
    print(reason)
    sys.exit(77)


def find_program():
    for name in (f'clang-format-{VERSION}', 'clang-format'):
        program = shutil.which(name)
        if program and f'version {VERSION}.' in subprocess.run(
                [program, '--version'], stdout=subprocess.PIPE, text=True, check=True).stdout:
            return program
    return skip(f'no clang-format {VERSION} here')


def sources():
    """Return the files that git knows, and new ones that it does not ignore."""
    try:
        listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard', '--',
                                 '*.c', '*.h', '*.cpp', '*.hpp'], cwd=SOURCE, stdout=subprocess.PIPE, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    names = sorted(set(os.fsdecode(listed.stdout).split('\0')) - {''})
    return [name for name in names if not OUTPUTS.match(name) and (SOURCE / name).is_file()]


def misformatted(program, names, style='file'):
    """Return {name: its first line that has another format}."""
    said = subprocess.run([program, '--dry-run', f'--style={style}', *names], cwd=SOURCE,
                          stderr=subprocess.PIPE, text=True, check=True).stderr
    found = {}
    for name, line in re.findall(r'^(.+?):(\d+):\d+: warning: code should be clang-formatted', said, re.M):
        found.setdefault(name, line)
    return found


def has_long_comment(name):
    with open(SOURCE / name, encoding='utf-8') as file:
        return any(len(line) > COLUMNS + 1 and COMMENT.match(line) for line in file)


def main():
    program = find_program()
    names = sources()
    if not names:
        skip('git lists no sources here')
    with tempfile.TemporaryDirectory(prefix='prfdata-format.') as folder:
        bad = pathlib.Path(folder) / 'bad.c'
        bad.write_text(BAD, encoding='ascii')
        if misformatted(program, [str(bad)], f'file:{SOURCE}/.clang-format') != {str(bad): '1'}:
            print(f'{program} accepts {BAD}', end='')
            sys.exit(1)
    found = {}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        parts = [names[at:at + AT_ONCE] for at in range(0, len(names), AT_ONCE)]
        for some in pool.map(lambda part: misformatted(program, part), parts):
            found.update(some)
    for name, line in found.items():
        print(f'{name}:{line} has another format; run: {os.path.basename(program)} -i {name}')
    long = [name for name in names if has_long_comment(name)]
    for name in long:
        print(f'{name} has a comment with a line of more than {COLUMNS} columns')
    print(f'{len(names)} files, {len(found)} with another format, {len(long)} with a long comment')
    sys.exit(1 if found or long else 0)


main()

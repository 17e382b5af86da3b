#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Test which inputs the replayer gives a target, what it refuses, and that scripts/fuzz-corpus agrees
with it.

    test_replay.py <scripts/fuzz-corpus> <command that runs fuzz_echo>...
"""
import os
import subprocess
import sys
import tempfile

CORPUS_TOOL = sys.argv[1]
ECHO = sys.argv[2:]

INPUTS = {'A': b'\xff', 'Z-9_': bytes(range(256)), 'a': b'', 'a-b': b'\0', 'long': b'\x5a' * 9001}
GOOD = ''.join(f'{name}:{" " * bool(data)}{data.hex()}\n' for name, data in INPUTS.items())

# (text of a corpus, number of the line that is refused, message)
BAD = [
    ('', 1, 'no input'),
    ('a: 00', 1, 'does not end'),
    ('a: 00\nb: 01', 2, 'does not end'),
    ('a: 00\n\n', 2, 'no name'),
    (': 00\n', 1, 'no name'),
    ('a 00\n', 1, 'no name'),
    ('a b: 00\n', 1, 'no name'),
    ('../a: 00\n', 1, 'no name'),
    ('a: 00\nb:00\n', 2, 'no blank'),
    ('a: \n', 1, 'no blank'),
    ('a: 00\nb: 0\n', 2, 'odd number'),
    ('a: 0g\n', 1, 'not a hex digit'),
    ('a: 0A\n', 1, 'not a hex digit'),
    ('a: 00 \n', 1, 'not a hex digit'),
    ('a: 00\r\n', 1, 'not a hex digit'),
    ('a: 00\0\n', 1, 'not a hex digit'),
    ('b: 00\na: 00\n', 2, 'not in order'),
    ('a: 00\na: 00\n', 2, 'not in order'),
]


def run(command):
    """Return exit code and lines of output. A file is used, because Wine's services would hold a pipe
    open."""
    with tempfile.TemporaryFile('w+', encoding='utf-8') as output:
        code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output,
                              stderr=subprocess.STDOUT, check=False).returncode
        output.seek(0)
        return code, output.read().splitlines()


def write(name, text):
    with open(name, 'w', encoding='utf-8', newline='\n') as file:
        file.write(text)


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def check_replay():
    write('good.txt', GOOD)
    code, lines = run(ECHO + ['good.txt'])
    wanted = []
    for name, data in INPUTS.items():
        wanted += [name, 'input ' + data.hex()]
    assert (code, lines) == (0, wanted + [f'[  PASSED  ] {len(INPUTS)} test(s).']), (code, lines)


def check_refusals():
    for text, number, reason in BAD:
        write('bad.txt', text)
        code, lines = run(ECHO + ['bad.txt'])
        assert code == 1, (text, code)
        assert lines[-1].startswith(f'bad.txt:{number}: ') and reason in lines[-1], (text, lines)
    code, lines = run(ECHO + ['missing.txt'])
    assert code == 1 and lines == ['missing.txt:1: the corpus cannot be opened'], (code, lines)


def merge(text_file, folder):
    return run([sys.executable, CORPUS_TOOL, 'merge', text_file, folder])


def check_unpack_and_merge():
    code, lines = run([sys.executable, CORPUS_TOOL, 'unpack', 'good.txt', 'inputs'])
    assert code == 0, lines
    assert {name: read('inputs/' + name) for name in os.listdir('inputs')} == INPUTS
    code, lines = merge('again.txt', 'inputs')
    assert code == 0 and read('again.txt').decode() == GOOD, lines


def check_merge_of_new_inputs():
    os.mkdir('new')
    write('new/known', '')  # the bytes of the input `a`
    write('new/Be', 'x')
    code, lines = merge('again.txt', 'new')
    assert code == 0 and '6 inputs, 1 of them new' in lines[-1], lines
    assert read('again.txt').decode() == GOOD.replace('Z-9_', 'Be: 78\nZ-9_'), read('again.txt')
    before = read('again.txt')
    write('new/Be', 'y')
    code, lines = merge('again.txt', 'new')
    assert code == 1 and 'other bytes' in lines[-1], lines
    os.rename('new/Be', 'new/B.e')
    code, lines = merge('again.txt', 'new')
    assert code == 1 and 'letters' in lines[-1], lines
    assert read('again.txt') == before
    write('again.txt', 'a: 00\nb: 0\n')
    code, lines = merge('again.txt', 'inputs')
    assert code == 1 and 'again.txt:2: ' in lines[-1], lines


def main():
    with tempfile.TemporaryDirectory(prefix='prfdata-replay.') as folder:
        os.chdir(folder)
        check_replay()
        check_refusals()
        check_unpack_and_merge()
        check_merge_of_new_inputs()
        os.chdir('/')
    print('the replayer reads what fuzz-corpus writes')


main()

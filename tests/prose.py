#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests that scripts/prose finds the words and shapes that it refuses, and nothing in plain text.

    tests/prose.py

Each wrong text is planted in a comment of C, in a comment and a docstring of Python, in a string of C
and in a page. The result must have its line and the better words. Then `--check` runs in a
repository with one wrong text, and again after it is corrected.
"""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / 'scripts' / 'prose'
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader('prose', str(SCRIPT))
PROSE = importlib.util.module_from_spec(importlib.util.spec_from_loader('prose', LOADER))
LOADER.exec_module(PROSE)

# (a sentence, a part of the better words)
WRONG = [
    ('It mends the file.', 'repair'),
    ('Mending takes long.', 'repair'),
    ('It tells whoever asks.', 'anyone who'),
    ('The region is asleep.', 'dormant'),
    ('This holds also if it ended.', 'even if'),
    ('The file is to be read.', 'must be'),
    ('These are to be read.', 'must be'),
    ('All of them, but for the last one.', 'except'),
    ('The values are of one moment.', 'consistent'),
    ('The new one replaces the dead one.', 'ended'),
    ('It deletes files of other boots.', 'restart'),
    ('The cache is worth it.', 'saves'),
    ('It does not run any more.', 'no longer'),
    ('It runs no more, and ends.', 'no longer'),
    ('It runs in spite of errors.', 'despite'),
    ("The lock is the caller's.", 'possessive'),
]
RIGHT = [
    'It takes no more than a second.',
    'There is no more memory than this.',
    'It has the file to be read by others.',
    'The value is worth it-self.'.replace('it-self', 'a look'),
    "The caller's lock is held.",
    'Amend the commit.',
    'But forty are enough.',
    'This is not for readers, but for writers.',
]
HEADLESS = ['What a reader sees.', 'Which of them runs.', 'Whose turn it is.']
NOT_HEADLESS = ['What does a reader see?', 'The reader sees this.', 'Whatever happens, it ends.']

mistakes = []


def expect(kind, text, line, better):
    """Check that the text has one fault, in this line, and that the advice contains `better`.
    If `better` is None, the text must have no fault."""
    found = [(at, advice) for at, _, advice in PROSE.faults_of(kind, text)]
    if better is None and found or better is not None and (
            len(found) != 1 or found[0][0] != line or better not in found[0][1]):
        mistakes.append(f'{text!r}: {found}, expected {(line, better) if better else "nothing"}')


def plant(sentence, better):
    """Check the sentence in every place that the script reads."""
    expect('c', f'int a;\n/* The first line,\n * and then. {sentence} */\n', 3, better)
    expect('c', f'int a; // Now. {sentence}\n', 1, better)
    expect('c', f'\nputs("Now. {sentence}");\n', 2, better)
    expect('#', f'a = 1\n# The first line.\n# The second line.\n# {sentence}\n', 4, better)
    expect('#', f'"""The first line.\n\n{sentence}\n"""\n', 3, better)
    expect('md', f'# A page\n\nThe first line.\n{sentence}\n', 4, better)
    # Code in a page is not prose.
    expect('md', f'A page.\n\n```c\n{sentence}\n```\n', 0, None)


def check_repository():
    """Run --check with a wrong text and without it."""
    with tempfile.TemporaryDirectory(prefix='prfdata-prose.') as folder:
        tree = pathlib.Path(folder)
        (tree / 'scripts').mkdir()
        shutil.copy(SCRIPT, tree / 'scripts')
        for sentence, code, said in (('It mends the file.', 1, 'a.c:2: "mends": fix or repair'),
                                     ('It repairs the file.', 0, '0 places')):
            (tree / 'a.c').write_text(f'int a;\n/* {sentence} */\n', encoding='utf-8')
            run = subprocess.run([sys.executable, 'scripts/prose', '--check'], cwd=tree, text=True,
                                 stdout=subprocess.PIPE, check=False)
            if run.returncode != code or said not in run.stdout.splitlines():
                mistakes.append(f'{sentence!r}: exit code {run.returncode}, {run.stdout!r}')


def main():
    for sentence, better in WRONG:
        plant(sentence, better)
    for sentence in RIGHT:
        plant(sentence, None)
    for sentence in HEADLESS + NOT_HEADLESS:
        better = 'begin with the thing' if sentence in HEADLESS else None
        expect('c', f'int a;\n\n/* {sentence} */\n', 3, better)
        expect('c', f'/* SPDX-License-Identifier: MIT\n * {sentence} */\n', 1, better)
        expect('#', f'a = 1  # {sentence}\n', 1, better)
        expect('#', f'def a():\n    """{sentence}"""\n', 2, better)
        # Only the beginning of a comment counts.
        expect('#', f'# Say it.\n#\n# Say it again.\n# {sentence}\n', 0, None)
        # A string of a program is not a comment.
        expect('c', f'puts("{sentence}");\n', 0, None)
    expect('c', '/* The first line,\n * and the last.\n */\n', 3, 'after the last word')
    expect('c', '/*\n * The first line,\n * and the last.\n */\n', 0, None)
    expect('c', 'void a(void)\n{\n\n    b();\n}\n', 3, 'remove it')
    expect('c', 'void a(void)\n{\n    b();\n}\n', 0, None)
    check_repository()
    for mistake in mistakes:
        print(mistake)
    print(f'{len(WRONG)} wrong words, {len(RIGHT)} right texts, {len(mistakes)} mistakes')
    return 1 if mistakes else 0


if __name__ == '__main__':
    sys.exit(main())

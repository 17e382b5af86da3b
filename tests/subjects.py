#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests that .ci/subjects refuses wrong subjects and accepts correct ones. The program must also
accept the subjects of all commits after its SINCE.

    tests/subjects.py
"""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / '.ci' / 'subjects'
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader('subjects', str(SCRIPT))
SUBJECTS = importlib.util.module_from_spec(importlib.util.spec_from_loader('subjects', LOADER))
LOADER.exec_module(SUBJECTS)

REFUSED = '''
    window driver: what is dumped is of one moment
    snapshot: windows of an earlier map are found in the object as its region has it
    pages: a few more places, on the second reading
    versions: one list for those that were met and those that are registered
    map: the current map has one name, as in the glossary
    spin: moved into tests
    spin: moving it into tests
    spin: moves into tests
    fix the tests
    tests:fix them
    Tests: fix them
    tests: Fix them
    tests:
    '''
ACCEPTED = '''
    perf_wire: spell the PERF structures in fixed widths
    docs/testing.md, test: need no display
    tests: embed the map
    tests: bring the window up
    tests: pass the fuzzer on, and focus the list
    ci: build, sign and attest
    ci: re-read the tag
    '''

mistakes = []


def check_program():
    """Run the program on three commits, of which the first two have wrong subjects."""
    with tempfile.TemporaryDirectory(prefix='prfdata-subjects.') as folder:
        def git(*words):
            subprocess.run(['git', '-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org', *words],
                           cwd=folder, check=True)
        git('init', '-q')
        for subject in ('tests: nothing', 'tests: added one', 'tests: add one'):
            git('commit', '-q', '--allow-empty', '-m', subject)
        for since, code, said in (('HEAD~1', 0, ''), ('HEAD~2', 1, '"tests: added one": write "area: verb ...'),
                                  ('0000000', 0, 'skipped')):
            run = subprocess.run([SCRIPT, since], cwd=folder, stdout=subprocess.PIPE, text=True, check=False)
            if run.returncode != code or said not in run.stdout or run.stdout.count('\n') != bool(said):
                mistakes.append(f'since {since}: exit code {run.returncode}, {run.stdout}')


for expected, subjects in ((False, REFUSED), (True, ACCEPTED)):
    for line in subjects.strip().split('\n'):
        if SUBJECTS.is_imperative(line.strip()) != expected:
            mistakes.append(f'{"accepts" if not expected else "refuses"} "{line.strip()}"')
check_program()
later = subprocess.run([SCRIPT], cwd=SCRIPT.parent, stdout=subprocess.PIPE, text=True, check=False)
if later.returncode:
    mistakes.append(later.stdout)
print('\n'.join(mistakes + [f'{len(mistakes)} mistakes']))
sys.exit(1 if mistakes else 0)

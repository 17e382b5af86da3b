#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests that functions have the fences that tests/spin takes for granted.

    tests/fences.py

Compiles the writer's and the reader's steps for ARM64 and reads the instructions that order memory,
function by function. x86 orders loads and stores itself, so no test that runs here notices a
missing fence. In tests/spin/brackets.pml each missing fence is a mistake that Spin finds.
tests/scripts/14-barriers.sh tests that atomic.h makes the right instruction for each operation with
every compiler. Prints each function whose instructions differ from the list below. The exit code is
1 if one differs or if the compiler is missing.
"""
import os
import re
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
COMPILER = os.environ.get('AARCH64_CC', 'aarch64-linux-gnu-gcc')
ORDERING = re.compile(r'^\t(dmb\t\w+|ldar|stlr|ldaxr|ldxr|stlxr|stxr)\b')

ADD, ADD_RELEASE = 'ldxr stxr', 'ldxr stlxr'
FENCE, FENCE_ACQUIRE = 'dmb-ish', 'dmb-ishld'
LOOK = 'ldar ldar'  # at `left`, then at `entered`

# {file: {function: the instructions that order its steps, in the order of the compiler's output}}.
# The comments name steps of docs/region-format.md. A name in capitals is the mistake of tests/spin
# that a program without this instruction would have.
EXPECTED = {
    'shared/client/brackets.c': {
        'prfdata_begin': [ADD, FENCE],  # ENTRY_UNFENCED
        # The function sets a hint if it is not set yet. The compiler makes the rest of the function
        # twice, once for each case.
        'prfdata_begin_all': [ADD, FENCE] * 2,
        'prfdata_end': [ADD_RELEASE],  # EXIT_UNORDERED
        'prfdata_end_all': [ADD_RELEASE],
    },
    'shared/core/region/region_write.c': {
        'prfdata_region_begin_change': [FENCE],  # W1
        'prfdata_region_end_change': ['stlr'],  # W2
        'prfdata_region_hide': [FENCE, 'stlr', 'stlr'],
        'prfdata_region_format': ['stlr', 'stlr'],  # C3, W2
        # W1, T1 (TAKER_UNFENCED), T5, W2; then the two tags of T2, whose code comes last
        'prfdata_region_take_over': [FENCE, 'stlr', FENCE] + ['stlr'] * 4,
    },
    'shared/core/region/region_slots.c': {
        'prfdata_region_slot_assign': [FENCE, 'stlr'],  # A1, A0
    },
    'provider/snapshot/snapshot_copy.c': {
        'prfdata_snapshot_copy_measure': ['ldar', 'ldar'],
        # For the region: LOOK, the fence (EARLY_LOOK), the state. For a slot: LOOK (LATE_LOOK),
        # identity, tag, the fence, the tag again. Then the number of used slots. The list has the
        # second LOOK after identity and tag. This order makes no difference, because all three
        # consist of ldar.
        'prfdata_snapshot_copy_region': [LOOK, FENCE_ACQUIRE, 'ldar', 'ldar', 'ldar', LOOK,
                                         FENCE_ACQUIRE, 'ldar', 'ldar'],
    },
    'provider/plan/plan_gather.c': {
        'meets_no_bracket': [LOOK],
        'load_whole_slot': [LOOK, FENCE_ACQUIRE],
        'prfdata_plan_gather_regions': [FENCE_ACQUIRE] * 2,
    },
}


def compile_text(path):
    command = [COMPILER, '-std=c11', '-O2', '-mno-outline-atomics', '-D_POSIX_C_SOURCE=200809L',
               '-Ishared/include', '-Ishared', '-Ishared/core', '-Iprovider', '-S', '-o', '-', path]
    return subprocess.run(command, cwd=SOURCE, stdout=subprocess.PIPE, text=True, check=True).stdout


def functions_of(text):
    """Return {function: the ordering instructions in it}."""
    found = {}
    name = None
    for line in text.split('\n'):
        label = re.match(r'^(\w+):$', line)
        if label:
            name = label[1]
            found[name] = []
        ordering = ORDERING.match(line)
        if ordering and name:
            found[name].append(ordering[1].replace('\t', '-'))
    return found


def main():
    wrong = 0
    for path, functions in EXPECTED.items():
        found = functions_of(compile_text(path))
        for name, steps in functions.items():
            expected = ' '.join(steps)
            seen = ' '.join(found.get(name, ['no such function']))
            if seen != expected:
                wrong += 1
                print(f'{path}: {name} should have: {expected}\n    but has: {seen}')
    return 1 if wrong else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except FileNotFoundError as error:
        sys.exit(f'fences: {error}')

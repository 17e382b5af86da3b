#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Let Prometheus evaluate the query of each counter type, and compare the page with the queries.

    test_emit_query.py <docs/prometheus.md> <command that runs test_emit_query>...

Exit code 77: promtool is missing.
"""
import re
import shutil
import subprocess
import sys
import tempfile


def output_of(command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode().replace('\r', '')


def evaluate(tests):
    """Return what promtool finds wrong, or nothing."""
    with tempfile.NamedTemporaryFile('w', suffix='.yml') as file:
        file.write(tests)
        file.flush()
        run = subprocess.run(['promtool', 'test', 'rules', file.name], check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.stdout.decode() if run.returncode else ''


ENDS = r'(_start_time)?(_(idle|hits|components|samples))?(_seconds|_ratio)?(_total|_sum|_count)?'


def page_table(rows):
    """Make one row for all types that have the same query. NAME stands for the counter's own name."""
    groups = {}
    for row in rows.splitlines():
        counter, series, query = (cell.strip() for cell in row.strip('|').split('|'))
        name = max(re.findall(r'types_\w+', series), key=len)
        stem = re.fullmatch(f'(.*?){ENDS}', name)[1]
        key = tuple(cell.replace(stem, 'NAME') for cell in (series, query))
        groups.setdefault(key, []).append(counter)
    return ''.join(f'| {", ".join(counters)} | {series} | {query} |\n'
                   for (series, query), counters in groups.items())


def main():
    if not shutil.which('promtool'):
        print('no promtool here')
        sys.exit(77)
    page, command = sys.argv[1], sys.argv[2:]
    tests = output_of(command + ['QUERIES'])
    wrong = evaluate(tests)
    if wrong:
        sys.exit(f'Prometheus does not get PerfMon\'s numbers:\n{wrong}')
    # A test that would pass with any number proves nothing, so change the numbers and expect
    # failures.
    changed, count = re.subn(r"\) - ([0-9.e+-]+)\) < bool", r") - 2 * \1 - 1) < bool", tests)
    missed = evaluate(changed).count('exp: ')
    if missed < count or count == 0:
        sys.exit(f'{count} queries, but only {missed} other numbers are noticed')
    with open(page, encoding='utf-8') as file:
        text = file.read()
    table = page_table(output_of(command + ['TABLE']))
    if table not in text:
        sys.exit(f'{page} must have this table:\n{table}')
    print(f'{count} queries give PerfMon\'s numbers')


main()

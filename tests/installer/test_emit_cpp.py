#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles programs that use what -Emit Cpp writes. The right use of every handle must compile and
count. Wrong uses must not compile.

    test_emit_cpp.py <prfinstall> <include folder> <C++ compiler> <options and libraries>...
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

PROGRAM, INCLUDE, COMPILER, *LINK = sys.argv[1:]
STRICT = '-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror'.split()

# Symbol, type, type of the base or None, options, and the name and class of the C++ member.
COUNTERS = [
    ('SHOP_LENGTH', 'COUNTER_LARGE_RAWCOUNT', None, '', 'length', 'gauge'),
    ('SHOP_PEAK', 'COUNTER_RAWCOUNT', None, 'merge_max=yes', 'peak', 'gauge'),
    ('SHOP_MASK', 'COUNTER_LARGE_RAWCOUNT_HEX', None, '', 'mask', 'gauge'),
    ('SHOP_ORDERS', 'COUNTER_LARGE_RAWCOUNT', None, 'accumulating=yes', 'orders', 'counter'),
    ('SHOP_RATE', 'COUNTER_BULK_COUNT', None, 'hot=yes', 'rate', 'counter'),
    ('SHOP_OLD_RATE', 'COUNTER_COUNTER', None, '', 'old_rate', 'counter'),
    ('SHOP_SAMPLES', 'SAMPLE_COUNTER', None, '', 'samples', 'counter'),
    ('SHOP_GROWTH', 'COUNTER_LARGE_DELTA', None, '', 'growth', 'counter'),
    ('SHOP_BUSY', '100NSEC_TIMER', None, '', 'busy', 'timer'),
    ('SHOP_IDLE', 'COUNTER_TIMER', None, '', 'idle', 'timer'),
    ('SHOP_QUEUE', 'COUNTER_LARGE_QUEUELEN_TYPE', None, '', 'queue', 'timer'),
    ('SHOP_TIME', 'AVERAGE_TIMER', 'AVERAGE_BASE', '', 'time', 'timer'),
    ('SHOP_DISKS', '100NSEC_MULTI_TIMER', 'COUNTER_MULTI_BASE', '', 'disks', 'timer'),
    ('SHOP_EXACT', 'PRECISION_100NS_TIMER', 'LARGE_RAW_BASE', '', 'exact', 'timer'),
    ('SHOP_SIZE', 'AVERAGE_BULK', 'AVERAGE_BASE', '', 'size', 'average'),
    ('SHOP_HITS', 'SAMPLE_FRACTION', 'SAMPLE_BASE', '', 'hits', 'counted_fraction'),
    ('SHOP_GROWN', 'LARGE_RAW_FRACTION', 'LARGE_RAW_BASE', 'accumulating=yes', 'grown', 'counted_fraction'),
    ('SHOP_FULL', 'RAW_FRACTION', 'RAW_BASE', '', 'full', 'fraction'),
    ('SHOP_OPEN', 'ELAPSED_TIME', None, '', 'open', 'elapsed'),
    # Counters whose names cannot become names of members unchanged: keywords, macros, digits, and
    # names that another member has.
    ('SHOP_NEW', 'COUNTER_BULK_COUNT', None, '', 'new_', 'counter'),
    ('SHOP_MAX', 'COUNTER_BULK_COUNT', None, '', 'max_', 'counter'),
    ('SHOP_SHOP', 'COUNTER_BULK_COUNT', None, '', 'shop_', 'counter'),
    ('SHOP_99', 'COUNTER_BULK_COUNT', None, '', 'shop_99', 'counter'),
    ('Length', 'COUNTER_BULK_COUNT', None, '', 'length_', 'counter'),
    ('PrfData', 'COUNTER_BULK_COUNT', None, '', 'prfdata_', 'counter'),
    ('SHOP_NEW_', 'COUNTER_BULK_COUNT', None, 'metric=shop_new_again', 'new_42', 'counter'),
    ('Object_Id', 'COUNTER_BULK_COUNT', None, '', 'object_id_', 'counter'),
]

# Statements that must compile for a member of each class, and checks of what they count.
RIGHT = {
    'counter': '++{0}; {0} += 2; {0}.increment(); CHECK({0}.value() == 4);',
    'gauge': '{0}.set(7); --{0}; {0} -= 1; {0}.raise(5); CHECK({0}.value() == 5);',
    'timer': '{{ prfdata::scoped_timer running({0}); }} {0}.record(std::chrono::milliseconds(3)); '
             'CHECK({0}.value() > 0);',
    'average': '{0}.record(5); CHECK({0}.value() == 5 && {0}.base() == 1);',
    'counted_fraction': '{0}.record(true); {0}.add(1, 3); CHECK({0}.value() == 2 && {0}.base() == 4);',
    'fraction': '{0}.set(3, 4); CHECK({0}.value() == 3 && {0}.base() == 4);',
    'elapsed': '{0}.start(); CHECK({0}.value() > 0); {0}.stop();',
    'distribution': '{0}.record(5u); CHECK({0}.count() == 1 && {0}.maximum() > 0);',
}
WRONG = {
    'counter': ['{0}.set(1)', '{0}.decrement()', '--{0}', '{0} -= 1', '{0}.raise(1)', '{0}.record(1)', '{0}.start()'],
    'gauge': ['{0}.record(1)', '{0}.start()', '{0}.base()'],
    'timer': ['{0}.set(1)', '++{0}', '{0}.record(5)', '{0}.add(1, 2)'],
    'average': ['{0}.set(1)', '++{0}', '{0}.start()', '{0}.add(1, 2)'],
    'counted_fraction': ['{0}.set(1, 2)', '++{0}', '{0}.start()'],
    'fraction': ['{0}.start()', '++{0}'],
    'elapsed': ['{0}.set(1)', '++{0}', '{0}.record(1)'],
    'distribution': ['++{0}', '{0}.set(1)', '{0}.add(1)'],
}


def map_text(service='My Shop-2.0'):
    lines = ['[info]', f'drivername={service}', '[object SHOP]', 'id=1', 'name=Shop', r'help=Ends with \\',
             'instances=4', 'distribution=2 number 1 1000']
    number = 9
    for symbol, kind, base, options, _, _ in COUNTERS:
        number += 1
        lines += [f'[counter {symbol}]', f'id={number}', f'name={symbol} {number}', 'help=Help? ??/', f'type={kind}', options]
        if base:
            number += 1
            lines += [f'[counter {symbol}_BASE]', f'id={number}', f'name={symbol} Base', 'help=Base.', f'type={base}']
            lines += [''] # a base has no options of its own
    lines += ['[counter SHOP_P99]', 'id=90', 'name=p99', 'help=p99', 'type=COUNTER_RAWCOUNT', 'percentile=2 9900',
              '[object ALONE]', 'id=100', 'name=Alone', 'help=Alone.', '[counter ALONE_RUNS]', 'id=101',
              'name=Runs', 'help=Runs.', 'type=COUNTER_BULK_COUNT',
              '[object HEALTH]', 'id=200', 'name=Health', 'help=Health.', '[counter HEALTH_TORN]', 'id=201',
              'name=Torn', 'help=Torn.', 'type=COUNTER_RAWCOUNT', 'health_of=torn', 'accumulating=yes']
    return '\n'.join(lines) + '\n'


def program(map_path, statements):
    return f'''#include "counters.hpp"
#include <prfdata/map_file.h>
#include <cstdio>
#define CHECK(condition) do {{ if (!(condition)) {{ std::puts(#condition); return 1; }} }} while (0)
int main()
{{
    prfdata_map *map;
    prfdata_set_private(1);
    if (prfdata_map_file_read(L"{map_path}", nullptr, nullptr, &map) != 0)
        return 2;
    prfdata::publisher owner(*map);
    prfdata::instance mail(owner, my_shop_2_0_counters::shop::object_id, L"mail");
    const my_shop_2_0_counters::shop shop(mail);
    const my_shop_2_0_counters::alone alone(owner);
    const my_shop_2_0_counters::shop none{{}};
    ++none.orders;
    {statements}
    (void)shop;
    return alone.runs.value() == 0 ? 0 : 3;
}}
'''


def compile_program(folder, text, *options, name='use.cpp'):
    path = os.path.join(folder, name)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    run = subprocess.run([COMPILER, f'-I{INCLUDE}', f'-I{folder}', path, *options], check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.returncode, run.stdout


def statements_codes(folder, map_path, statements):
    """Return the exit code of the compiler for each wrong use."""
    def code_of(numbered):
        number, statement = numbered
        return compile_program(folder, program(map_path, statement + ';'), '-std=c++11', '-fsyntax-only',
                               name=f'wrong{number}.cpp')[0]
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        return list(workers.map(code_of, enumerate(statements)))


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        map_path = os.path.join(folder, 'shop.prfmap')
        with open(map_path, 'w', encoding='utf-8') as file:
            file.write(map_text())
        header = os.path.join(folder, 'counters.hpp')
        said = subprocess.run([PROGRAM, '-Emit', 'Cpp', '-Map', map_path, '-o', header], check=True,
                              stderr=subprocess.PIPE, text=True).stderr
        if said != ('Left out, because readers get the counter from recorded values; record them in distribution_2: "p99"\n'
                    'Left out, because the provider fills in the counter; do not count it: "Torn"\n'):
            sys.exit(f'the notes are {said}')
        with open(header, encoding='utf-8') as file:
            found = re.findall(r'    prfdata::(\w+) (\w+);', file.read())
        expected = [(kind, name) for *_, name, kind in COUNTERS] + [('distribution', 'distribution_2'), ('counter', 'runs')]
        if found != expected:
            sys.exit(f'the members are {found},\nnot {expected}')

        # A C++ name must not begin with a digit, so the namespace begins with "service".
        with open(map_path, 'w', encoding='utf-8') as file:
            file.write(map_text('3D-Shop'))
        digits = subprocess.run([PROGRAM, '-Emit', 'Cpp', '-Map', map_path], check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True).stdout
        if '\nnamespace service_3d_shop_counters\n{' not in digits:
            sys.exit(f'the namespace of 3D-Shop is {re.findall("namespace .*", digits)}')
        with open(map_path, 'w', encoding='utf-8') as file:
            file.write(map_text())

        members = [(kind, f'shop.{name}') for kind, name in found[:-1]]
        right = '\n    '.join(RIGHT[kind].format(name) for kind, name in members)
        for standard in ('c++11', 'c++14', 'c++17', 'c++20', 'c++2b'):
            code, said = compile_program(folder, program(map_path, right), f'-std={standard}', '-fsyntax-only', *STRICT)
            failures += code != 0
            print(said if code else f'{standard}: the right use compiles')
        binary = os.path.join(folder, 'use')
        code, said = compile_program(folder, program(map_path, right), '-std=c++11', '-o', binary, *LINK)
        if code:
            sys.exit(f'the right use does not link:\n{said}')
        run = subprocess.run([binary], check=False, stdout=subprocess.PIPE, text=True)
        if run.returncode:
            sys.exit(f'the right use fails with {run.returncode}: {run.stdout}')

        statements = [statement.format(name) for kind, name in dict(reversed(members)).items()
                      for statement in WRONG[kind]]
        compiled = [statement for statement, code in zip(
            statements, statements_codes(folder, map_path, statements), strict=True) if code == 0]
        print(f'{len(statements)} wrong uses, of which these compile: {compiled}')
    sys.exit(failures > 0 or len(compiled) > 0 or len(statements) < 25)


main()

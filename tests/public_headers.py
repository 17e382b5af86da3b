#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Test that each public header compiles with other people's compilers, and with the strictest
warnings of gcc and clang as errors.

Each header is compiled as the first include of a file. Then one file includes each header twice,
after other headers (winsock2.h for Windows) and before a map. This file is compiled with each C
standard from C11 and each C++ standard from C++11. For Windows, the headers are also compiled
before windows.h, which they must not include themselves. A map is also compiled with
PRFDATA_DISABLED. Missing compilers are left out. Without any compiler, the test is skipped.
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = SOURCE / 'shared/include'

WARNINGS = '''-Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wredundant-decls
    -Wcast-qual -Wcast-align -Wundef -Wwrite-strings -Wswitch-default -Wswitch-enum -Wdouble-promotion
    -Wformat=2'''.split()
GCC = '-Wduplicated-cond -Wduplicated-branches -Wlogical-op'.split()
GCC_C = '-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wc++-compat -Wbad-function-cast'.split()
GCC_CPP = '''-Wold-style-cast -Wzero-as-null-pointer-constant -Wextra-semi -Woverloaded-virtual
    -Wnon-virtual-dtor -Wuseless-cast -Wdeprecated-enum-enum-conversion'''.split()
# -Wpadded describes the layout of structures and not a mistake. The other options warn about code
# that is newer than C89 and C++98.
CLANG = '''-Weverything -Wno-padded -Wno-declaration-after-statement -Wno-c++98-compat
    -Wno-c++98-compat-pedantic'''.split()
STANDARDS = {'c': ['c11', 'c17', 'c2x'], 'c++': ['c++11', 'c++14', 'c++17', 'c++20', 'c++2b']}

COMPILERS = [ # (name, language, warnings, whether it makes programs for Windows)
    ('gcc', 'c', GCC + GCC_C, False),
    ('g++', 'c++', GCC + GCC_CPP, False),
    ('clang', 'c', CLANG, False),
    ('clang++', 'c++', CLANG, False),
    ('x86_64-w64-mingw32-gcc', 'c', GCC + GCC_C, True),
    ('x86_64-w64-mingw32-g++', 'c++', GCC + GCC_CPP, True),
]

MAP = '''
PRFDATA_DEFINE_OBJECT(SHOP, 1);
PRFDATA_DEFINE_COUNTER(SHOP_ORDERS, 2);
PRFDATA_DEFINE_DISTRIBUTION(SHOP_TIME, 3);
PRFDATA_DEFINE_COUNTER(SHOP_P99, 4);
PRFDATA_DEFINE_COUNTER(SHOP_HITS, 5);
PRFDATA_DEFINE_COUNTER(SHOP_SIZE, 7);
PRFDATA_DEFINE_COUNTER(SHOP_TIMES, 9);
PRFDATA_DEFINE_OBJECT(SHOP_HEALTH, 900);
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(SHOP, L"Shop", L"Shops.", PERF_DETAIL_NOVICE, SHOP_ORDERS, 16, 40)
        PRFDATA_MAP_TOTAL()
        PRFDATA_MAP_DISTRIBUTION(SHOP_TIME, PRFDATA_UNIT_100NS, 10, 600000000)
    PRFDATA_MAP_CTR(SHOP_ORDERS, L"Orders", L"Orders.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
        PRFDATA_MAP_METRIC("shop_order", "")
    PRFDATA_MAP_CTR(SHOP_P99, L"p99", L"p99.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_PERCENTILE(SHOP_TIME, 9900)
    PRFDATA_MAP_CTR_AND_BASE(SHOP_HITS, L"% Hits", L"Hits.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_FRACTION)
    PRFDATA_MAP_CTR_AND_BASE_WITH(SHOP_SIZE, L"Size", L"Size.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK,
                                  PRFDATA_MAP_HOT() PRFDATA_MAP_METRIC("shop_size", "bytes"))
    PRFDATA_MAP_DISTRIBUTION_CTRS(SHOP_TIMES, SHOP_TIME, L"Time us", PERF_DETAIL_NOVICE)
    PRFDATA_MAP_HEALTH(SHOP_HEALTH, L"Shop", "shop")
PRFDATA_MAP_END("Shop")
'''


# Our headers do not include windows.h, and windows.h compiles after them.
WITHOUT_WINDOWS = '''
#ifdef __cplusplus
#include <prfdata/prfdata.hpp>
#endif
#include <prfdata/prfdata.h>
#include <prfdata/calls.h>
#include <prfdata/install.h>
#include <prfdata/map_file.h>
#if defined(_WINDOWS_) || defined(_WINDEF_) || defined(_WINPERF_) || defined(min) || defined(max)
#error "a public header includes <windows.h>"
#endif
#include <winsock2.h>
#include <windows.h>
#include <winperf.h>
'''


def headers(language):
    for path in sorted(INCLUDE.rglob('*.h*')):
        name = path.relative_to(INCLUDE).as_posix()
        if name.endswith('/disabled.h') or (name.endswith('.hpp') and language == 'c'):
            continue # only prfdata.h may include disabled.h, and C has no .hpp
        yield name


def texts(language, for_windows):
    """Return the texts to compile: (name, text, standards, more options)."""
    standards = STANDARDS[language]
    # The oldest standard has the fewest declarations that a header could find by chance.
    for name in headers(language):
        yield f'{name} first', f'#include <{name}>\n#include <stdio.h>\n#include <wchar.h>\n', standards[:1], []
    before = ['winsock2.h'] if for_windows else ['stdlib.h', 'string.h']
    lines = ''.join(f'#include <{name}>\n' for name in [*before, *list(headers(language)) * 2])
    yield f'after {before[0]}, a map', lines + MAP, standards, []
    if for_windows:
        yield 'before windows.h, a map', WITHOUT_WINDOWS + MAP, [standards[0], standards[-1]], []
    main_header = '#include <prfdata/prfdata.hpp>\n' if language == 'c++' else '#include <prfdata/prfdata.h>\n'
    yield 'a map, disabled', main_header + MAP, [standards[0], standards[-1]], ['-DPRFDATA_DISABLED']


def commands(work):
    """Return the commands to run: (title, command line)."""
    for compiler, language, warnings, for_windows in COMPILERS:
        if not shutil.which(compiler):
            continue
        for number, (what, text, standards, options) in enumerate(texts(language, for_windows)):
            file = pathlib.Path(work) / f'{compiler}-{number}.c'
            file.write_text(text + 'typedef int stranger;\n', encoding='utf-8')
            for standard in standards:
                yield f'{compiler} -std={standard}, {what}', [
                    compiler, '-x', language, f'-std={standard}', '-fsyntax-only', f'-I{INCLUDE}',
                    *WARNINGS, *warnings, *options, str(file)]


def compile_one(titled_command):
    title, command = titled_command
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        print(f'{title}:\n{done.stdout[:1500]}')
    return done.returncode != 0


def main():
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as workers:
        failures = list(workers.map(compile_one, commands(work)))
    print(f'{len(failures)} files compiled, {sum(failures)} failed')
    if not failures:
        sys.exit(77)
    sys.exit(any(failures))


if __name__ == '__main__':
    main()

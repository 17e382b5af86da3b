#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each public header as a stranger's compiler may: first and last in a file, and after
winsock2.h, with the strictest warnings of gcc and clang as errors, as C11 to the newest C and as
C++11 to the newest C++ that the compiler knows. Then a map with the macros, and the same with
PRFDATA_DISABLED. Compilers that are missing are left out; with none at all the test is skipped.
"""
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
# -Wpadded says how structures are laid out, not that a line is wrong; the other two want C++98 and C89.
CLANG = '''-Weverything -Wno-padded -Wno-declaration-after-statement -Wno-c++98-compat
    -Wno-c++98-compat-pedantic'''.split()
STANDARDS = {'c': ['c11', 'c17', 'c2x'], 'c++': ['c++11', 'c++14', 'c++17', 'c++20', 'c++2b']}

COMPILERS = [ # name, language, warnings, whether it makes programs for Windows
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
    PRFDATA_MAP_HEALTH(SHOP_HEALTH, L"Shop", "shop")
PRFDATA_MAP_END("Shop")
'''


def headers(language):
    for path in sorted(INCLUDE.rglob('*.h*')):
        name = path.relative_to(INCLUDE).as_posix()
        if name.endswith('/disabled.h') or (name.endswith('.hpp') and language == 'c'):
            continue # prfdata.h includes the first, and refuses that others do
        yield name


def texts(language, for_windows):
    """What is compiled, with a name and more options."""
    for name in headers(language):
        line = f'#include <{name}>\n'
        yield f'{name} first', line + '#include <stdio.h>\n#include <wchar.h>\n', []
        yield f'{name} last and twice', '#include <stdlib.h>\n#include <string.h>\n' + line + line, []
        if for_windows:
            yield f'{name} after winsock2.h', '#include <winsock2.h>\n' + line, []
    main = '#include <prfdata/prfdata.hpp>\n' if language == 'c++' else '#include <prfdata/prfdata.h>\n'
    yield 'a map', main + MAP, []
    yield 'a map, disabled', main + MAP, ['-DPRFDATA_DISABLED']


def main():
    failed = compiled = 0
    with tempfile.TemporaryDirectory() as work:
        file = pathlib.Path(work) / 'stranger.c'
        for compiler, language, warnings, for_windows in COMPILERS:
            if not shutil.which(compiler):
                continue
            for what, text, options in texts(language, for_windows):
                # Every standard compiles the map; the first and the last one each header by itself.
                standards = STANDARDS[language]
                if not what.startswith('a map'):
                    standards = [standards[0], standards[-1]]
                file.write_text(text + 'typedef int stranger;\n', encoding='utf-8')
                for standard in standards:
                    done = subprocess.run(
                        [compiler, '-x', language, f'-std={standard}', '-fsyntax-only', f'-I{INCLUDE}',
                         *WARNINGS, *warnings, *options, str(file)],
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
                    compiled += 1
                    if done.returncode != 0:
                        failed += 1
                        print(f'{compiler} -std={standard}, {what}:\n{done.stdout[:1500]}')
    print(f'{compiled} files compiled, {failed} failed')
    if compiled == 0:
        sys.exit(77)
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests that packaging/debugging/prfdata.natvis names structures and fields that exist.

A debugger reports no error for a wrong expression. So the compiler checks each expression, in a
function of a C++ structure that inherits from the type that is shown. There, names are looked up
as in a debugger.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
NATVIS = os.path.join(SOURCE, 'packaging/debugging/prfdata.natvis')
NAMESPACE = '{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}'
HEADERS = ('client/publisher.h', 'collect/basis.h', 'plan/plan_parts.h', 'region/region.h',
           'merge/carry_memory.h')
FORMAT = re.compile(r',(?:na|x|en|d|\[(.*)\])$')


def expressions_of(element):
    for node in element.iter():
        condition = node.get('Condition')
        if condition:
            yield condition
        text = node.text or ''
        if node.tag == NAMESPACE + 'DisplayString':
            yield from re.findall(r'\{([^{}]+)\}', text)
        elif node.tag in (NAMESPACE + 'Item', NAMESPACE + 'Size', NAMESPACE + 'ValuePointer'):
            yield text


def write_program(file):
    """Write the program. Return how many expressions it has."""
    count = 0
    # The headers are in C, where `template` is an ordinary name.
    file.write('#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#define template template_\n')
    file.writelines(f'#include "{header}"\n' for header in HEADERS)
    for type_element in xml.etree.ElementTree.parse(NATVIS).getroot().iter(NAMESPACE + 'Type'):
        file.write(f'struct shown_{type_element.get("Name")} : {type_element.get("Name")} {{\n')
        for expression in expressions_of(type_element):
            length = FORMAT.search(expression)
            file.write(f'    void show_{count}() {{ (void)({FORMAT.sub("", expression)}); '
                       f'(void)({length[1] if length and length[1] else 0}); }}\n')
            count += 1
        file.write('};\n')
    return count


def main():
    if not shutil.which('g++'):
        print('no g++')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'natvis.cpp')
        with open(path, 'w', encoding='utf-8') as file:
            count = write_program(file)
        done = subprocess.run(['g++', '-std=c++20', '-fpermissive', '-w', '-fsyntax-only']
                              + [f'-I{os.path.join(SOURCE, top)}' for top in ('shared/include', 'shared', 'shared/core', 'provider')]
                              + [path], check=False)
    print(f'{count} expressions')
    return 1 if done.returncode != 0 or count < 50 else 0


sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests that the annotations of the public headers (prfdata/sal.h) are where Visual Studio wants them.

clang reads the headers with a <sal.h> that makes each annotation an attribute, and prints the
syntax tree. Each pointer that a function takes must have an annotation. A count in an annotation
must be an argument of the same function. Data that is only read must be const, and data that is
written must not. The headers are also compiled without annotations. Exit code 77: there is no
clang.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

INCLUDE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), 'shared/include')
HEADERS = ('prfdata.h', 'map.h', 'map_file.h', 'install.h')
FUNCTION = re.compile(r"-FunctionDecl .* (prfdata_\w+) '.*'( static inline)?$")
PARAMETER = re.compile(r"-ParmVarDecl .* (\w+) '([^']*)'(?::'([^']*)')?$")
ANNOTATION = re.compile(r'-AnnotateAttr .* "(\w+)(?:\((.*)\))?"$')
NOT_FOR_PROGRAMS = ('prfdata_distribution_rotate',)  # only in-line functions call these
READS = re.compile(r'_In_')
WRITES = re.compile(r'_(Out|Inout|Outptr|Pre_maybenull)_')


def write_sal(path):
    with open(os.path.join(INCLUDE, 'prfdata/sal.h'), encoding='utf-8') as file:
        used = set(re.findall(r'\b(_[A-Z]\w*_)(\(\w+\))?', file.read().split('#else')[0]))
    with open(path, 'w', encoding='utf-8') as file:
        for name, argument in sorted(used):
            arguments, text = ('(x)', f'"{name}(" #x ")"') if argument else ('', f'"{name}"')
            file.write(f'#define {name}{arguments} __attribute__((annotate({text})))\n')


def functions(tree):
    """Return the name and the parameters of each function that is not in-line. A parameter has a
    name, a type and a list of annotations."""
    found = []
    for line in tree.splitlines():
        function = FUNCTION.search(line)
        parameter = PARAMETER.search(line)
        annotation = ANNOTATION.search(line)
        if function:
            parameters = []
            if not function[2]:
                found.append((function[1], parameters))
        elif 'FunctionDecl' in line:
            parameters = []
        elif parameter:
            depth = line.index('-')
            parameters.append((parameter[1], parameter[2], []))
        # An annotation that is not indented below a parameter belongs to the function.
        elif annotation and parameters and line.index('-') > depth:
            parameters[-1][2].append((annotation[1], annotation[2]))
    return found


def mistakes_of(name, parameters):
    names = [parameter for parameter, _, _ in parameters]
    for parameter, type_name, annotations in parameters:
        where = f'{name}: {parameter}'
        if '*' in type_name and not annotations:
            yield f'{where} is a pointer without an annotation'
        for annotation, count in annotations:
            is_const = type_name.startswith('const ')
            if count and count not in names:
                yield f'{where}: {annotation}({count}), and there is no such argument'
            if READS.match(annotation) and not is_const and not is_opaque(parameter):
                yield f'{where}: {annotation}, and it is not const'
            if WRITES.match(annotation) and is_const:
                yield f'{where}: {annotation}, and it is const'


def is_opaque(parameter):
    """Return whether a parameter that is only read may be without const. `report` is a function of
    the caller. `context` is passed on to `report`. `argv` has the arguments of main()."""
    return parameter in ('context', 'report', 'argv')


def main():
    clang = shutil.which('clang')
    if not clang:
        print('no clang')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'headers.c')
        with open(source, 'w', encoding='utf-8') as file:
            file.writelines(f'#include <prfdata/{header}>\n' for header in HEADERS)
        command = [clang, '-std=c11', '-Wall', '-Werror', '-fsyntax-only', '-I', folder, '-I', INCLUDE, source]
        subprocess.run(command, check=True)
        write_sal(os.path.join(folder, 'sal.h'))
        tree = subprocess.run(command + ['-DPRFDATA_ANNOTATED', '-Xclang', '-ast-dump'], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
    found = [function for function in functions(tree) if function[0] not in NOT_FOR_PROGRAMS]
    mistakes = [text for function in found for text in mistakes_of(*function)]
    print('\n'.join(mistakes) or f'{len(found)} functions')
    return 1 if mistakes or len(found) < 30 else 0


sys.exit(main())

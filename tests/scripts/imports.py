#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks what programs and DLLs import and export, and their headers: imports.py
<preset>[=<folder>]...

With a folder it checks the providers and installers in it, which a user's project has built with
the compiler of the preset. It prints the faults, and exits with 1 if there are any.
"""
import glob
import os
import re
import subprocess
import sys

import pefile

# DLLs of every Windows since 7, without redistributables. msvcrt belongs to Windows, but vcruntime,
# libgcc and winpthread do not.
WINDOWS = set('''advapi32 comctl32 comdlg32 dwmapi gdi32 kernel32 loadperf msimg32 ntdll ole32 oleaut32 pdh psapi
    secur32 shell32 shlwapi user32 uxtheme version winmm ws2_32'''.split())
# How compilers protect against damaged memory: the DllCharacteristics of everything; the GuardFlags
# of the load configuration; whether shadow stacks are allowed; and bytes that every installer
# program has. Both mingw's and LLVM's linker randomise addresses (0x40, and in 64 bits 0x20) and
# forbid executing data (0x100). 0x4000 is Control Flow Guard, for which Windows needs the flags
# 0x100 (the calls are checked) and 0x400 (there is a table of targets). 0x400000 says that the
# unwinder has a table, too.
HARDENED = {
    'mingw': (0x160, 0, False, b'stack smashing detected'),
    'mingw-x86': (0x140, 0, False, b'stack smashing detected'),
    'windows-msvc': (0x4160, 0x400500, True, b''),
    'windows-msvc-arm64': (0x4160, 0x500, False, b''),
}
# The DLLs that Windows maps from its own folder, no matter which files are next to a program: the
# known DLLs, and those that they import. comctl32 is one of these DLLs because of the version that
# prfview's manifest names.
KNOWN = WINDOWS - set('dwmapi loadperf msimg32 pdh secur32 uxtheme version winmm'.split())
# The functions that a program must call first, so that it loads no DLL from the current folder. A
# program that loads no providers of other vendors must load none from its own folder either.
FIRST_CALLS = {
    'prfread.exe': {'SetDllDirectoryW'},
    'prfcheck.exe': {'SetDllDirectoryW'},
    'prfview.exe': {'SetDllDirectoryW'},
    'prfinstall.exe': {'SetDllDirectoryW', 'SetDefaultDllDirectories'},
    'test-installer.exe': {'SetDllDirectoryW', 'SetDefaultDllDirectories'},
}
# DLLs that a program must not import. The system gives no notice of a logoff or a shutdown to a
# console program that has loaded user32.dll or gdi32.dll ("SetConsoleCtrlHandler function",
# learn.microsoft.com), and shell32.dll and ole32.dll load user32.dll.
FORBIDDEN = {'prfread.exe': {'shell32', 'ole32', 'user32', 'gdi32'}}
# Headers of Windows 7, in which mingw declares what that system has. SetDefaultDllDirectories is
# there, too, because it came with an update of Windows 7 (docs/packages.md).
HEADERS = '''winsock2 ws2tcpip windows winternl commctrl commdlg shellapi shlobj objbase sddl psapi
    tlhelp32 pdh loadperf aclapi'''.split()
# Functions of Windows 7 that these headers lack, and one of Windows 8 that they have.
WITHOUT_HEADER = {'NtQueryDirectoryFile', 'SystemFunction036'}
LATER = {'GetSystemTimePreciseAsFileTime'}
PROVIDER = ['PrfDataClose', 'PrfDataCollect', 'PrfDataOpen']
NO_SEH = pefile.DLL_CHARACTERISTICS['IMAGE_DLLCHARACTERISTICS_NO_SEH']
DIRECTORIES = [pefile.DIRECTORY_ENTRY['IMAGE_DIRECTORY_ENTRY_' + name]
               for name in ('IMPORT', 'EXPORT', 'DELAY_IMPORT', 'LOAD_CONFIG', 'DEBUG')]
EX_CHARACTERISTICS = 20  # the type of a debug directory; its bit 1 is CET_COMPAT ("PE Format")

mistakes = 0


def complain(text):
    global mistakes
    print(text)
    mistakes += 1


def imports_of(image):
    entries = getattr(image, 'DIRECTORY_ENTRY_IMPORT', []) + getattr(image, 'DIRECTORY_ENTRY_DELAY_IMPORT', [])
    return [entry.dll.decode('ascii').lower() for entry in entries]


def functions_of(image):
    entries = getattr(image, 'DIRECTORY_ENTRY_IMPORT', [])
    return {function.name.decode('ascii') for entry in entries for function in entry.imports if function.name}


def check_windows_7(paths):
    """Check that the headers for Windows 7 declare every function that a program for users imports.

    Otherwise the program may not start on Windows 7 (see "Minimum supported client" on a function's
    page).
    """
    names = set()
    for path in filter(is_for_users, paths):
        image = pefile.PE(path, fast_load=True)
        image.parse_data_directories(DIRECTORIES)
        for entry in getattr(image, 'DIRECTORY_ENTRY_IMPORT', []):
            if not entry.dll.lower().startswith(b'msvcrt'):
                names |= {function.name.decode('ascii') for function in entry.imports if function.name}
    later = names & LATER
    names = sorted(names - WITHOUT_HEADER)
    source = ''.join(f'#include <{header}.h>\n' for header in HEADERS)
    source += 'void *const functions[] = {' + ', '.join(f'(void *)&{name}' for name in names) + '};\n'
    done = subprocess.run(['x86_64-w64-mingw32-gcc', '-w', '-fsyntax-only', '-D_WIN32_WINNT=0x0601', '-xc', '-'],
                          input=source, text=True, stderr=subprocess.PIPE, env={**os.environ, 'LC_ALL': 'C'},
                          check=False)
    for name in sorted(later) + re.findall(r"error: '(\w+)' undeclared", done.stderr):
        complain(f'{name} is imported, but Windows 7 lacks it')
    if done.returncode and 'undeclared' not in done.stderr or not names:
        complain(f'the functions of Windows 7: {done.stderr[:400]}')


def is_for_users(path):
    return path.rsplit('/', 1)[-1] in FIRST_CALLS or path.endswith(
        ('Prf.dll', '_installer.exe', '/prfdata.dll', '/PrfDataProvider.dll'))


def check_search(path, image, runtime):
    name = path.rsplit('/', 1)[-1]
    if not is_for_users(path):
        return
    for dll in imports_of(image):
        if dll[:-4] not in KNOWN | {runtime}:
            complain(f'{path} imports {dll}, which is not a known DLL')
        if dll[:-4] in FORBIDDEN.get(name, ()):
            complain(f'{path} imports {dll}, so it gets no notice of a logoff or a shutdown')
    missing = FIRST_CALLS.get(name, set()) - functions_of(image)
    if missing:
        complain(f'{path} does not call {" ".join(sorted(missing))}')


def exports_of(image):
    table = getattr(image, 'DIRECTORY_ENTRY_EXPORT', None)
    return sorted(symbol.name.decode('ascii') for symbol in table.symbols if symbol.name) if table else []


def check_exports(path, image, expected):
    if exports_of(image) != expected:
        complain(f'{path} exports {" ".join(exports_of(image))}')


def check_guard(path, image, flags):
    """Check the flags of the load configuration.

    If no object was compiled for Control Flow Guard, the table of targets has only the exports and
    the entry point. Then Windows would refuse indirect calls of all other functions. Programs for
    tests may have such a table.
    """
    config = getattr(image, 'DIRECTORY_ENTRY_LOAD_CONFIG', None)
    found, targets = (config.struct.GuardFlags, config.struct.GuardCFFunctionCount) if config else (0, 0)
    if found & flags != flags:
        complain(f'{path} has the guard flags {found:#x}')
    if flags and is_for_users(path) and targets <= len(exports_of(image)) + 1:
        complain(f'{path} has {targets} targets of indirect calls')


def allows_shadow_stacks(image):
    return any(entry.struct.Type == EX_CHARACTERISTICS and image.get_dword_at_rva(entry.struct.AddressOfRawData) & 1
               for entry in getattr(image, 'DIRECTORY_ENTRY_DEBUG', []))


def check_hardened(path, image, characteristics, guards, has_shadow_stacks, in_installers):
    if image.OPTIONAL_HEADER.DllCharacteristics & characteristics != characteristics:
        complain(f'{path} has the characteristics {image.OPTIONAL_HEADER.DllCharacteristics:#x}')
    check_guard(path, image, guards)
    if has_shadow_stacks and not allows_shadow_stacks(image):
        complain(f'{path} does not allow shadow stacks')
    if path.endswith(('-installer.exe', '/prfinstall.exe')) and image.__data__.find(in_installers) < 0:
        complain(f'{path} has no stack protector')


def check(preset, folder):
    # ucrtbase is a part of Windows since 10. clang's MSVC mode has no runtime to link statically.
    runtime = 'ucrtbase' if 'msvc' in preset else 'msvcrt'
    machine = 'ARM64' if 'arm64' in preset else 'I386' if preset.endswith('-x86') else 'AMD64'
    with open('shared/calls/prfdata.def', encoding='ascii') as file:
        library = sorted(re.findall(r'^ *(prfdata_\w+)', file.read(), re.M))
    pattern = folder if folder else f'build/{preset}/bin'
    paths = sorted(glob.glob(f'{pattern}/*.exe') + glob.glob(f'{pattern}/*.dll'))
    if folder:  # built by prfdata_add_provider() and prfdata_add_installer()
        paths = [path for path in paths if path.endswith(('Prf.dll', '_installer.exe'))]
        if len(paths) < 2:
            complain(f'{folder} lacks programs: {paths}')
    providers = 0
    for path in paths:
        image = pefile.PE(path, fast_load=True)
        image.parse_data_directories(DIRECTORIES)
        if image.FILE_HEADER.Machine != pefile.MACHINE_TYPE['IMAGE_FILE_MACHINE_' + machine]:
            complain(f'{path} is not for {machine}')
        # In clang's MSVC mode a DLL that calls nothing imports nothing, not even a runtime.
        if not imports_of(image) and runtime == 'msvcrt':
            complain(f'{path}: no imports found')
        for name in imports_of(image):
            if not name.endswith('.dll') or name[:-4] not in WINDOWS | {runtime}:
                complain(f'{path} imports {name}')
        check_search(path, image, runtime)
        if path.endswith(('Prf.dll', '/PrfDataProvider.dll')):
            providers += 1
            check_exports(path, image, PROVIDER)
            if image.OPTIONAL_HEADER.DllCharacteristics & NO_SEH:
                complain(f'{path} says that it has no exception handlers')
        check_hardened(path, image, *HARDENED[preset])
        if path.endswith('/prfdata.dll'):
            check_exports(path, image, library)
    if preset == 'mingw' and not folder:
        check_windows_7(paths)
    if not folder and (not providers or f'build/{preset}/bin/prfdata.dll' not in paths):
        complain(f'build/{preset}/bin lacks programs: {len(paths)} files, {providers} providers')


for name in sys.argv[1:]:
    check(*(name.split('=', 1) + [''])[:2])
sys.exit(1 if mistakes or len(sys.argv) < 2 else 0)

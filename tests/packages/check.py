#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Test that the packages contain what docs/packages.md says: check.py FOLDER EPOCH

Prints every mistake. Needs Debian's python3-pefile.
"""
import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree
import zipfile

import pefile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
MACHINES = {'x64': 0x8664, 'x86': 0x14c, 'arm64': 0xaa64}
# The folders of bin/ in each package. In a package for one processor, the first folder is for that
# processor, and only this folder has programs. In the package for all, each folder has programs.
PROCESSORS = {'x64': ['x64', 'x86'], 'x86': ['x86'], 'arm64': ['arm64', 'x64', 'x86'],
              'all': ['x64', 'x86', 'arm64']}
TREES = {'x64': ['mingw-x64', 'msvc-x64'], 'x86': ['mingw-x86'], 'arm64': ['msvc-arm64'],
         'all': ['mingw-x64', 'mingw-x86', 'msvc-x64', 'msvc-arm64']}
PROGRAMS = ['prfcheck.exe', 'prfinstall.exe', 'prfread.exe', 'prfview.exe']
DLLS = ['PrfDataProvider.dll', 'prfdata.dll']
KIT = ['HWInputMonPrf.dll', 'PrfDataKitPrf.dll', 'hwinput.exe', 'installer.exe', 'prfcheck.exe',
       'prfdata-kit-probe.dll', 'prfdata-kit.exe', 'prfread.exe', 'prfview.exe']
# Functions that Windows 7 lacks, by "Minimum supported client" on their pages on
# learn.microsoft.com. A program that imports one does not start there, so such functions must be
# looked up at run time. (SetDefaultDllDirectories and LOAD_LIBRARY_SEARCH_SYSTEM32 came to Windows
# 7 with KB2533623.)
LATER = re.compile('(api|ext)-ms-.*|.*[.]dll (AdjustWindowRectExForDpi|CopyFile2|CreateFile2|'
                   'EnableNonClientDpiScaling|GetCurrentThreadStackLimits|GetDpiFor(Monitor|System|Window)|'
                   'GetProcessInformation|GetProcessMitigationPolicy|GetSystemMetricsForDpi|'
                   'GetSystemTimePreciseAsFileTime|GetThreadInformation|IsWow64Process2|'
                   'IsWow64GuestMachineSupported|MapViewOfFile[23]|OfferVirtualMemory|PathCch.*|'
                   'PrefetchVirtualMemory|SetProcessDpiAwareness.*|SetProcessInformation|'
                   'SetProcessMitigationPolicy|SetThreadDescription|SetThreadDpiAwarenessContext|'
                   'SetThreadInformation|SystemParametersInfoForDpi|UnmapViewOfFile2|VirtualAlloc2|'
                   'WaitOnAddress|WakeByAddress.*)', re.I)
LIBRARIES = ['client', 'core', 'installer', 'mapfile', 'provider', 'provider_dll']
mistakes = 0


def complain(text):
    global mistakes
    mistakes += 1
    print(text)


def expect(is_so, text):
    if not is_so:
        complain(text)


def version_of_project():
    text = (SOURCE / 'shared/include/prfdata/version.h').read_text(encoding='utf-8')
    return '.'.join(re.search(rf'^#define PRFDATA_VERSION_{part} ([0-9]+)$', text, re.M).group(1)
                    for part in ('MAJOR', 'MINOR', 'PATCH'))


def read_zip(path, time):
    """Return {name: bytes}. Every entry must have this time, and entries must be sorted."""
    with zipfile.ZipFile(path) as file:
        expect(file.testzip() is None, f'{path.name} is damaged')
        names = file.namelist()
        expect(names == sorted(set(names)), f'{path.name}: not in order')
        for entry in file.infolist():
            if entry.date_time != time or entry.external_attr != 0o100644 << 16 or entry.create_system != 3:
                complain(f'{path.name}: {entry.filename} has time {entry.date_time}')
            if entry.filename.startswith('/') or '..' in entry.filename.split('/'):
                complain(f'{path.name}: {entry.filename} would go elsewhere')
        return {name: file.read(name) for name in names}


def check_contents(processor, files):
    """Check the names of `files`, whose paths start below the top folder."""
    wanted = {f'docs/{path.name}' for path in (SOURCE / 'docs').glob('*.md')}
    wanted |= {'README.md', 'LICENSE', 'CHANGELOG.md', 'lib/cmake/PrfData/PrfDataConfig.cmake',
               'samples/CMakeLists.txt', 'samples/hwinput/hwinput.c', 'bindings/python/prfdata.py',
               'debugging/prfdata.natvis', 'debugging/prfdata.gdb'}
    for number, folder in enumerate(PROCESSORS[processor]):
        names = DLLS + (PROGRAMS if number == 0 or processor == 'all' else [])
        wanted |= {f'bin/{folder}/{name}' for name in names}
    for tree in TREES[processor]:
        shape = 'lib{}.a' if tree.startswith('mingw') else '{}.lib'
        wanted |= {f'{tree}/lib/{shape.format("prfdata_" + name)}' for name in LIBRARIES}
        wanted.add(f'{tree}/lib/' + ('libprfdata.dll.a' if 'mingw' in tree else 'prfdata.lib'))
        wanted |= {f'{tree}/include/prfdata/{name}' for name in ('prfdata.h', 'prfdata.hpp', 'install.h')}
        wanted |= {f'{tree}/lib/pkgconfig/prfdata.pc', f'{tree}/lib/cmake/PrfData/PrfDataTargets.cmake'}
    for name in sorted(wanted - files.keys()):
        complain(f'{processor}: no {name}')
    # The package must have exactly these programs, DLLs and trees.
    binaries = {name for name in files if name.endswith(('.exe', '.dll'))}
    for name in sorted(binaries - wanted):
        complain(f'{processor}: {name} is there')
    for name in files:
        top = name.split('/')[0]
        if re.match('m(ingw|svc)-', top) and top not in TREES[processor]:
            complain(f'{processor}: {name} is there')
    for name, contents in files.items():
        expect(str(SOURCE).encode() not in contents, f'{processor}: {name} says where it was built')


def check_kit(files):
    """Check that there is exactly what selftest.cmd needs, for each processor."""
    wanted = {'selftest.cmd', 'selftest.wsb', 'windows-kit.md', 'LICENSE'}
    wanted |= {f'{processor}/{name}' for processor in MACHINES for name in KIT}
    for name in sorted(wanted ^ files.keys()):
        complain(f'kit: {name} is {"there" if name in files else "not there"}')
    script = files['selftest.cmd']
    expect(script.count(b'\n') == script.count(b'\r\n'), 'kit: selftest.cmd: cmd needs CR LF')


def strings_of(image):
    return {key.decode(): value.decode()
            for group in getattr(image, 'FileInfo', []) for info in group if info.Key == b'StringFileInfo'
            for table in info.StringTable for key, value in table.entries.items()}


def manifest_of(image):
    for kind in getattr(image, 'DIRECTORY_ENTRY_RESOURCE', None).entries:
        if kind.id == pefile.RESOURCE_TYPE['RT_MANIFEST']:
            data = kind.directory.entries[0].directory.entries[0].data.struct
            return image.get_data(data.OffsetToData, data.Size)
    return None


def check_imports(name, image):
    """Check that programs that must start on Windows 7 import only functions that it has."""
    for library in image.DIRECTORY_ENTRY_IMPORT:
        for function in library.imports:
            found = f'{library.dll.decode()} {(function.name or b"").decode()}'
            expect(not LATER.fullmatch(found), f'{name} imports {found}, which Windows 7 lacks')


def check_binary(name, contents, version):
    """Check a program or DLL in a folder that is named after its processor."""
    image = pefile.PE(data=contents, fast_load=False)
    expect(image.FILE_HEADER.Machine == MACHINES[name.split('/')[-2]],
           f'{name} is for machine {image.FILE_HEADER.Machine:#x}')
    if name.startswith(('bin/x64/', 'bin/x86/')):
        check_imports(name, image)
    said = strings_of(image)
    base = name.rpartition('/')[2]
    expect(said.get('FileVersion') == said.get('ProductVersion') == version,
           f'{name}: version {said.get("FileVersion")}, not {version}')
    expect(said.get('ProductName') == 'PrfData' and said.get('OriginalFilename') == base and
           said.get('FileDescription'), f'{name}: properties {said}')
    if not hasattr(image, 'VS_FIXEDFILEINFO'):
        complain(f'{name} has no VERSIONINFO')
        return
    fixed = image.VS_FIXEDFILEINFO[0]
    parts = [fixed.FileVersionMS >> 16, fixed.FileVersionMS & 0xffff, fixed.FileVersionLS >> 16]
    expect('.'.join(map(str, parts)) == version, f'{name}: FILEVERSION {parts}')
    expect(fixed.FileType == (2 if name.endswith('.dll') else 1), f'{name}: FILETYPE {fixed.FileType}')
    manifest = manifest_of(image)
    if name.endswith('.dll'):
        expect(manifest is None, f'{name} has a manifest')
        return
    if manifest is None:
        complain(f'{name} has no manifest')
        return
    tree = xml.etree.ElementTree.fromstring(manifest)
    level = tree.find('.//{urn:schemas-microsoft-com:asm.v3}requestedExecutionLevel')
    expect(level is not None and level.get('level') == 'asInvoker', f'{name}: no asInvoker')
    systems = tree.findall('.//{urn:schemas-microsoft-com:compatibility.v1}supportedOS')
    expect(len(systems) == 4, f'{name}: manifest for {len(systems)} systems')


def check_sbom(path, folder, files, version):
    """Check the rules of SPDX 2.3 that apply to this list, and that it lists all files."""
    document = json.loads(path.read_text(encoding='utf-8'))
    expect(document['spdxVersion'] == 'SPDX-2.3' and document['dataLicense'] == 'CC0-1.0' and
           document['SPDXID'] == 'SPDXRef-DOCUMENT', 'SPDX: head')
    expect(re.fullmatch(r'[a-z][a-z0-9+.-]*:[^#\s]+', document['documentNamespace']), 'SPDX: namespace')
    identifiers = [item['SPDXID'] for item in document['packages'] + document['files']]
    expect(len(identifiers) == len(set(identifiers)) and
           all(re.fullmatch('SPDXRef-[A-Za-z0-9.-]+', one) for one in identifiers), 'SPDX: identifiers')
    listed = {item['fileName'].removeprefix('./'): item for item in document['files']}
    for name in sorted(listed.keys() ^ files.keys()):
        complain(f'SPDX: {name} is only in the list or only in the package')
    for name in listed.keys() & files.keys():
        for sum_ in listed[name]['checksums']:
            digest = hashlib.new(sum_['algorithm'].lower(), files[name]).hexdigest()
            expect(digest == sum_['checksumValue'], f'SPDX: {sum_["algorithm"]} of {name}')
    archives = {item['packageFileName']: item for item in document['packages'] if 'packageFileName' in item}
    there = {file.name for file in folder.iterdir()} - {'SHA256SUMS', path.name}
    expect(set(archives) == there, f'SPDX: archives {sorted(set(archives) ^ there)}')
    for name in set(archives) & there:
        sums = {item['algorithm']: item['checksumValue'] for item in archives[name]['checksums']}
        expect(sums['SHA256'] == hashlib.sha256((folder / name).read_bytes()).hexdigest(), f'SPDX: {name}')
    names = {item['name']: item['versionInfo'] for item in document['packages']}
    expect(names.get('PrfData') == version, f'SPDX: version {names.get("PrfData")}')
    for name in ('libgcc', 'mingw-w64-runtime'):
        expect(re.fullmatch(r'\d+\.\d+\.\d+', names.get(name, '')), f'SPDX: {name} {names.get(name)}')


def check_port(path, folder, time, version):
    files = read_zip(path, time)
    manifest = json.loads(files['prfdata/vcpkg.json'])
    text = files['prfdata/vcpkg.json'].decode()
    # The form is that of `vcpkg format-manifest`: these fields in this order, two blanks.
    expect(text == json.dumps(manifest, indent=2) + '\n', 'vcpkg.json: its format')
    order = ['name', 'version', 'description', 'license', 'supports', 'dependencies']
    expect(list(manifest) == order and manifest['name'] == 'prfdata' and manifest['version'] == version,
           f'vcpkg.json: {list(manifest)}, version {manifest["version"]}')
    port = files['prfdata/portfile.cmake'].decode()
    source = next(folder.glob('*-source.zip'))
    expect(hashlib.sha512(source.read_bytes()).hexdigest() in port, 'portfile.cmake: SHA512')
    expect(not re.search('@[a-z0-9]+@', port + text), 'the port has words that were not replaced')
    return files


class NugetProject:
    """A project that uses the package's props and targets. The class understands only those parts
    of MSBuild that these files use."""

    def __init__(self, parts, **properties):
        self.values = {'MSBuildThisFileDirectory': 'build/native/'}
        self.settings = {}
        for name in ('props', 'targets'):
            # NuGet imports the props in the first line, before there is a platform.
            if name == 'targets':
                self.values.update(properties)
            for group in xml.etree.ElementTree.fromstring(parts[f'build/native/PrfData.{name}']):
                if group.tag.endswith('}PropertyGroup'):
                    self.values.update((item.tag.rpartition('}')[2], self.expand(item.text))
                                       for item in group if self.holds(item))
                elif group.tag.endswith('}ItemDefinitionGroup'):
                    for item in group:
                        for setting in item:
                            name_ = f'{item.tag.rpartition("}")[2]}.{setting.tag.rpartition("}")[2]}'
                            self.settings[name_] = self.expand(setting.text).split(';')

    def expand(self, text):
        return re.sub(r'\$\((\w+)\)', lambda match: self.values.get(match.group(1), ''), text).replace('\\', '/')

    def holds(self, item):
        condition = item.get('Condition')
        if condition is None:
            return True
        one, other = re.fullmatch(r"\s*'([^']*)'\s*==\s*'([^']*)'\s*", condition).groups()
        return self.expand(one).lower() == self.expand(other).lower()


def check_nuget_project(parts, platform, processor, installer):
    """Check that every folder and library of ours that the settings name is in the package."""
    project = NugetProject(parts, Platform=platform, PrfDataInstaller=installer)
    kept = {'ClCompile.AdditionalIncludeDirectories', 'Link.AdditionalLibraryDirectories',
            'Link.AdditionalDependencies'}
    expect(set(project.settings) == kept, f'NuGet: settings {sorted(project.settings)}')
    for name, values in project.settings.items():
        expect(values[-1] == f'%({name.partition(".")[2]})', f'NuGet: {name} drops what the project has')
    include, = project.settings['ClCompile.AdditionalIncludeDirectories'][:-1]
    folder, = project.settings['Link.AdditionalLibraryDirectories'][:-1]
    for header in ('prfdata/prfdata.h', 'prfdata/prfdata.hpp', 'prfdata/install.h'):
        expect(f'{include}/{header}' in parts, f'NuGet: {platform}: no {include}/{header}')
    expect(folder == f'build/native/lib/{processor}', f'NuGet: {platform}: libraries in {folder}')
    libraries = project.settings['Link.AdditionalDependencies'][:-1]
    ours = [name for name in libraries if name.startswith('prfdata')]
    expect(len(ours) == (4 if installer == 'true' else 3), f'NuGet: {platform}: links {libraries}')
    # Only Visual Studio makes the libraries for x86. Without them, a project for x86 gets an error.
    has_any = any(name.startswith(f'{folder}/') for name in parts)
    expect(has_any or processor == 'x86', f'NuGet: no {folder}')
    for name in ours if has_any else []:
        expect(f'{folder}/{name}' in parts, f'NuGet: {platform}: no {folder}/{name}')


def check_nuget(path, time, version, files):
    parts = read_zip(path, time)
    spec = xml.etree.ElementTree.fromstring(parts['PrfData.nuspec'])
    said = {item.tag.rpartition('}')[2]: item.text for item in spec.iter()}
    expect(said['id'] == 'PrfData' and said['version'] == version and 'native' in said['tags'].split(),
           f'nuspec: {said}')
    expect(said.get('license') == 'MIT' and said.get('readme') in parts, f'nuspec: {said}')
    for platform, processor in (('Win32', 'x86'), ('x64', 'x64'), ('ARM64', 'arm64')):
        for installer in ('', 'true'):
            check_nuget_project(parts, platform, processor, installer)
    for name, contents in files.items():
        top, _, rest = name.partition('/')
        target = None
        if top == 'bin' and name.endswith('.dll'):
            target = f'build/native/{name}'
        elif top.startswith('msvc-') and name.endswith('.lib'):
            target = f'build/native/lib/{top[5:]}/{rest.rpartition("/")[2]}'
        elif top.startswith('msvc-') and rest.startswith('include/'):
            target = f'build/native/{rest}'
        if target and parts.get(target) != contents:
            complain(f'NuGet: no {target}')


def check_source(path, base):
    """Check that files have the same modes in the archive and the commit, so that programs can be run on Unix."""
    listed = subprocess.run(['git', 'ls-tree', '-r', 'HEAD'], cwd=SOURCE, stdout=subprocess.PIPE, check=True, text=True)
    modes = {line.partition('\t')[2]: line.partition(' ')[0] for line in listed.stdout.splitlines()}
    with zipfile.ZipFile(path) as file:
        for entry in file.infolist():
            mode = modes.get(entry.filename.removeprefix(f'{base}/'))
            expect(f'{entry.external_attr >> 16:o}' == mode,
                   f'{path.name}: {entry.filename} has mode {entry.external_attr >> 16:o}, not {mode}')


def check_versions(version):
    """Check that other files have this version, and that a release compares this version with the tag."""
    for name in ('bindings/node/package.json', 'bindings/rust/Cargo.toml'):
        text = (SOURCE / name).read_text(encoding='utf-8')
        expect(re.search(rf'"?version"?\s*[:=]\s*"{re.escape(version)}"', text), f'{name}: not version {version}')
    said = subprocess.run([SOURCE / 'scripts/package', '--version'], stdout=subprocess.PIPE, check=True, text=True)
    expect(said.stdout.strip() == version, f'scripts/package --version prints {said.stdout!r}')
    text = (SOURCE / '.github/workflows/release.yml').read_text(encoding='utf-8')
    expect('test "$(scripts/package --version)" = "${GITHUB_REF_NAME#v}"' in text,
           'release.yml does not compare the tag with the version')


def main():
    folder = pathlib.Path(sys.argv[1])
    date = datetime.datetime.fromtimestamp(int(sys.argv[2]), datetime.timezone.utc)
    time = (*date.timetuple()[:5], date.second // 2 * 2)  # times in zip files have even seconds
    version = version_of_project()
    packages = {}
    for processor in PROCESSORS:
        base = f'PrfData-{version}-{processor}'
        found = read_zip(folder / f'{base}.zip', time)
        expect(all(name.startswith(f'{base}/') for name in found), f'{base}: files beside its folder')
        packages[processor] = {name.removeprefix(f'{base}/'): contents for name, contents in found.items()}
        check_contents(processor, packages[processor])
    everything = packages['all']
    for processor, files in packages.items():
        for name, contents in files.items():
            expect(everything.get(name) == contents, f'{processor}: {name} is another than that of all')
    base = f'PrfData-{version}-kit'
    kit = {name.removeprefix(f'{base}/'): contents
           for name, contents in read_zip(folder / f'{base}.zip', time).items()}
    check_kit(kit)
    listed = everything | {f'kit/{name}': contents for name, contents in kit.items()}
    for name, contents in listed.items():
        if name.endswith(('.exe', '.dll')):
            check_binary(name, contents, version)
    check_sbom(folder / f'PrfData-{version}.spdx.json', folder, listed, version)
    check_source(folder / f'PrfData-{version}-source.zip', f'PrfData-{version}')
    check_port(folder / f'PrfData-{version}-vcpkg.zip', folder, time, version)
    check_nuget(folder / f'PrfData.{version}.nupkg', time, version, everything)
    check_versions(version)
    sys.exit(1 if mistakes else 0)


main()

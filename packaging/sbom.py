# SPDX-License-Identifier: MIT
"""Make the list of what is in the packages, in SPDX 2.3 as JSON: spdx.github.io/spdx-spec/v2.3."""
import hashlib
import json
import re
import subprocess

import archive

COPYRIGHT = 'Copyright (c) 2026 The PrfData authors'
# Libraries that compilers link in addition to PrfData's own code. clang's MSVC mode links none.
RUNTIMES = {
    'gcc': ('libgcc', 'GPL-3.0-or-later WITH GCC-exception-3.1',
            'The runtime of gcc, in programs and DLLs of mingw trees.'),
    'mingw': ('mingw-w64-runtime', 'NOASSERTION',
              'Start-up code of mingw-w64, in programs and DLLs of mingw trees; several permissive '
              'licences.'),
    'msvc': ('microsoft-c-runtime', 'NOASSERTION',
             'The static C runtime of Visual Studio, in programs and DLLs of msvc trees.'),
}


def runtimes(source, trees, presets):
    """Return {name in RUNTIMES: version} of the libraries that the builds of mingw trees linked."""
    found = {}
    for tree in trees:
        cache = source / 'build' / (presets[tree] or '') / 'CMakeCache.txt'
        if tree.startswith('mingw') and cache.exists():
            compiler = re.search(r'^CMAKE_AR:[A-Z]+=(.*)-ar$', cache.read_text(), re.M).group(1) + '-gcc'
            say = subprocess.run([compiler, '-E', '-dM', '-include', '_mingw.h', '-xc', '/dev/null'],
                                 check=True, stdout=subprocess.PIPE).stdout.decode()
            words = dict(re.findall(r'^#define (\w+) (\d+)$', say, re.M))
            found['gcc'] = '.'.join(words[f'__GNUC{part}__'] for part in ('', '_MINOR', '_PATCHLEVEL'))
            found['mingw'] = '.'.join(words[f'__MINGW64_VERSION_{part}']
                                      for part in ('MAJOR', 'MINOR', 'BUGFIX'))
    return found


def checksums(file):
    return [{'algorithm': name, 'checksumValue': archive.digest(file, name.lower())}
            for name in ('SHA1', 'SHA256')]


def verification_code(files):
    """Return the SHA1 of the sorted and joined SHA1s of all files (SPDX 2.3, section 7.9)."""
    sums = sorted(archive.digest(file, 'sha1') for file in files.values())
    return hashlib.sha1(''.join(sums).encode()).hexdigest()


def package(identifier, name, version, **more):
    return {'SPDXID': f'SPDXRef-{identifier}', 'name': name, 'versionInfo': version,
            'downloadLocation': 'NOASSERTION', 'filesAnalyzed': False, 'licenseConcluded': 'NOASSERTION',
            'licenseDeclared': 'MIT', 'copyrightText': COPYRIGHT, **more}


def relation(one, kind, other):
    return {'spdxElementId': f'SPDXRef-{one}', 'relationshipType': kind,
            'relatedSpdxElement': f'SPDXRef-{other}'}


def write(path, time, version, files, archives, linked):
    """Write the list.

    files     {path in the package for all processors: file}
    archives  {short name: zip file} of what is distributed
    linked    {name in RUNTIMES: version}
    """
    code = verification_code(files)
    packages = [package('PrfData', 'PrfData', version, filesAnalyzed=True, licenseConcluded='MIT',
                        licenseInfoFromFiles=['NOASSERTION'],
                        packageVerificationCode={'packageVerificationCodeValue': code})]
    relations = [relation('DOCUMENT', 'DESCRIBES', 'PrfData')]
    for short, file in sorted(archives.items()):
        packages.append(package(f'archive-{short}', file.name, version, packageFileName=file.name,
                                checksums=checksums(file)))
        relations.append(relation('PrfData', 'DISTRIBUTION_ARTIFACT', f'archive-{short}'))
    for short, number in sorted(linked.items()):
        name, licence, comment = RUNTIMES[short]
        packages.append(package(name, name, number, licenseDeclared=licence, comment=comment,
                                copyrightText='NOASSERTION'))
        relations.append(relation('PrfData', 'STATIC_LINK', name))
    listed = []
    for number, name in enumerate(sorted(files), 1):
        listed.append({'SPDXID': f'SPDXRef-file-{number}', 'fileName': f'./{name}',
                       'checksums': checksums(files[name]), 'licenseConcluded': 'MIT',
                       'licenseInfoInFiles': ['NOASSERTION'], 'copyrightText': COPYRIGHT})
        relations.append(relation('PrfData', 'CONTAINS', f'file-{number}'))
    document = {
        'spdxVersion': 'SPDX-2.3', 'dataLicense': 'CC0-1.0', 'SPDXID': 'SPDXRef-DOCUMENT',
        'name': f'PrfData-{version}',
        'documentNamespace': f'urn:prfdata:spdx:{version}:{code}',
        'creationInfo': {'created': time.iso(), 'creators': ['Tool: PrfData-scripts-package']},
        'packages': packages, 'files': listed, 'relationships': relations,
    }
    path.write_text(json.dumps(document, indent=1) + '\n', encoding='utf-8')

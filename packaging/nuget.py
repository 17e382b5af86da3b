# SPDX-License-Identifier: MIT
"""Make the NuGet package for Visual Studio projects in C and C++.

learn.microsoft.com/nuget/guides/native-packages: everything is in build/native, and the project
imports the files that have the package's name. ECMA-376, part 2, describes the container.
"""
import archive

CONTENT_TYPES = '''<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
%s</Types>
'''
RELATIONS = '''<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/PrfData.nuspec" Id="manifest"/>
</Relationships>
'''


def content_types(names):
    """Return [Content_Types].xml: a type for each extension and for each file without extension."""
    extensions = {name.rpartition('.')[2] for name in names if '.' in name.rpartition('/')[2]}
    lines = [f'  <Default Extension="{extension}" ContentType="application/octet-stream"/>\n'
             for extension in sorted(extensions)]
    lines += [f'  <Override PartName="/{name}" ContentType="application/octet-stream"/>\n'
              for name in sorted(names) if '.' not in name.rpartition('/')[2]]
    return CONTENT_TYPES % ''.join(lines)


def write(out, time, version, templates, files):
    """Write the package: DLLs, and headers and libraries for Visual Studio. Returns its path."""
    parts = {}
    for name, file in files.items():
        top, _, rest = name.partition('/')
        if top.startswith('msvc-') and rest.startswith('include/'):
            parts[f'build/native/{rest}'] = file
        elif top.startswith('msvc-') and rest.endswith('.lib'):
            parts[f'build/native/lib/{top.removeprefix("msvc-")}/{file.name}'] = file
        elif top == 'bin' and rest.endswith('.dll'):
            parts[f'build/native/{name}'] = file
    for name in ('LICENSE', 'README.md'):
        parts[name] = files[name]
    for path in templates.iterdir():
        text = path.read_text(encoding='utf-8').replace('@version@', version).encode()
        parts[path.name if path.suffix == '.nuspec' else f'build/native/{path.name}'] = text
    parts['[Content_Types].xml'] = content_types(list(parts)).encode()
    parts['_rels/.rels'] = RELATIONS.encode()
    return archive.write(out / f'PrfData.{version}.nupkg', time, '', parts)

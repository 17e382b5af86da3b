# SPDX-License-Identifier: MIT
"""Make the port for vcpkg: a folder for --overlay-ports, or for vcpkg's repository."""
import archive


def write(out, time, version, templates, source, url):
    """Write the port. It builds PrfData from the zip file `source`. Returns the path of the port.

    url  Where `source` will be downloaded from. If empty, the port contains `source`.
    """
    words = {'version': version, 'source': source.name, 'url': url.rstrip('/'),
             'sha512': archive.digest(source, 'sha512')}
    files = {}
    for path in templates.iterdir():
        text = path.read_text(encoding='utf-8')
        for word, value in words.items():
            text = text.replace(f'@{word}@', value)
        files[f'prfdata/{path.name}'] = text.encode()
    if not url:
        files[f'prfdata/{source.name}'] = source
    return archive.write(out / f'PrfData-{version}-vcpkg.zip', time, '', files)

# SPDX-License-Identifier: MIT
"""Make zip files and checksums. Their bytes depend only on the contents and on one time stamp."""
import datetime
import hashlib
import io
import pathlib
import subprocess
import tarfile
import zipfile


class Time:
    """The time stamp of everything in the packages."""

    def __init__(self, epoch):
        # A zip file cannot represent times before 1980.
        self.date = datetime.datetime.fromtimestamp(max(epoch, 315532800), datetime.timezone.utc)

    def for_zip(self):
        return self.date.timetuple()[:6]

    def iso(self):
        return self.date.strftime('%Y-%m-%dT%H:%M:%SZ')


def contents(file):
    """Return the bytes of `file`, which is a path or the bytes themselves."""
    return file.read_bytes() if isinstance(file, pathlib.Path) else file


def write(path, time, base, files, programs=()):
    """Write the zip file `path`. Returns `path`.

    base      the folder of all files inside the zip file; '' for none
    files     {name: path or bytes}
    programs  the names of the files that can be run after they are unpacked on Unix
    """
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f'{base}/{name}' if base else name, time.for_zip())
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whatever system this runs on
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            target.writestr(entry, contents(files[name]))
    return path


def write_commit(path, time, base, repository):
    """Write a zip file of everything in the current commit."""
    tar = subprocess.run(['git', 'archive', '--format=tar', 'HEAD'], cwd=repository, check=True,
                         stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(tar)) as commit:
        items = [item for item in commit if item.isfile()]
        files = {item.name: commit.extractfile(item).read() for item in items}
    return write(path, time, base, files, {item.name for item in items if item.mode & 0o100})


def digest(file, algorithm):
    return hashlib.new(algorithm, contents(file)).hexdigest()


def has_only_sums(path, folder):
    """Return whether the checksum file `path` lists everything else in `folder`."""
    try:
        lines = path.read_text(encoding='ascii').splitlines()
    except (OSError, UnicodeDecodeError):
        return False
    names = {line.partition('  ')[2] for line in lines} | {path.name}
    return all(file.is_file() and file.name in names for file in folder.iterdir())


def write_sums(path, folder):
    """Write the checksums of all files in `folder` in the form that `sha256sum -c` reads."""
    lines = [f'{digest(file, "sha256")}  {file.name}\n' for file in sorted(folder.iterdir())]
    path.write_text(''.join(lines), encoding='ascii')

# SPDX-License-Identifier: MIT
"""Gives readers of SPDX the list of what is in the packages that scripts/package makes.

Packages need builds for Windows, and the lab has none. So the same code makes the list from other
files. tests/scripts/81-packages.sh gives the Go library the list of real packages.
"""
import copy
import importlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import lab

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXPRESSIONS = """
import('spdx-expression-parse').then(({ default: parse }) => {
    for (const expression of JSON.parse(process.argv[1]))
        try {
            parse(expression);
        } catch (error) {
            console.log(expression + ': ' + error.message);
        }
});
"""


def make_list(folder):
    """Make a list like that of scripts/package. It has the sources of shared/, files with odd
    names, two archives and every possible runtime."""
    sys.path.insert(0, str(SOURCE / "packaging"))
    archive, sbom = importlib.import_module("archive"), importlib.import_module("sbom")
    time = archive.Time(1700000000)
    files = {path.relative_to(SOURCE).as_posix(): path for path in (SOURCE / "shared").rglob("*.[ch]")}
    files |= {f"odd/Größe 日本 {number} \"x\" & 'y'.txt": SOURCE / "README.md" for number in range(2)}
    archives = {name: archive.write(folder / f"{name}.zip", time, "", files) for name in ("binaries", "source")}
    path = folder / "list.spdx.json"
    sbom.write(path, time, "1.2.3", files, archives, {name: "12.0" for name in sbom.RUNTIMES})
    return json.loads(path.read_text(encoding="utf-8"))


# ---- Changes of the list that must be noticed ----

def change_code(document):
    """Change the code that is computed from the checksums of all files."""
    document["packages"][0]["packageVerificationCode"]["packageVerificationCodeValue"] = "0" * 40


def change_relation(document):
    """Relate to a file that is not in the list."""
    document["relationships"][-1]["relatedSpdxElement"] = "SPDXRef-file-0"


def change_file(document):
    """Change a file's checksum, so that the code of all checksums no longer fits."""
    document["files"][0]["checksums"][0]["checksumValue"] = "1" * 40


def change_licence(document):
    """Use an unknown licence."""
    document["files"][0]["licenseConcluded"] = "Free"


def change_words(document):
    """Put two licences without a word between them."""
    document["packages"][-1]["licenseDeclared"] = "MIT Zlib"


class Spdx(lab.Program):
    """One reader of the list."""

    is_played = False
    changes = ()
    folder = document = None

    def start(self, scene):
        """Make the list, before anything is installed."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="prfdata-spdx."))
        self.document = make_list(self.folder)

    def read(self, document):
        """Return the faults as words; "" means none."""
        raise NotImplementedError

    def check(self, scene):
        """Fail if the list has faults, or if a change of the list is not noticed."""
        said = self.read(self.document)
        if said:
            raise lab.Problem(said)
        for change in self.changes:
            changed = copy.deepcopy(self.document)
            change(changed)
            if not self.read(changed):
                raise lab.Problem(f"{change.__name__} is not noticed")
        return (f"{len(self.document['packages'])} packages, {len(self.document['files'])} files, "
                f"{len(self.document['relationships'])} relationships read; "
                f"{len(self.changes)} changes on the way noticed")

    def stop(self):
        """Remove the files that were made."""
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


class Library(Spdx):
    """The library of the SPDX project, in the program that tests/packages builds with it."""

    name = "SPDX tools-golang"
    what = "read the packages' list, made of other files; its own sum of all files"
    version = "0.5.5"  # the version in Debian 13, which spdx-check uses
    changes = (change_code, change_relation, change_file)

    def read(self, document):
        """Read the list with the program."""
        path = self.folder / "given.spdx.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        done = subprocess.run([SOURCE / "tests/packages/spdx-check", path], check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = done.stdout.decode(errors="replace")
        if done.returncode == 77:
            raise lab.Missing(said.strip())
        return said if done.returncode else ""


class Expressions(Spdx):
    """A parser of licence expressions."""

    name = "spdx-expression-parse (npm)"
    what = "parsed all licences of the packages' list"
    version = "5.0.0"
    changes = (change_licence, change_words)

    def read(self, document):
        """Read all licences, except SPDX's two words that name none."""
        found = {value for each in [*document["packages"], *document["files"]]
                 for name, value in each.items() if name in ("licenseConcluded", "licenseDeclared")}
        found |= {document["dataLicense"]}
        modules = lab.npm("spdx-expression-parse", self.version)
        done = subprocess.run(["node", "-e", EXPRESSIONS, json.dumps(sorted(found - {"NOASSERTION", "NONE"}))],
                              check=False, cwd=modules, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.stdout.decode(errors="replace")


PROGRAMS = [Library(), Expressions()]

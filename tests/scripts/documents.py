#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests the examples and links of README.md and docs/. 30-documents.sh and ctest run this.

    documents.py check [PRFREAD]          every block has a kind, every link and name exists;
                                          with a native prfread: its help is what the pages show
    documents.py extract FOLDER           write the files that the pages show
    documents.py build FOLDER PACKAGE NAME [CMAKE ARGUMENT...]
                                          compile what they show against an installed package
    documents.py run FOLDER WHAT          run commands: "build" (README.md's for a shell),
                                          "pages" (all others), "uninstall" (those that "pages" leaves out)

The words after the three backquotes of a block say how it is tested. A block without words, or with
words that are not in this list, fails the check:

    c                   declarations or functions, compiled as a separate file
    c body              statements, compiled inside a function
    LANGUAGE file=NAME  written to a file of the page's folder, where the page's commands run; a
                        folder with a CMakeLists.txt is built, other files of C are compiled
    LANGUAGE same=FILE  all of a file of this repository, or its end; if the page copies the file's
                        project, the copy is built
    bat                 commands of Windows, one in a line, run under Wine
    sh                  a script
    text transcript     a console with prompts, commands and output: 53-upgrade.sh runs it
    LANGUAGE output     the output of the block of commands before it; "..." stands for any text in a
                        line and, alone in a line, for any lines

Words that may follow:

    exit=NUMBER         the exit code of each command, instead of 0
    background          the program runs until the end of the page, where its input is closed
    until-stopped       the program would continue to run; it is stopped when it has shown something
    windows             files of C: only for Windows
    untested="REASON"   the block is not tested

`c` blocks include tests/scripts/documents/<page>.h, if there is one.
"""
import getpass
import glob
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.request

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
LANGUAGES = {"bat", "c", "cmake", "cpp", "csv", "go", "hex", "ini", "json", "python", "sh", "text", "yaml"}
WORDS = {"body", "output", "transcript", "background", "until-stopped", "windows"}
KEYS = {"file", "same", "exit", "untested"}
# The number of blocks that are not tested. Change it only for a good reason.
UNTESTED = 14
LIMIT_S = 300  # the longest wait for a command
# Words of the examples. If a page does not show the output of a command, the command must print one
# of these words.
SUBJECT = re.compile("queues|MyService|checkout|slips|prfread|RAS", re.IGNORECASE)
# prfcheck adds these messages on a slow machine.
SLOWNESS = re.compile(r"^prfcheck: [^\n]* (takes longer than|took) \d+ seconds\n", re.MULTILINE)


class Problem(Exception):
    """A fault, described by a sentence."""


# ---- Pages ----


class Block:
    """A fenced block of a page."""

    def __init__(self, page, line, info):
        self.page = page
        self.line = line
        self.lines = []
        self.words = set()
        self.values = {}
        try:
            self.language, *words = shlex.split(info)
        except ValueError:
            raise Problem(f"{self.place()}: a block without a kind: {info!r}") from None
        for word in words:
            key, _, value = word.partition("=")
            if key in KEYS and value:
                self.values[key] = value
            elif word in WORDS:
                self.words.add(word)
            else:
                raise Problem(f"{self.place()}: {word!r} says nothing about a block")

    def place(self):
        """Return the place of the block."""
        return f"{self.page.name}:{self.line}"

    def text(self):
        """Return the block's lines, with line ends."""
        return "".join(line + "\n" for line in self.lines)

    def is_tested(self):
        """Return whether the block is tested."""
        return "untested" not in self.values

    def kind(self):
        """Return the way in which the block is tested."""
        if self.language not in LANGUAGES:
            raise Problem(f"{self.place()}: nothing is known about {self.language!r}")
        kinds = [key for key in ("untested", "same", "file") if key in self.values][:1]
        kinds += [word for word in ("output", "transcript") if word in self.words]
        kinds += ["commands"] if self.language in ("bat", "sh") and not kinds else []
        kinds += ["c"] if self.language == "c" and not kinds else []
        if len(kinds) != 1:
            raise Problem(f"{self.place()}: one kind is needed, not {kinds}")
        return kinds[0]

    def commands(self):
        """Return the command lines of the block. Those of a shell are one script."""
        if self.language == "sh":
            return [self.text()]
        return [line for line in self.lines if line.strip()]

    def exit_code(self):
        """Return the exit code of each of the block's commands."""
        return int(self.values.get("exit", 0))


class Page:
    """A document."""

    def __init__(self, name):
        self.name = name
        self.blocks = []
        self.prose = []  # (line number, text) outside of blocks
        with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
            self._read(file.read().splitlines())

    def _read(self, lines):
        block = None
        for number, line in enumerate(lines, 1):
            if line.startswith("```"):
                if block is None:
                    block = Block(self, number, line[3:])
                    self.blocks.append(block)
                else:
                    block = None
            elif block is not None:
                block.lines.append(line)
            else:
                self.prose.append((number, line))
        if block is not None:
            raise Problem(f"{block.place()}: the block does not end")

    def folder(self):
        """Return the name of the folder where the page's examples are tried."""
        name = os.path.splitext(self.name)[0]
        return "pages" if name == "docs/README" else os.path.basename(name)

    def anchors(self):
        """Return the texts that a link may have after #, which GitHub makes from the headings."""
        found = set()
        for _, line in self.prose:
            match = re.match(r"#{1,6} +(.*?) *$", line)
            if not match:
                continue
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", match[1]).lower()
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            number = 1
            anchor = slug
            while anchor in found:
                anchor = f"{slug}-{number}"
                number += 1
            found.add(anchor)
        return found


def page_names():
    """Return README.md, then the pages of docs/."""
    docs = glob.glob(os.path.join(SOURCE, "docs", "*.md"))
    return ["README.md"] + sorted(os.path.relpath(path, SOURCE) for path in docs)


def read_pages():
    """Return README.md and all pages of docs/."""
    return [Page(name) for name in page_names()]


def source_files():
    """Return the names of all files of this repository, from its root."""
    for folder, folders, files in os.walk(SOURCE):
        folders[:] = [name for name in folders if name not in ("build", ".git")]
        for name in files:
            yield os.path.relpath(os.path.join(folder, name), SOURCE)


# ---- check ----


def check_blocks(pages):
    """Check the kinds of all blocks, and how many are not tested. Return the number of blocks."""
    untested = 0
    for page in pages:
        before = None
        for block in page.blocks:
            kind = block.kind()
            if kind == "same":
                check_same(block)
            if kind == "output" and (before is None or before.kind() != "commands"):
                raise Problem(f"{block.place()}: no commands stand before this output")
            untested += not block.is_tested()
            before = block
    if untested != UNTESTED:
        raise Problem(f"{untested} blocks are not tested, and documents.py says {UNTESTED}")
    return sum(len(page.blocks) for page in pages)


def check_same(block):
    """Check that the block is the whole file that `same` names, or the end of this file."""
    with open(os.path.join(SOURCE, block.values["same"]), encoding="utf-8") as file:
        text = file.read()
    if text != block.text() and not text.endswith("\n" + block.text()):
        raise Problem(f"{block.place()}: {block.values['same']} has another text")


def check_indented(page):
    """Check that there is no code without a kind."""
    before = ""
    for number, line in page.prose:
        if line.startswith("    ") and before == "":
            raise Problem(f"{page.name}:{number}: code without the three backquotes")
        before = line.strip()


def check_links(page, pages):
    """Check that links lead to existing files and headings. Returns how many links there are."""
    links = 0
    for number, line in page.prose:
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"[a-z]+:", target):
                continue
            links += 1
            name, _, anchor = target.partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(page.name), name))
            path = path if name else page.name
            if not os.path.exists(os.path.join(SOURCE, path)):
                raise Problem(f"{page.name}:{number}: {target} is not there")
            if anchor and anchor not in (pages.get(path) or Page(path)).anchors():
                raise Problem(f"{page.name}:{number}: {path} has no heading #{anchor}")
    return links


def check_reached(pages):
    """Check that README.md leads to docs/README.md, and that page to every other."""
    for start, names in (("README.md", ["docs/README.md"]), ("docs/README.md", pages)):
        text = "\n".join(line for _, line in pages[start].prose)
        for name in names:
            if name != start and f"]({os.path.relpath(name, os.path.dirname(start))})" not in text:
                raise Problem(f"{start} does not link to {name}")


def check_presets(pages):
    """Check that the named presets of CMake exist."""
    with open(os.path.join(SOURCE, "CMakePresets.json"), encoding="utf-8") as file:
        presets = file.read()
    for page in pages:
        with open(os.path.join(SOURCE, page.name), encoding="utf-8") as file:
            for preset in re.findall(r"--preset ([\w-]+)", file.read()):
                if f'"name": "{preset}"' not in presets:
                    raise Problem(f"{page.name}: there is no preset {preset}")


def check_promises(performance):
    """Check that either the page says that all promises are met, or a table says that one is
    not met.
    """
    text = " ".join(line for _, line in performance.prose)
    says_all = "all of these promises are met on Linux and under Wine" in text
    if says_all == ("**not met**" in text):
        raise Problem(f"{performance.name}: say above the table of promises which are met, as the measurements do")


def check_sizes(pages):
    """Check that the pages say how many lines the core and the readers have, within a tenth."""
    for page in pages:
        with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
            text = " ".join(file.read().split())
        for folders, pattern in ((("shared", "provider", "installer"), r"`installer`: ([\d,]+) lines of C"),
                                 (("reader",), r"`reader`, ([\d,]+) lines")):
            said = re.search(pattern, text)
            lines = 0
            for name in source_files():
                if name.split("/")[0] in folders and name.endswith((".c", ".h", ".hpp")):
                    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
                        lines += file.read().count("\n")
            if not said or abs(int(said[1].replace(",", "")) - lines) > lines / 10:
                raise Problem(f"{page}: {' and '.join(folders)} have {lines} lines")


def check_first_screen(page):
    """Check that README.md has at most 200 lines, and the commands to try before line 40."""
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        lines = file.read().splitlines()
    if len(lines) > 200:
        raise Problem(f"{page}: {len(lines)} lines, more than 200")
    for command in "$ ./demo ", "$ ./test ":
        if not any(line.startswith(command) for line in lines[:39]):
            raise Problem(f"{page}: {command[2:]}is not before line 40")


def check_sources(architecture):
    """Check that comments refer only to pages and numbered decisions that exist."""
    decisions = {int(match[1]) for _, line in architecture.prose
                 if (match := re.match(r"## (\d+)\. ", line))}
    for name in source_files():
        if not name.endswith((".c", ".h", ".cmake", ".txt", ".sh", ".py", ".cpp", ".mc")):
            continue
        with open(os.path.join(SOURCE, name), encoding="utf-8", errors="replace") as file:
            text = file.read()
        # Remove the documents of Microsoft, which are named by repository and path.
        text = re.sub(r"\b(windows-driver-docs|win32|sdk-api|windows-itpro-docs)[,:]?[\s*]+[\w/-]+\.md", "", text)
        for target in set(re.findall(r"(?<![\w/%}-])\w[\w/-]*\.md\b", text)):
            folder = os.path.dirname(name)
            near = [os.path.join(SOURCE, folder, target), os.path.join(SOURCE, target),
                    os.path.join(SOURCE, "docs", target),
                    os.path.join(SOURCE, os.path.dirname(folder), target)]
            if not any(os.path.exists(path) for path in near):
                raise Problem(f"{name} refers to {target}, which is not there")
        for numbers in re.findall(r"\bdecisions? (\d[\d, and]*)", text):
            for number in re.findall(r"\d+", numbers):
                if int(number) not in decisions:
                    raise Problem(f"{name} refers to decision {number}, which "
                                  f"{architecture.name} does not have")


def check_tests(page):
    """Check that a page names only tests that exist: `test_NAME.c`, a script, or `fuzz_NAME.c`."""
    known = {re.sub(r"^test_|\.(c|cpp|py|sh)$", "", os.path.basename(name)) for name in source_files()
             if name.startswith("tests/")}
    named = re.findall(r"\((?:[^()]*, )?tests? ([^()]*)\)", " ".join(line for _, line in page.prose))
    for _, line in page.prose:
        cells = line.split(" | ")
        if line.startswith("|") and len(cells) == 4 and line.endswith(" |"):
            named.append(cells[3])
    for cell in named:
        for name in re.findall(r"`([\w-]+)`", cell):
            if name not in known:
                raise Problem(f"{page.name} names the test {name}, which is not there")
    if len(named) < 20:
        raise Problem(f"{page.name} names tests in {len(named)} places only")


def check_names(page_names):
    """Check that pages for our own programmers name only files and functions that exist."""
    names = list(source_files())
    ends = {"/".join(parts[i:]) for parts in (name.split("/") for name in names) for i in range(len(parts))}
    functions = {}
    for name in names:
        if name.endswith((".c", ".h")):
            with open(os.path.join(SOURCE, name), encoding="utf-8", errors="replace") as file:
                for function in set(re.findall(r"\b(\w+)\(", file.read())):
                    functions.setdefault(function, []).append(name)
    for page in page_names:
        with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
            text = re.sub(r"(?ms)^```.*?^```$", "", file.read())
        for name in re.findall(r"`([\w./-]+\.(?:c|h|py|txt|mc|gdb|natvis))`", text):
            if name not in ends | {"winperf.h"} and not name.startswith("_"):
                raise Problem(f"{page} names {name}, which is not there")
        for name in re.findall(r"`(\w+)\(\)`", text):
            if name not in functions:
                raise Problem(f"{page} names {name}(), which is not there")
        for name, place in re.findall(r"`(\w+)\(\)`\s+in\s+`([\w./-]+)`", text):
            if not any(f"/{path}".endswith(f"/{place}") for path in functions[name]):
                raise Problem(f"{page} says that {name}() is in {place}")


def check_help(pages, prfread):
    """Check the parts of prfread's help that the pages show."""
    for page in pages:
        for block, following in zip(page.blocks, page.blocks[1:]):
            words = block.text().split()
            if words[:2] != ["prfread", "-?"] or following.kind() != "output":
                continue
            found = subprocess.run([prfread, *words[1:]], stdout=subprocess.PIPE,
                                   encoding="utf-8", check=True).stdout
            if not matches(following.lines, found):
                raise Problem(f"{following.place()}: {block.text().strip()} prints\n{found}")


def check(prfread=None):
    """Check everything that needs neither a compiler nor Wine."""
    pages = {page.name: page for page in read_pages()}
    blocks = check_blocks(pages.values())
    links = sum(check_links(page, pages) for page in pages.values())
    for page in pages.values():
        check_indented(page)
    for name in source_files():
        if name.endswith(".md") and name not in pages:
            links += check_links(ProsePage(name), pages)
    check_reached(pages)
    check_presets(pages.values())
    check_sources(pages["docs/architecture.md"])
    check_promises(pages["docs/performance.md"])
    check_sizes(["README.md", "docs/architecture.md"])
    check_first_screen("README.md")
    check_tests(pages["docs/security-and-limits.md"])
    check_names(["CONTRIBUTING.md", "docs/architecture.md", "docs/debugging.md", "docs/map-bytes.md",
                 "docs/recipes.md", "docs/region-format.md", "docs/testing.md"])
    if prfread:
        check_help(pages.values(), prfread)
    print(f"{len(pages)} pages, {blocks} blocks, {UNTESTED} of them not tested, {links} links")


class ProsePage(Page):
    """A page whose blocks are not examples for users."""

    def _read(self, lines):
        inside = False
        for number, line in enumerate(lines, 1):
            if line.startswith("```"):
                inside = not inside
            elif not inside:
                self.prose.append((number, line))


# ---- extract ----


def extract(folder):
    """Write the files that the pages show."""
    for page in read_pages():
        where = os.path.join(folder, page.folder())
        os.makedirs(where)
        for block in page.blocks:
            if "file" in block.values and block.is_tested():
                path = os.path.join(where, block.values["file"])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(block.text())


# ---- build ----


def must_run(command, **options):
    """Run a command. Its output is shown if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
                          check=False, **options)
    if done.returncode != 0:
        raise Problem(f"{done.stdout}{shlex.join(command)}: exit code {done.returncode}")


class Builder:
    """Compiles the examples of pages for one system."""

    def __init__(self, folder, package, name, arguments):
        self.folder = folder
        self.package = package
        self.name = name
        self.arguments = arguments
        self.is_windows = any("TOOLCHAIN" in argument for argument in arguments)
        self.compiler = "x86_64-w64-mingw32-gcc" if self.is_windows else "gcc"
        self.count = 0

    def project(self, where):
        """Build a folder with a CMakeLists.txt."""
        build = os.path.join(where, "build-" + self.name)
        must_run(["cmake", "-S", where, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                  "-DCMAKE_PREFIX_PATH=" + self.package,
                  "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror", *self.arguments])
        must_run(["cmake", "--build", build])
        self.count += 1

    def compile(self, source, includes):
        """Compile one file of C and drop the result."""
        command = [self.compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unused",
                   "-fsyntax-only", "-I", os.path.join(self.package, "include")]
        for include in includes:
            command += ["-I", include]
        must_run(command + [source])
        self.count += 1

    def fragment(self, block):
        """Compile a block that is not a whole file."""
        where = os.path.join(self.folder, block.page.folder())
        source = os.path.join(where, f"line-{block.line}.c")
        prelude = os.path.join(SOURCE, "tests", "scripts", "documents",
                               block.page.folder() + ".h")
        text = "#include <prfdata/prfdata.h>\n"
        if self.is_windows:
            text += "#include <prfdata/install.h>\n"
        if os.path.exists(prelude):
            text += f'#include "{prelude}"\n'
        lines = f'#line {block.line + 1} "{block.page.name}"\n{block.text()}'
        if "body" in block.words:
            lines = f"void example(void);\nvoid example(void)\n{{\n{lines}}}\n"
        with open(source, "w", encoding="utf-8") as file:
            file.write(text + lines)
        self.compile(source, [where])

    def page(self, page):
        """Compile everything that a page shows."""
        where = os.path.join(self.folder, page.folder())
        projects = [os.path.dirname(os.path.join(where, block.values["file"]))
                    for block in page.blocks
                    if os.path.basename(block.values.get("file", "")) == "CMakeLists.txt"]
        # These are folders of samples/ that the page has copied.
        copies = {os.path.join(where, os.path.basename(os.path.dirname(block.values["same"])))
                  for block in page.blocks if "same" in block.values}
        projects += sorted(copy for copy in copies if os.path.exists(os.path.join(copy, "CMakeLists.txt")))
        for project in projects:
            self.project(project)
        for block in page.blocks:
            if block.language != "c" or not block.is_tested():
                continue
            if "windows" in block.words and not self.is_windows:
                continue
            path = os.path.join(where, block.values.get("file", ""))
            if block.kind() == "c":
                self.fragment(block)
            elif block.kind() == "file" and os.path.dirname(path) not in projects:
                self.compile(path, [])


def build(folder, package, name, *arguments):
    """Compile everything for one system."""
    builder = Builder(folder, package, name, arguments)
    for page in read_pages():
        builder.page(page)
    print(f"passed: {builder.count} examples of C compile ({name})")


# ---- run ----


def split_command(line):
    """Return the words of a command line as Windows' programs understand them.

    %USERNAME% becomes the name of this process's user. Wine's user has the same name.
    """
    line = line.replace("%USERNAME%", getpass.getuser())
    words = re.findall(r'(?:[^\s"]|"[^"]*")+', line)
    return [word.replace('"', "") for word in words]


def matches(expected, found):
    """Return whether lines are as expected. "..." stands for anything."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + "\n"
    text = "".join(line.rstrip() + "\n" for line in found.replace("\r", "").splitlines())
    return re.fullmatch(pattern, SLOWNESS.sub("", text)) is not None


def output_file(words):
    """Return the file that a command writes, or None."""
    for option, value in zip(words, words[1:]):
        if option.lower() in ("-o", "-save"):
            return value
    return None


class Runner:
    """Runs the commands of pages."""

    def __init__(self, folder):
        self.folder = folder
        self.wine = os.environ.get("WINE", "")
        self.programs = {}
        self.count = 0
        self.background = []
        # A program replaces one with the same name from an earlier place, so a program that
        # README.md's commands have built is used instead of the one in build/mingw/bin.
        for place in (os.path.join(SOURCE, "build", "mingw", "bin"), folder,
                      os.path.join(folder, "README", "build")):
            for where, folders, names in os.walk(place):
                folders.sort()
                for name in names:
                    if name.endswith(".exe"):
                        self.programs[name[:-4].lower()] = os.path.join(where, name)

    def where(self, page):
        """Return the folder where a page's commands run."""
        return os.path.join(self.folder, page.folder())

    def windows_command(self, block, line):
        """Return the command that starts a Windows program."""
        name, *arguments = split_command(line)
        if name.lower() == "reg":
            return [self.wine, "reg.exe", *arguments, "/f"]
        if name.lower() == "net":
            return [self.wine, "net.exe", *arguments]
        path = self.programs.get(name.lower())
        if path is None:
            raise Problem(f"{block.place()}: no program {name} here; should the block say "
                          f'untested="..."?')
        return [self.wine, path, *arguments]

    def command(self, block, line):
        """Return the command for a line."""
        if block.language == "bat":
            return self.windows_command(block, line)
        return ["bash", "-euo", "pipefail", "-c", line]

    def run(self, block, line):
        """Run a command to its end. Returns exit code and everything that it printed."""
        said = os.path.join(self.folder, "said")
        with open(said, "wb") as file:  # no pipe: Wine's services would hold it open
            code = subprocess.run(self.command(block, line), cwd=self.where(block.page),
                                  stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                  timeout=10 * LIMIT_S, check=False).returncode
        with open(said, encoding="utf-8", errors="replace") as file:
            return code, file.read()

    def problem_of(self, block, line, has_output):
        """Run a command. Returns (its fault or None, its output)."""
        code, said = self.run(block, line)
        written = output_file(split_command(line)) if block.language == "bat" else None
        if code != block.exit_code():
            return f"exit code {code} instead of {block.exit_code()}", said
        if written:
            path = os.path.join(self.where(block.page), written)
            if not os.path.exists(path) or os.path.getsize(path) == 0:
                return f"it wrote no {written}", said
        elif block.language == "bat" and not has_output and not SUBJECT.search(said):
            if split_command(line)[0].lower() != "reg":
                return "it prints nothing about the example", said
        return None, said

    def commands(self, block, expected):
        """Run a block's commands. `expected` is the block with their output, or None."""
        deadline = time.monotonic() + LIMIT_S
        while True:
            text = ""
            problem = None
            for line in block.commands():
                problem, said = self.problem_of(block, line, expected is not None)
                text += said
                if problem:
                    problem = f"{line}: {problem}"
                    break
            if not problem and expected and not matches(expected.lines, text):
                problem = f"it is not what {expected.place()} says"
            if not problem:
                break
            # A program in the background may not be ready.
            if not self.background or time.monotonic() > deadline:
                raise Problem(f"{block.place()}: {problem}\n{text}")
            time.sleep(0.1)
        self.count += len(block.commands())

    def start(self, block):
        """Start a program that runs until the end of the page."""
        for line in block.commands():
            self.background.append(subprocess.Popen(
                self.command(block, line), cwd=self.where(block.page), stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            self.count += 1

    def end_background(self, page):
        """End the programs that run with the page."""
        while self.background:
            process = self.background.pop()
            process.stdin.close()
            code = process.wait(LIMIT_S)
            if code != 0:
                raise Problem(f"{page.name}: a program in the background ended with {code}")

    def kill_background(self):
        """End the programs in the background after a failure."""
        for process in self.background:
            process.kill()
            process.wait()

    def until_stopped(self, block):
        """Start a program that would continue to run, wait until it has done something, and stop it."""
        for line in block.commands():
            words = split_command(line)
            if "-top" in words:
                self.on_terminal(block, line)
            else:
                self.stop_when(block, line, words)
            self.count += 1

    def on_terminal(self, block, line):
        """Run a live view on a terminal."""
        sys.path.insert(0, os.path.join(SOURCE, "tests", "support", "scripts"))
        from screen import Screen  # pylint: disable=import-outside-toplevel

        with Screen(self.command(block, line)) as screen:
            screen.wait_for(lambda s: SUBJECT.search(s.text()), line)
            screen.press("q")
            code = screen.wait_for_end()
        if code != block.exit_code():
            raise Problem(f"{block.place()}: {line}: exit code {code}")

    def stop_when(self, block, line, words):
        """Run a program that serves or writes repeatedly, and stop it when it has done so."""
        said = os.path.join(self.folder, "said")
        written = output_file(words)
        deadline = time.monotonic() + LIMIT_S
        with open(said, "wb") as file:
            process = subprocess.Popen(self.command(block, line), cwd=self.where(block.page),
                                       stdin=subprocess.DEVNULL, stdout=file, stderr=file)
        try:
            while not self.has_done_something(block, said, written):
                if process.poll() is not None or time.monotonic() > deadline:
                    with open(said, encoding="utf-8", errors="replace") as file:
                        raise Problem(f"{block.place()}: {line}: nothing came of it\n{file.read()}")
                time.sleep(0.05)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def has_done_something(self, block, said, written):
        """Return whether the program serves, has written its file, or has printed."""
        with open(said, encoding="utf-8", errors="replace") as file:
            text = file.read()
        serves = re.search(r"http://\S+/metrics", text)
        if serves:
            with urllib.request.urlopen(serves[0].replace("0.0.0.0", "127.0.0.1")) as answer:
                return SUBJECT.search(answer.read().decode()) is not None
        if written:
            path = os.path.join(self.where(block.page), written)
            return os.path.exists(path) and os.path.getsize(path) > 0
        return SUBJECT.search(text) is not None

    def page(self, page, wanted):
        """Run those commands of a page that are wanted."""
        for block, following in zip(page.blocks, page.blocks[1:] + [None]):
            if block.kind() != "commands" or not wanted(block):
                continue
            if "background" in block.words:
                self.start(block)
            elif "until-stopped" in block.words:
                self.until_stopped(block)
            else:
                is_output = following is not None and following.kind() == "output"
                self.commands(block, following if is_output else None)
        self.end_background(page)


def is_uninstall(block):
    """Return whether the block removes something that other commands need."""
    return any("-uninstall" in line.lower() for line in block.commands())


def run(folder, what):
    """Run commands of all pages."""
    runner = Runner(folder)
    try:
        for page in read_pages():
            builds = page.name == "README.md"

            def wanted(block, builds=builds):
                if builds and block.language == "sh":
                    return what == "build"
                return what == ("uninstall" if is_uninstall(block) else "pages")

            runner.page(page, wanted)
    finally:
        runner.kill_background()
    print(f"passed: {runner.count} commands ({what})")


def main():
    """Run the command of the first argument."""
    tasks = {"check": check, "extract": extract, "build": build, "run": run}
    try:
        tasks[sys.argv[1]](*sys.argv[2:])
    except Problem as problem:
        print(f"FAILED: {problem}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

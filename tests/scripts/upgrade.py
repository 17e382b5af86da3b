#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests two versions of a product under Wine, with real programs and installers. 53-upgrade.sh runs
this.

    upgrade.py transcript   run the `text transcript` blocks of docs/upgrading.md, and compare the
                            results with the page
    upgrade.py alternate    install the two versions in turn, ten times in total (fewer with
                            PRFDATA_TEST_ONE_OF), while programs of both run, count and are killed,
                            and one reader reads all the time

The versions are in C:\\Program Files\\Queues 1 and 2, the readers in C:\\prfdata\\upgrade. A prompt
in a transcript is `C:\\FOLDER>`. A command is a program, `start /b`, `type` or `echo
%errorlevel%`. A command that prints values is repeated until its output agrees with the page,
because a reader refreshes once a second.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from documents import LIMIT_S, Page, Problem, matches, split_command

PROMPT = re.compile(r"(C:\\[^>]*)> (.+)")
ROUNDS = max(4, 10 // int(os.environ.get("PRFDATA_TEST_ONE_OF", "1")))
SERVICE = "MyService"
DRIVE = os.path.join(os.environ["WINEPREFIX"], "drive_c")
TOOLS = "C:\\prfdata\\upgrade"
REPEATED = ("prfread", "type")


def unix_path(path):
    """Return the file that Wine shows as C:\\..."""
    return os.path.join(DRIVE, *path.split("\\")[1:])


class Machine:
    """Runs Windows programs, and at the end stops those that still run."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="prfdata-upgrade.")
        self.background = []
        self.count = 0

    def command(self, where, words):
        """Return the command that starts a program of this folder, or a reader."""
        for folder in (where, TOOLS):
            path = os.path.join(unix_path(folder), words[0] + ".exe")
            if os.path.exists(path):
                return [os.environ["WINE"], path, *words[1:]]
        return [os.environ["WINE"], words[0] + ".exe", *words[1:]]

    def output(self):
        """Return the name of a new file. A pipe is not used, because Wine's services would hold it open."""
        self.count += 1
        return os.path.join(self.folder, str(self.count))

    def run(self, where, words):
        """Run a program to its end. Returns its exit code and its output."""
        name = self.output()
        with open(name, "wb") as file:
            code = subprocess.run(self.command(where, words), cwd=unix_path(where),
                                  stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                  timeout=LIMIT_S, check=False).returncode
        return code, text_of(name)

    def start(self, where, words, name=None):
        """Start a program that continues to run. Returns its process and the file of its output."""
        name = name or self.output()
        with open(name, "wb") as file:
            process = subprocess.Popen(self.command(where, words), cwd=unix_path(where),
                                       stdin=subprocess.PIPE, stdout=file, stderr=file)
        self.background.append(process)
        return process, name

    def stop(self):
        """End the programs that still run."""
        for process in self.background:
            process.kill()
            process.wait()


def text_of(name):
    """Return the text of a file that is still being written."""
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read().replace("\r", "")


def wait_for(condition, what):
    """Wait until the condition returns something."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise Problem(what())
        time.sleep(0.02)


# ---- The transcript ----


class Console:
    """The console of the page."""

    def __init__(self, machine):
        self.machine = machine
        self.files = {}
        self.code = 0
        self.commands = 0

    def start(self, where, words, expected):
        """Run start /b, and wait for output. If no file gets the output, compare it with the page."""
        shown = words.index(">") if ">" in words else len(words)
        process, name = self.machine.start(where, words[:shown])
        for file in words[shown + 1:]:
            self.files[file] = name
        wait_for(lambda: text_of(name) or process.poll() is not None,
                 lambda: f"{words} prints nothing")
        if shown == len(words):
            wait_for(lambda: matches(expected, text_of(name)),
                     lambda: f"it prints:\n{text_of(name)}")

    def once(self, where, words):
        """Run once, and return the output."""
        if words[:2] == ["echo", "%errorlevel%"]:
            return f"{self.code}\n"
        if words[0] == "type":
            return text_of(self.files[words[1]])
        self.code, said = self.machine.run(where, words)
        return said

    def check(self, place, where, line, expected):
        """Run one command and compare it with the page."""
        words = split_command(line)
        self.commands += 1
        if words[:2] == ["start", "/b"]:
            self.start(where, words[2:], expected)
            return
        deadline = time.monotonic() + (LIMIT_S if words[0] in REPEATED else 0)
        while not matches(expected, said := self.once(where, words).lstrip("\n")):
            if time.monotonic() > deadline:
                raise Problem(f"{place}: {line}: it prints\n{said}")
            time.sleep(0.1)


def commands_of(block):
    """Return (folder, command, lines that it prints) of a transcript."""
    found = []
    for line in block.lines:
        prompt = PROMPT.fullmatch(line)
        if prompt:
            found.append((prompt[1], prompt[2], []))
        elif line.strip() or found:
            found[-1][2].append(line)
    for _, _, expected in found:
        while expected and not expected[-1].strip():
            expected.pop()
    return found


def transcript(machine):
    """Run all transcripts of the page, one after the other."""
    console = Console(machine)
    blocks = [block for block in Page("docs/upgrading.md").blocks if block.kind() == "transcript"]
    for block in blocks:
        for where, line, expected in commands_of(block):
            console.check(block.place(), where, line, expected)
    if console.commands == 0:
        raise Problem("docs/upgrading.md has no transcript")
    print(f"passed: {console.commands} commands of docs/upgrading.md in {len(blocks)} transcripts")


# ---- Alternating ----


class Versions:
    """The two versions, their running programs, and the sum of all counts."""

    def __init__(self, machine):
        self.machine = machine
        self.running = []  # (version, name of the queue, process id)
        self.total = 0
        self.started = 0

    def must(self, version, *words):
        """Run a program of a version, which must succeed. Return its output."""
        code, said = self.machine.run(f"C:\\Program Files\\Queues {version}", words)
        if code != 0:
            raise Problem(f"{' '.join(words)} of version {version}: exit code {code}\n{said}")
        return said

    def start(self, version):
        """Start a program that counts and continues to run. Every second program takes a queue's name
        that an earlier program may have had."""
        self.started += 1
        name = f"q{self.started}" if self.started % 2 else f"again{self.started % 4}"
        if any(name == other for _, other, _ in self.running):
            name = f"q{self.started}"
        jobs = 1000 + self.started
        process, output = self.machine.start(f"C:\\Program Files\\Queues {version}",
                                             ["queues", name, str(jobs), "stay"])
        line = wait_for(lambda: re.search(r"process (\d+)\n", text_of(output)) or process.poll(),
                        lambda: f"version {version} does not count: {text_of(output)}")
        if not isinstance(line, re.Match):
            raise Problem(f"a program of version {version} ended: {text_of(output)}")
        self.total += jobs
        self.running.append((version, name, line[1]))

    def more(self):
        """Let every running program count."""
        for version, name, _ in self.running:
            self.must(version, "queues", name, "more", "7")
            self.total += 7

    def kill(self, index):
        """End a program with taskkill /f, which calls TerminateProcess."""
        version, _, process_id = self.running.pop(index)
        self.must(version, "taskkill", "/f", "/pid", process_id)

    def install_while_they_count(self, version):
        """Install while all programs count."""
        process, output = self.machine.start(f"C:\\Program Files\\Queues {version}",
                                             ["queues_installer", "-Install"])
        self.more()
        if process.wait(LIMIT_S) != 0:
            raise Problem(f"-Install of version {version}: {text_of(output)}")


class Watch:
    """The reader that runs all the time."""

    def __init__(self, machine):
        self.process, self.output = machine.start(TOOLS, ["watch", SERVICE])
        wait_for(lambda: text_of(self.output), lambda: "the reader does not begin")

    def expect(self, total):
        """Check that the reader reaches the total, and does not exceed it."""
        try:
            self.process.stdin.write(f"{total}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, and said why
        wait_for(lambda: f"\n{total}\n" in text_of(self.output) or self.process.poll() is not None,
                 lambda: f"the reader does not reach {total}: {text_of(self.output)}")
        if self.process.poll() is not None:
            raise Problem(f"the reader ended, of {total}:\n{text_of(self.output)}")

    def end(self):
        """End the reader, and return its output."""
        self.process.stdin.close()
        if self.process.wait(LIMIT_S) != 0:
            raise Problem(f"the reader: {text_of(self.output)}")
        return text_of(self.output)


def alternate(machine):
    """Make ROUNDS installations, the versions in turn."""
    versions = Versions(machine)
    versions.must(1, "queues_installer", "-Install", "-Writers", "Users")
    watch = Watch(machine)
    versions.start(1)
    watch.expect(versions.total)
    for turn in range(ROUNDS):
        version = 2 - turn % 2
        versions.install_while_they_count(version)
        versions.start(version)
        versions.start(3 - version)
        versions.kill(turn % len(versions.running))
        versions.must(3 - version, "queues_installer", "-Uninstall")
        versions.more()
        watch.expect(versions.total)
    if {version for version, _, _ in versions.running} != {1, 2}:
        raise Problem("programs of both versions should run")
    while versions.running:
        versions.kill(0)
    watch.expect(versions.total)
    said = watch.end()
    versions.must(1, "queues_installer", "-Uninstall")
    print(said, end="")
    print(f"passed: {ROUNDS} installations in turn, {versions.started} programs, "
          f"{versions.total} jobs")


def main():
    """Run the command of the argument."""
    machine = Machine()
    try:
        {"transcript": transcript, "alternate": alternate}[sys.argv[1]](machine)
    except Problem as problem:
        print(f"FAILED: {problem}")
        return 1
    finally:
        machine.stop()
        subprocess.run(["rm", "-rf", machine.folder], check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests titles during upgrades under Wine. 53-upgrade.sh runs this.

    labels.py [SEED]

Installs versions of a map one after the other, forwards and back. It uses -Force, because an id may
change its meaning. Sometimes it uninstalls the former version first, and another product comes and
goes, so that indexes move. Readers run all the time: prfread with rows, with JSON, with -top and
with -serve; prfview, if there is a display; and readers that load titles and DLL once
(tests/upgrade/labels.c). prfread reads the system, the DLL or regions. The value of a counter says
which id the counter has. No reader may show a value under a name that its id never had. prfread and
prfview must show all current names soon after each step. tests/reader/paths/test_requests.c checks
that new names are shown within two seconds.
"""
import csv
import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

from documents import LIMIT_S, Problem
from upgrade import Machine, text_of, unix_path, wait_for

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "support", "scripts"))
try:
    from screen import Screen
except ImportError:  # python3-pyte is a package of ./test all
    Screen = None

SERVICE = "LabelService"
TOOLS = "C:\\prfdata\\upgrade"
STEPS = max(4, 14 // int(os.environ.get("PRFDATA_TEST_ONE_OF", "1")))
SOON_S = 20  # for a busy machine; the time that it took is printed

# {version: {object: [its counters]}}. An object is (id, name), and a counter is (id, name, type,
# whether it accumulates).
GAUGE = "PERF_COUNTER_LARGE_RAWCOUNT"
VERSIONS = {
    1: {(100, "Sessions"): [(101, "Alpha", GAUGE, False), (102, "Bravo", GAUGE, False),
                            (103, "Charlie", GAUGE, False)],
        (200, "Workers"): [(201, "Delta", GAUGE, False)]},
    2: {(300, "Caches"): [(301, "Foxtrot", GAUGE, False)],
        (100, "Sessions"): [(104, "Echo", GAUGE, False), (102, "Beta", GAUGE, False),
                            (103, "Charlie", GAUGE, False)]},
    3: {(100, "Sessions"): [(105, "Golf", GAUGE, False), (101, "Alpha", GAUGE, False),
                            (102, "Bravo", GAUGE, False), (103, "Charly", GAUGE, True),
                            (104, "Echo", "PERF_COUNTER_RAWCOUNT", False)],
        (200, "Workers"): [(202, "Hotel", GAUGE, False), (201, "Delta", GAUGE, False)]},
}


def value_of(counter):
    """Return the value that labels.c publishes for a counter."""
    return counter[0] * 1000 + (500 if counter[3] else 0)


def map_file(version):
    """Return the map file of a version."""
    lines = ["[info]", f"drivername={SERVICE}"]
    for (number, name), counters in VERSIONS[version].items():
        lines += ["", f"[object OBJECT_{number}]", f"id={number}", f"name={name}", "help=Help."]
        for ident, counter, kind, accumulates in counters:
            lines += ["", f"[counter COUNTER_{ident}]", f"id={ident}", f"name={counter}",
                      "help=Help.", f"type={kind}",
                      "accumulating=yes" if accumulates else "merge_max=yes"]
    return "\n".join(lines) + "\n"


def all_counters():
    """Return the counters of all versions."""
    return [counter for objects in VERSIONS.values() for counters in objects.values()
            for counter in counters]


# For each published value, the names under which a reader may show it: all names that a counter with
# this value has in some version.
NAMES = {}
for item in all_counters():
    NAMES.setdefault(value_of(item), set()).add(item[1])


def expected(version, wanted_object=None):
    """Return {name: value} of all counters of a version, or of one object in it."""
    return {counter[1]: value_of(counter) for (_, name), counters in VERSIONS[version].items()
            if wanted_object in (None, name) for counter in counters}


def check_label(who, label, value):
    """Fail if a value has a name that it never had."""
    if value not in NAMES or label not in NAMES[value]:
        raise Problem(f"{who} shows {value}, which is {NAMES.get(value, 'nobody')}, as {label}")


class Reader:
    """One of our readers, which continues to run."""

    def __init__(self, who, process, name):
        self.who = who
        self.process = process
        self.name = name  # the name of the file with its output
        self.checked = 0

    def has_ended(self):
        """Return whether the program has ended."""
        return self.process.poll() is not None

    def said(self):
        """Return the end of the reader's output."""
        return text_of(self.name)[-2000:]

    def died(self, what):
        """Return the text of a failure, with the output of the reader."""
        return f"{self.who} {what}: {self.said()}"

    def wanted(self, version):
        """Return what this reader must show of a version."""
        return expected(version)

    def check(self, shown):
        """Check and return what this reader shows now, {name: value}. 0 identifies no counter, so it is not checked."""
        for name, value in shown.items():
            if value != 0:
                check_label(self.who, name, value)
                self.checked += 1
        return shown


class Rows(Reader):
    """prfread that prints a row each second."""

    def __init__(self, machine, *source):
        super().__init__("prfread " + " ".join(source), *machine.start(
            TOOLS, ["prfread", *source, f"service:{SERVICE}", "-si", "1"]))
        wait_for(lambda: "PDH-CSV" in text_of(self.name), lambda: self.died("prints nothing"))

    def newest(self):
        """Check all rows. Returns the content of the last one, or {} if there is no row yet."""
        heading, shown = [], {}
        self.checked = 0
        for row in csv.reader(text_of(self.name).split("\n")[:-1]):
            if row and row[0].startswith("(PDH-CSV"):
                heading = [name.rsplit("\\", 1)[-1] for name in row[1:]]
            elif heading and len(row) >= 2 and re.match(r"\d\d/\d\d/\d{4} ", row[0]):
                values = [text.strip() for text in row[1:]]
                shown = self.check({name: int(float(text)) for name, text in zip(heading, values)
                                    if text not in ("", "-1")})
        return shown


class Json(Reader):
    """prfread that prints a JSON object each second."""

    def __init__(self, machine):
        super().__init__("prfread -f JSON", *machine.start(
            TOOLS, ["prfread", "-f", "JSON", f"service:{SERVICE}", "-si", "1"]))
        wait_for(lambda: "CounterSamples" in text_of(self.name),
                 lambda: self.died("prints nothing"))

    def newest(self):
        """Check all lines. Returns the content of the last one."""
        shown = {}
        self.checked = 0
        for line in text_of(self.name).split("\n")[:-1]:
            if line.startswith("{"):
                shown = self.check({sample["Path"].rsplit("\\", 1)[-1]: int(sample["CookedValue"])
                                    for sample in json.loads(line)["CounterSamples"]
                                    if sample.get("CookedValue") is not None})
        return shown


class Top(Reader):
    """prfread -top on a terminal."""

    def __init__(self, machine):
        self.screen = Screen(machine.command(
            TOOLS, ["prfread", "-top", f"service:{SERVICE}", "-si", "0.5"]), 120, 40)
        super().__init__("prfread -top", None, None)
        self.screen.wait_for_text("q quit")

    def has_ended(self):
        """Return whether the program has closed the terminal."""
        return self.screen.exit_code is not None

    def said(self):
        """Return the text of the screen."""
        return self.screen.text()

    def newest(self):
        """Check the rows of the screen. Returns {name: newest value}."""
        if not self.screen.pump():
            self.screen.exit_code = 0
        shown = {}
        for line in self.screen.lines():
            match = re.match(r"\\\w+\\(\w+) +([\d,]+)(?: |$)", line)
            if match:
                shown[match[1]] = int(match[2].replace(",", ""))
        return self.check(shown)

    def end(self):
        """Close the terminal."""
        self.screen.__exit__()


class View(Reader):
    """prfview's table of the object Sessions."""

    TABLE = "5"

    def __init__(self, machine):
        self.machine = machine
        self.seen = ""
        super().__init__("prfview", *machine.start(TOOLS, ["prfview", "Sessions"]))
        self.drive("expect status Live")

    def drive(self, command):
        """Let the driver execute a command. Returns its output."""
        done = subprocess.run(self.machine.command(TOOLS, ["window-driver", "prfview"]),
                              input=command + "\n", capture_output=True, text=True,
                              timeout=LIMIT_S, check=False)
        if done.returncode != 0:
            raise Problem(f"prfview: {command}: {done.stdout}{done.stderr[-500:]}\n{self.said()}")
        return done.stdout

    def said(self):
        """Return the text of the table, and of a crash."""
        return self.seen + super().said()

    def wanted(self, version):
        """Return the counters of one object."""
        return expected(version, "Sessions")

    def newest(self):
        """Return the rows of the table: a counter and its value."""
        text = self.drive("dump " + self.TABLE).replace("\r", "")
        self.seen = text
        return self.check({match[1]: int(match[2].replace(",", ""))
                           for match in re.finditer(r"^\d+:(\w+)\|([\d,]+)\|", text, re.M)})


class Scrapes(Reader):
    """prfread -serve, and a client that scrapes it."""

    def __init__(self, machine):
        super().__init__("prfread -serve", *machine.start(
            TOOLS, ["prfread", "-dll", SERVICE, "-serve", "127.0.0.1:0", f"service:{SERVICE}"]))
        self.changes = 0
        match = wait_for(lambda: re.search(r"http://127\.0\.0\.1:\d+/metrics", text_of(self.name)),
                         lambda: f"-serve does not begin: {text_of(self.name)}")
        self.url = match[0]

    def newest(self):
        """Check one scrape. Returns {name: value}. The help text of a metric ends with the counter's path."""
        try:
            with urllib.request.urlopen(self.url, timeout=30) as answer:
                text = answer.read().decode()
        except urllib.error.URLError:  # 503 while nothing is installed
            return {}
        shown = {}
        self.changes = int(re.search(r"^prfread_title_changes (\d+)", text, re.M)[1])
        for match in re.finditer(r"^# HELP (\S+) .*\\\\(\w+)\n\1(?:_total)? (\S+)$", text,
                                 re.M):
            if float(match[3]) != 0:
                shown[match[2]] = int(float(match[3]))
        return self.check(shown)


class Play:
    """The installations."""

    def __init__(self, machine, seed):
        self.machine = machine
        self.random = random.Random(seed)
        self.version = 0
        self.has_other = False
        self.published = {}  # by version: its program
        self.once = []
        self.slowest = 0.0
        for version in VERSIONS:
            with open(unix_path(f"{TOOLS}\\v{version}.prfmap"), "w", encoding="utf-8") as file:
                file.write(map_file(version))
        with open(unix_path(f"{TOOLS}\\other.prfmap"), "w", encoding="utf-8") as file:
            file.write(map_file(1).replace(SERVICE, "LabelOther").replace("Alpha", "Theirs")
                       # Otherwise two services would have an object Sessions, and prfview could
                       # show either object for a path with this name.
                       .replace("Sessions", "Guests"))

    def installer(self, *words):
        """Run prfinstall. It must succeed, or have left only files in use."""
        code, said = self.machine.run(TOOLS, ["prfinstall", *words])
        if code not in (0, 4):
            raise Problem(f"prfinstall {' '.join(words)}: exit code {code}\n{said}")

    def install(self, version):
        """Install with -Force, because an id may change its meaning, and start a program of this
        version if none has started.
        """
        self.installer("-Install", "-Force", "-Writers", "Users", "-Map", f"v{version}.prfmap")
        self.version = version
        if version not in self.published:
            process, name = self.machine.start(TOOLS,
                                               ["labels", "publish", f"v{version}.prfmap"])
            wait_for(lambda: "published" in text_of(name), lambda: text_of(name))
            self.published[version] = process

    def step(self):
        """Install another version over the former one, or after the former one was removed."""
        if self.random.random() < 0.3:
            self.has_other = not self.has_other
            self.installer("-Install" if self.has_other else "-Uninstall", "-Map", "other.prfmap")
        if self.random.random() < 0.35:
            for program in self.published.values():
                program.kill()
                program.wait()
            self.published.clear()
            self.installer("-Uninstall", "-Any", "-Map", f"v{self.version}.prfmap")
            if self.random.random() < 0.5:
                self.has_other = not self.has_other
                self.installer("-Install" if self.has_other else "-Uninstall",
                               "-Map", "other.prfmap")
        self.install(self.random.choice([v for v in VERSIONS if v != self.version]))

    def begin_reader(self):
        """Start a reader that loads the current titles once."""
        process, name = self.machine.start(TOOLS, ["labels", "once", SERVICE])
        wait_for(lambda: "reads" in text_of(name) or process.poll() is not None,
                 lambda: "the reader that reads once does not begin")
        self.once.append((process, name))

    def wait_for_names(self, readers):
        """Wait until each of our readers shows exactly the installed counters."""
        began = time.monotonic()
        for reader in readers:
            wanted = reader.wanted(self.version)
            shown = {}
            while not all(shown.get(name) in (value, 0) and name in shown
                          for name, value in wanted.items()):
                shown = reader.newest()
                if reader.has_ended():
                    raise Problem(reader.died("ended"))
                if time.monotonic() - began > SOON_S:
                    raise Problem(f"{reader.died('shows')}\n{shown}\nand not {wanted}")
                time.sleep(0.1)
        self.slowest = max(self.slowest, time.monotonic() - began)

    def end_readers(self):
        """Check what the readers that load titles once have seen."""
        values = 0
        for process, name in self.once:
            process.stdin.close()
            process.wait(LIMIT_S)
            said = re.search(r"(\d+) values, 0 wrong\n$", text_of(name))
            if process.returncode != 0 or not said:
                raise Problem(f"a reader that loads titles once: {text_of(name)[-2000:]}")
            values += int(said[1])
        return values


def play(machine, seed):
    """Take all steps, and check what the readers show."""
    game = Play(machine, seed)
    game.install(1)
    game.begin_reader()
    scrapes = Scrapes(machine)
    readers = [Rows(machine), Rows(machine, "-dll", SERVICE), Rows(machine, "-regions", SERVICE),
               Json(machine), scrapes]
    top = Top(machine) if Screen else None
    readers += [top] if top else []
    view = View(machine) if os.environ.get("DISPLAY") else None
    readers += [view] if view else []
    game.wait_for_names(readers)
    for version in (2, 1, 3):
        game.install(version)
        game.wait_for_names(readers)
        game.begin_reader()
    for _ in range(STEPS):
        game.step()
        if not game.published:
            raise Problem("nobody publishes")
        game.wait_for_names(readers)
        game.begin_reader()
    values = game.end_readers()
    if top:
        top.end()
    if scrapes.changes == 0:
        raise Problem("-serve does not say that names have changed")
    game.installer("-Uninstall", "-Any", "-Map", "v1.prfmap")
    if game.has_other:
        game.installer("-Uninstall", "-Map", "other.prfmap")
    print(f"passed: {STEPS + 4} installations, {len(game.once)} readers that load titles once "
          f"({values} values), ours ({sum(r.checked for r in readers)} values) right after "
          f"{game.slowest:.1f} s at most; seed {seed}; "
          f"{', '.join(reader.who.strip() for reader in readers)}")


def main():
    """Run with the seed of the argument."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    machine = Machine()
    try:
        play(machine, seed)
    except Problem as problem:
        print(f"FAILED (seed {seed}): {problem}")
        return 1
    finally:
        machine.stop()
        subprocess.run(["rm", "-rf", machine.folder], check=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())

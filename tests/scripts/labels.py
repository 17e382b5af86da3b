#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Titles over upgrades under Wine: 53-upgrade.sh runs this.

    labels.py [SEED]

Installs versions of a map one after the other, forwards and back, with -Uninstall between, with
-Force where an id changes its meaning, and with another product that comes and goes, so that
indexes move. All the while readers run: prfread with rows and with -serve, through the DLL and
through regions, and ones that load titles and DLL once (tests/upgrade/labels.c). Each counter's
value says which id it is: no reader may show it under a name that this id never had, and ours must
show all names of now soon after each step.
"""
import csv
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

SERVICE = "LabelService"
TOOLS = "C:\\prfdata\\upgrade"
STEPS = 14
SOON_S = 20  # on a busy machine; what it took is printed

# version: object: (id, name), counters: (id, name, type, accumulates)
GAUGE = "PERF_COUNTER_LARGE_RAWCOUNT"
VERSIONS = {
    1: {(100, "Sessions"): [(101, "Alpha", GAUGE, False), (102, "Bravo", GAUGE, False),
                            (103, "Charlie", GAUGE, False)],
        (200, "Workers"): [(201, "Delta", GAUGE, False)]},
    2: {(300, "Caches"): [(301, "Foxtrot", GAUGE, False)],
        (100, "Sessions"): [(104, "Echo", GAUGE, False), (102, "Beta", GAUGE, False),
                            (103, "Charlie", GAUGE, False)]},
    # 103 accumulates, and 104 has another type.
    3: {(100, "Sessions"): [(105, "Golf", GAUGE, False), (101, "Alpha", GAUGE, False),
                            (102, "Bravo", GAUGE, False), (103, "Charly", GAUGE, True),
                            (104, "Echo", "PERF_COUNTER_RAWCOUNT", False)],
        (200, "Workers"): [(202, "Hotel", GAUGE, False), (201, "Delta", GAUGE, False)]},
}


def value_of(counter):
    """What labels.c publishes for it."""
    return counter[0] * 1000 + (500 if counter[3] else 0)


def map_file(version):
    """The map file of a version."""
    lines = ["[info]", f"drivername={SERVICE}"]
    for (number, name), counters in VERSIONS[version].items():
        lines += ["", f"[object OBJECT_{number}]", f"id={number}", f"name={name}", "help=Help."]
        for ident, counter, kind, accumulates in counters:
            lines += ["", f"[counter COUNTER_{ident}]", f"id={ident}", f"name={counter}",
                      "help=Help.", f"type={kind}",
                      "accumulating=yes" if accumulates else "merge_max=yes"]
    return "\n".join(lines) + "\n"


def all_counters():
    """Of all versions."""
    return [counter for objects in VERSIONS.values() for counters in objects.values()
            for counter in counters]


# The names that a value may have: those of its id, in any version.
NAMES = {}
for item in all_counters():
    NAMES.setdefault(value_of(item), set()).add(item[1])


def expected(version):
    """name: value of all counters of a version."""
    return {counter[1]: value_of(counter) for counters in VERSIONS[version].values()
            for counter in counters}


def check_label(who, label, value):
    """A value under a name that it never had is what must not be."""
    if value not in NAMES or label not in NAMES[value]:
        raise Problem(f"{who} shows {value}, which is {NAMES.get(value, 'nobody')}, as {label}")


class Rows:
    """prfread that prints a row each second."""

    def __init__(self, machine, *source):
        self.who = "prfread " + " ".join(source)
        self.process, self.name = machine.start(
            TOOLS, ["prfread", *source, f"service:{SERVICE}", "-si", "1"])
        self.checked = 0
        wait_for(lambda: "PDH-CSV" in text_of(self.name), lambda: self.died("prints nothing"))

    def died(self, what):
        """With what it said."""
        return f"{self.who} {what}: {text_of(self.name)[-2000:]}"

    def newest(self):
        """Check all rows. Returns what the last one shows; {}: no row yet."""
        heading, shown = [], {}
        self.checked = 0
        for row in csv.reader(text_of(self.name).split("\n")[:-1]):
            if row and row[0].startswith("(PDH-CSV"):
                heading = [name.rsplit("\\", 1)[-1] for name in row[1:]]
            elif heading and len(row) >= 2 and re.match(r"\d\d/\d\d/\d{4} ", row[0]):
                values = [text.strip() for text in row[1:]]
                shown = {name: int(float(text)) for name, text in zip(heading, values)
                         if text not in ("", "-1")}
                for name, value in shown.items():
                    if value != 0:
                        check_label(self.who, name, value)
                        self.checked += 1
        return shown


class Scrapes:
    """prfread -serve, and who scrapes it."""

    def __init__(self, machine):
        self.who = "prfread -serve"
        self.process, self.name = machine.start(
            TOOLS, ["prfread", "-dll", SERVICE, "-serve", "127.0.0.1:0", f"service:{SERVICE}"])
        self.checked = 0
        self.changes = 0
        match = wait_for(lambda: re.search(r"http://127\.0\.0\.1:\d+/metrics", text_of(self.name)),
                         lambda: f"-serve does not begin: {text_of(self.name)}")
        self.url = match[0]

    def newest(self):
        """One scrape. The help text of a metric ends with the counter's path and index."""
        try:
            with urllib.request.urlopen(self.url, timeout=30) as answer:
                text = answer.read().decode()
        except urllib.error.URLError:  # 503 while nothing is installed
            return {}
        shown = {}
        self.changes = int(re.search(r"^prfread_title_changes (\d+)", text, re.M)[1])
        for match in re.finditer(r"^# HELP (\S+) .*\\\\(\w+) \[\d+\]\n\1(?:_total)? (\S+)$", text,
                                 re.M):
            if float(match[3]) != 0:
                shown[match[2]] = int(float(match[3]))
        for name, value in shown.items():
            check_label(self.who, name, value)
            self.checked += 1
        return shown


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
            file.write(map_file(1).replace(SERVICE, "LabelOther").replace("Alpha", "Theirs"))

    def installer(self, *words):
        """Run prfinstall; it must succeed, or have left what is in use."""
        code, said = self.machine.run(TOOLS, ["prfinstall", *words])
        if code not in (0, 4):
            raise Problem(f"prfinstall {' '.join(words)}: exit code {code}\n{said}")

    def install(self, version):
        """Over what is installed, by force where an id changes."""
        self.installer("-Install", "-Force", "-Writers", "Users", "-Map", f"v{version}.prfmap")
        self.version = version
        if version not in self.published:
            process, name = self.machine.start(TOOLS,
                                               ["labels", "publish", f"v{version}.prfmap"])
            wait_for(lambda: "published" in text_of(name), lambda: text_of(name))
            self.published[version] = process

    def step(self):
        """Another version, over the former one or after it was removed."""
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
        """One that loads the titles of now once."""
        process, name = self.machine.start(TOOLS, ["labels", "once", SERVICE])
        wait_for(lambda: "reads" in text_of(name) or process.poll() is not None,
                 lambda: "the reader that reads once does not begin")
        self.once.append((process, name))

    def wait_for_names(self, readers):
        """Each of ours shows what is installed now, and nothing else."""
        began = time.monotonic()
        wanted = expected(self.version)
        for reader in readers:
            shown = {}
            while not all(shown.get(name) in (value, 0) and name in shown
                          for name, value in wanted.items()):
                shown = reader.newest()
                if reader.process.poll() is not None:
                    raise Problem(f"{reader.who} ended: {text_of(reader.name)[-2000:]}")
                if time.monotonic() - began > SOON_S:
                    raise Problem(f"{reader.who} shows {shown}\nand not {wanted}")
                time.sleep(0.1)
        self.slowest = max(self.slowest, time.monotonic() - began)

    def end_readers(self):
        """What the readers that load titles once have seen."""
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
    """All steps."""
    game = Play(machine, seed)
    game.install(1)
    game.begin_reader()
    readers = [Rows(machine, "-dll", SERVICE), Rows(machine, "-regions", SERVICE),
               Scrapes(machine)]
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
    if readers[2].changes == 0:
        raise Problem("-serve does not say that names have changed")
    game.installer("-Uninstall", "-Any", "-Map", "v1.prfmap")
    if game.has_other:
        game.installer("-Uninstall", "-Map", "other.prfmap")
    print(f"passed: {STEPS + 4} installations, {len(game.once)} readers that load titles once "
          f"({values} values), ours ({sum(r.checked for r in readers)} values) right after "
          f"{game.slowest:.1f} s at most; seed {seed}")


def main():
    """With the seed of the argument."""
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

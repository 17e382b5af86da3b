# SPDX-License-Identifier: MIT
"""What every program of the lab has in common: packages, servers, and the comparison with the truth.

A program is one file here, program_<name>.py, with a class for each way of asking it; `run` finds them.
"""
import glob
import json
import math
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

from scene import Problem, wait_for

LIMIT_S = 60
CACHE = os.path.join(os.environ.get("PRFDATA_CACHE") or os.path.expanduser("~/.cache/prfdata"), "interop")
SUITES = ("bookworm", "trixie", "sid")  # Debian 12, the next one, and the newest packages


class Missing(Exception):
    """A package that the registry lacks: the reason to skip a row."""


# ---- Packages ----

def mirror():
    """Where this machine has its own Debian packages from: all suites are there."""
    done = subprocess.run(["apt-get", "indextargets", "--no-release-info", "--format",
                           "$(COMPONENT) $(RELEASE) $(REPO_URI)", "Created-By: Packages"],
                          check=False, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        component, suite, uri = line.split(" ", 2)
        if component == "main" and suite in SUITES:
            return uri
    raise Missing("apt knows no mirror of Debian")


def apt(*words, timeout=600):
    """apt with lists of its own: nothing of the system's changes, nothing is installed."""
    folder = os.path.join(CACHE, "apt")
    sources = os.path.join(folder, "sources.list")
    if not os.path.exists(sources):
        for name in ("lists/partial", "cache/archives/partial"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        uri = mirror()
        with open(sources, "w", encoding="utf-8") as file:
            for suite in SUITES:
                file.write("deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
                           f"{uri} {suite} main\n")
    return subprocess.run(
        ["apt-get", "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=/dev/null",
         "-o", "Dir::Etc::preferencesparts=/dev/null", "-o", f"Dir::State::lists={folder}/lists",
         "-o", f"Dir::Cache={folder}/cache", "-o", "APT::Sandbox::User=root", *words],
        cwd=folder, timeout=timeout, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def deb(name, version):
    """The folder of a Debian package's files, of this version and no other."""
    folder = os.path.join(CACHE, f"{name}-{version.replace(':', '_')}")
    if os.path.isdir(folder):
        return folder
    if not shutil.which("apt-get"):
        raise Missing("no apt here")
    os.makedirs(CACHE, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as work:
        for attempt in (1, 2):
            done = apt("-y", "-q", "download", f"{name}={version}")
            if done.returncode == 0:
                break
            if attempt == 1:
                apt("-q", "update")
        pattern = f"{name}_{version.replace(':', '%3a')}_*.deb"
        found = glob.glob(os.path.join(CACHE, "apt", glob.escape(pattern[:-5]) + "*.deb"))
        if done.returncode or not found:
            raise Missing(f"Debian has no {name} {version} now")
        subprocess.run(["dpkg", "-x", found[0], os.path.join(work, "files")], check=True)
        os.unlink(found[0])
        if not os.path.isdir(folder):  # another run may have been first
            os.rename(os.path.join(work, "files"), folder)
    return folder


def npm(name, version):
    """The folder whose node_modules has a package of npm's registry, of this version, no script run."""
    folder = os.path.join(CACHE, f"npm-{name.replace('/', '_')}-{version}")
    if os.path.isdir(folder):
        return folder
    if not shutil.which("npm"):
        raise Missing("no npm here")
    os.makedirs(CACHE, exist_ok=True)
    work = tempfile.mkdtemp(dir=CACHE)
    try:
        done = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", work,
                               f"{name}@{version}"], check=False, timeout=300, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise Missing(f"npm's registry gives no {name} {version}")
        if not os.path.isdir(folder):
            os.rename(work, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder


def npm_alone(name, version):
    """The folder of a package of npm's registry without those that it needs."""
    folder = os.path.join(CACHE, f"npm-alone-{name.replace('/', '_')}-{version}")
    if os.path.isdir(folder):
        return folder
    if not shutil.which("npm"):
        raise Missing("no npm here")
    os.makedirs(CACHE, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as work:
        done = subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], check=False, timeout=300, cwd=work,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        packed = glob.glob(os.path.join(work, "*.tgz"))
        if done.returncode or not packed:
            raise Missing(f"npm's registry gives no {name} {version}")
        subprocess.run(["tar", "-xzf", packed[0], "-C", work, "package"], check=True)
        if not os.path.isdir(folder):
            os.rename(os.path.join(work, "package"), folder)
    return folder


# ---- Servers ----

def free_port():
    """One of the loopback's that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def get(url, **parameters):
    """The text of an answer."""
    if parameters:
        url += "?" + urllib.parse.urlencode(parameters, doseq=True)
    with urllib.request.urlopen(url, timeout=LIMIT_S) as reply:
        return reply.read().decode()


def get_json(url, **parameters):
    """The same of JSON."""
    return json.loads(get(url, **parameters))


class Server:
    """A program that listens on the loopback until it is stopped by its process id."""

    def __init__(self, command, url, environment=None):
        self.folder = tempfile.mkdtemp(prefix="prfdata-interop.")
        self.log = os.path.join(self.folder, "log")
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([word.replace("FOLDER", self.folder) for word in command],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env={**os.environ, **(environment or {})}, cwd=self.folder)
        wait_for(lambda: self.answers(url), LIMIT_S, self.said)

    def answers(self, url):
        """Whether it is ready; it must not have ended."""
        if self.process.poll() is not None:
            raise Problem(f"ended with {self.process.returncode}: {self.said()}")
        try:
            get(url)
            return True
        except OSError:
            return False

    def said(self):
        """The end of what it printed."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()[-1500:]

    def stop(self):
        """Now."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


# ---- What was understood ----

class Understood:
    """What a program says that it was told: samples by name and labels, and what it knows of them."""

    def __init__(self):
        self.samples, self.types, self.helps, self.units = {}, {}, {}, {}

    def add(self, name, labels, value):
        """One sample; the bound of a bucket is a number."""
        labels = {key: text for key, text in labels.items() if text != ""}
        if "le" in labels and name.endswith("_bucket"):
            labels["le"] = float(labels["le"])
        key = name, frozenset(labels.items())
        if key in self.samples:
            raise Problem(f"{name} {labels} is there twice")
        self.samples[key] = float(value)


def is_ours(name):
    """Whether a metric is about prfread itself, or about a scrape."""
    return name.startswith("prfread_")


def equal(a, b):
    """But for the last digits, which sums of fractions leave open."""
    return a == b or math.isclose(a, b, rel_tol=1e-9)


def same_key(key):
    """A bound is equal to nine digits."""
    name, labels = key
    return name, frozenset((word, float(f"{value:.9g}") if isinstance(value, float) else value)
                           for word, value in labels)


def compare(truth, understood, program):
    """What is wrong: sentences, about what the program tells at all."""
    wrong, knows = [], program.knows
    found = {same_key(key): value for key, value in understood.samples.items() if not is_ours(key[0])}
    wanted = {same_key(key): value for key, value in truth.samples.items() if program.tells(key[0], truth)}
    now = time.time()
    for key in [key for key in found if key not in wanted and key[0].endswith("_created")]:
        if not now - 3600 < found.pop(key) <= now + 1:  # when a count was seen to begin again
            wrong.append(f"{key} is no time of this hour")
    for key, value in wanted.items():
        if key not in found:
            wrong.append(f"{show(key)} is missing")
        elif not equal(found[key], value):
            wrong.append(f"{show(key)} is {found[key]} and not {value}")
    wrong += [f"{show(key)} was never counted" for key in found if key not in wanted]
    for family, kind in truth.types.items():
        if "types" in knows and understood.types.get(family) != kind:
            wrong.append(f"{family} is of type {understood.types.get(family)} and not {kind}")
        if "helps" in knows and not truth.helps[family].match(understood.helps.get(family, "")):
            wrong.append(f"{family} has the help {understood.helps.get(family)!r}")
        if "units" in knows and understood.units.get(family, "") != truth.units[family]:
            wrong.append(f"{family} has the unit {understood.units.get(family)!r} "
                         f"and not {truth.units[family]!r}")
    return wrong


def show(key):
    """A sample's name as one writes it."""
    labels = ",".join(f"{name}={value!r}" for name, value in sorted(key[1]))
    return f"{key[0]}{{{labels}}}"


# ---- A program ----

class Program:
    """One program in one version. A class for each program derives from this.

    name, version  for the table
    what           what was done with it, for the table
    knows          what it tells beside names, labels and values: "types", "helps", "units"
    is_quick       it runs in ./test all
    is_played      it is asked in every act of the play; else check() is called once
    is_checker       it tells only what is wrong: look() raises that as a Problem
    """

    name = version = what = ""
    knows = frozenset()
    is_quick = True
    is_played = True
    is_checker = False

    def start(self, scene):
        """Install and start it; Missing skips the row."""

    def look(self, scene):
        """What it understood of this act: Understood."""
        raise NotImplementedError

    def tells(self, _name, _truth):
        """Whether it passes on samples of this name."""
        return True

    def check(self, scene):
        """For what is not played: do everything, and return what was seen, for the table."""
        raise NotImplementedError

    def stop(self):
        """End what was started."""


def family_names(told, kinds):
    """The older format calls a counter's family as its sample: without `_total` it is the truth's."""
    return {name[:-6] if kinds.get(name) == "counter" and name.endswith("_total") else name: value
            for name, value in told.items()}

# SPDX-License-Identifier: MIT
"""Defines what every program of the lab shares: packages, servers, and the comparison with the truth.

Each program has a file here, program_<name>.py, with a class for each way to ask it. `run` finds
them.
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
    """A package that cannot be had here, so the row is skipped. The text says why."""


# ---- Packages ----

def mirror():
    """Return the address of the Debian mirror that apt uses here. It also has the other suites."""
    done = subprocess.run(["apt-get", "indextargets", "--no-release-info", "--format",
                           "$(COMPONENT) $(RELEASE) $(REPO_URI)", "Created-By: Packages"],
                          check=False, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        component, suite, uri = line.split(" ", 2)
        if component == "main" and suite in SUITES:
            return uri
    raise Missing("apt knows no mirror of Debian")


def apt(*words, timeout=600):
    """Run apt with separate lists. It changes nothing of the system and installs nothing."""
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
    """Return the folder of a Debian package's files, in exactly this version."""
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
    """Return the folder whose node_modules has exactly this version of a package of npm. No script is run."""
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
    """Return the folder of a package of npm without the packages that it needs."""
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
    """Return a port of the loopback that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def get(url, **parameters):
    """Return the text of an answer."""
    if parameters:
        url += "?" + urllib.parse.urlencode(parameters, doseq=True)
    with urllib.request.urlopen(url, timeout=LIMIT_S) as reply:
        return reply.read().decode()


def get_json(url, **parameters):
    """Return an answer in JSON."""
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
        """Return whether the server is ready. It must not have ended."""
        if self.process.poll() is not None:
            raise Problem(f"ended with {self.process.returncode}: {self.said()}")
        try:
            get(url)
            return True
        except OSError:
            return False

    def said(self):
        """Return the end of the server's output."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()[-1500:]

    def stop(self):
        """Stop the server now."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


# ---- The understood samples ----

class Understood:
    """Samples by name and labels, and types, helps and units by family, as a program understood them."""

    def __init__(self):
        self.samples, self.types, self.helps, self.units = {}, {}, {}, {}

    def add(self, name, labels, value):
        """Add one sample. The bound of a bucket is a number."""
        labels = {key: text for key, text in labels.items() if text != ""}
        if "le" in labels and name.endswith("_bucket"):
            labels["le"] = float(labels["le"])
        key = name, frozenset(labels.items())
        if key in self.samples:
            raise Problem(f"{name} {labels} is there twice")
        self.samples[key] = float(value)


def is_ours(name):
    """Return whether a metric is about prfread itself."""
    return name.startswith("prfread_")


def equal(a, b):
    """Return whether two values are equal, except for the last digits, which sums of fractions may change."""
    return a == b or math.isclose(a, b, rel_tol=1e-9)


def same_key(key):
    """Return a key in which a bound has nine digits."""
    name, labels = key
    return name, frozenset((word, float(f"{value:.9g}") if isinstance(value, float) else value)
                           for word, value in labels)


def compare(truth, understood, program):
    """Return the differences as sentences. Compare only what the program tells."""
    wrong, knows = [], program.knows
    found = {same_key(key): value for key, value in understood.samples.items() if not is_ours(key[0])}
    wanted = {same_key(key): value for key, value in truth.samples.items() if program.tells(key[0], truth)}
    now = time.time()
    for key in [key for key in found if key not in wanted and key[0].endswith("_created")]:
        # This sample is the time when a reader noticed that a count began again.
        if not now - 3600 < found.pop(key) <= now + 1:
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
    """Return a sample's name as people write it."""
    labels = ",".join(f"{name}={value!r}" for name, value in sorted(key[1]))
    return f"{key[0]}{{{labels}}}"


# ---- A program ----

class Program:
    """One program in one version. Each program has a class that derives from this.

        name, version  for the table
        what           what was done with it, for the table
        knows          what it tells in addition to names, labels and values: "types", "helps", "units"
        is_quick       it runs in ./test all
        is_played      it is asked in every act of the play; otherwise check() is called once
        is_checker     it tells only what is wrong: look() raises that as a Problem
    """

    name = version = what = ""
    knows = frozenset()
    is_quick = True
    is_played = True
    is_checker = False

    def start(self, scene):
        """Install and start the program. If this raises Missing, the row is skipped."""

    def look(self, scene):
        """Return an Understood: what the program understood of this act."""
        raise NotImplementedError

    def tells(self, _name, _truth):
        """Return whether the program passes on samples of this name."""
        return True

    def check(self, scene):
        """For a program that is not played: do everything, and return a text for the table."""
        raise NotImplementedError

    def stop(self):
        """End the processes that were started."""


def family_names(told, kinds):
    """Return `told` with the truth's names of families. In the older format, a counter's family has
    the name of its sample, so `_total` at the end of this name is removed."""
    return {name[:-6] if kinds.get(name) == "counter" and name.endswith("_total") else name: value
            for name, value in told.items()}

# SPDX-License-Identifier: MIT
"""Plays the scenes: a service with its publisher and prfread's server, act after act.

Everything is PrfData's own code, built for Linux (scene.c). A proxy between prfread and the
programs that scrape it can change one thing on the way, to find out which program notices.
"""
import http.server
import os
import re
import subprocess
import tempfile
import threading
import time
import urllib.request

import maps

SERVICE = "InteropLab"
OPEN_METRICS = "application/openmetrics-text; version=1.0.0"


class Problem(Exception):
    """A fault, with a text for the table."""


def wait_for(look, seconds=60, what="nothing"):
    """Call `look` until it returns something true. Return that value."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise Problem(f"in {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.1)


# ---- Changes on the way ----

def break_value(text):
    """Change the first value of a gauge."""
    return re.sub(r"(?m)^(interoplab_lab_depth\{[^}]*\}) (\d+)$",
                  lambda match: f"{match[1]} {int(match[2]) + 1}", text, count=1)


def break_name(text):
    """Change one family's name everywhere."""
    return text.replace("lab_memory_bytes", "lab_memory_used_bytes")


def break_label(text):
    """Change one value of one label."""
    return text.replace('interoplab_lab_depth{name="', 'interoplab_lab_depth{name="x', 1)


def break_type(text):
    """Replace a gauge's type by another one that fits as well."""
    return text.replace("# TYPE lab_memory_bytes gauge", "# TYPE lab_memory_bytes unknown"
                        if text.endswith("# EOF\n") else "# TYPE lab_memory_bytes untyped")


def break_help(text):
    """Change a word of a help text."""
    return text.replace("How much is used.", "How much was used.")


def break_unit(text):
    """Give a unit to a family that has none. To remove a unit would not be noticed, because
    Prometheus remembers units."""
    text = re.sub(r"(?m)^# UNIT interoplab_server_waits *\n", "", text)
    return text.replace("# TYPE interoplab_server_waits counter\n",
                        "# TYPE interoplab_server_waits counter\n# UNIT interoplab_server_waits waits\n")


BREAKS = {"value": break_value, "name": break_name, "label": break_label, "type": break_type,
          "help": break_help, "unit": break_unit}


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes each request on to prfread."""

    protocol_version = "HTTP/1.1"
    scene = None

    def do_GET(self):  # pylint: disable=invalid-name
        """Ask prfread with the same Accept field, and change the answer."""
        text, kind = self.scene.fetch(self.headers.get("Accept", "*/*"))
        body = self.scene.change(text).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        """Print nothing."""


# ---- The play ----

class Program:
    """A program of scene.c that reads lines and answers each with a status."""

    def __init__(self, scene, *words):
        self.process = subprocess.Popen([scene.program, *words], env=scene.environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, *fields):
        """Write one line. Any answer except 0 is a mistake of the lab."""
        self.process.stdin.write("\t".join(map(str, fields)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer != "0":
            raise Problem(f"{fields}: {answer or 'the program ended'}")

    def end(self):
        """End the program by closing its input."""
        self.process.stdin.close()
        self.process.wait(30)


class Scene:
    """A service, one program that counts, and a server that shows its counters."""

    def __init__(self, binaries, objects):
        self.program = os.path.join(binaries, "scene")
        self.folder = tempfile.mkdtemp(prefix="prfdata-interop.")
        self.environment = {**os.environ, "TMPDIR": self.folder}
        self.map = maps.Map(SERVICE, objects)
        self.counts = maps.Counts(self.map)
        self.act = 0
        self.broken = None
        path = self.write_map()
        self.installer = Program(self, "install", SERVICE, path)
        self.environment["PRFDATA_TEST_ROOT"] = self.installer.process.stdout.readline().strip()
        self.publisher = Program(self, "publish", SERVICE, path)
        self.server = None
        self.proxy = None
        self.url = None

    def write_map(self):
        """Write the map file for this version."""
        path = os.path.join(self.folder, f"v{len(os.listdir(self.folder))}.prfmap")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.map.text())
        return path

    def serve(self):
        """Start prfread and the proxy."""
        self.server = subprocess.Popen(
            [self.program, "read", SERVICE, "-regions", SERVICE, "-serve", "127.0.0.1:0"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        line = self.server.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/metrics", line)
        if not found:
            raise Problem(f"prfread does not serve: {line}")
        self.url = found[0]
        handler = type("Handler", (Proxy,), {"scene": self})
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()

    @property
    def address(self):
        """Return the address to scrape."""
        return f"127.0.0.1:{self.proxy.server_address[1]}"

    def fetch(self, accept):
        """Return prfread's text, and its type."""
        request = urllib.request.Request(self.url, headers={"Accept": accept})
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.read().decode(), reply.headers["Content-Type"]

    def change(self, text):
        """Return the text with the proxy's current change, if there is one."""
        return BREAKS[self.broken](text) if self.broken else text

    def text(self, open_metrics):
        """Return the text that a scrape gets in this act."""
        shown = f"lab_act {self.act}"

        def look():
            text, _ = self.fetch(OPEN_METRICS if open_metrics else "text/plain")
            return text if re.search(f"^{shown}$", text, re.M) else None
        return self.change(wait_for(look, 20, f"prfread does not show {shown}"))

    def find(self, symbol):
        """Return a counter and its object."""
        return next((thing, counter) for thing in self.map.objects for counter in thing.counters
                    if counter.symbol == symbol)

    def add(self, symbol, instance, *amounts):
        """Add to a counter, both in the program and in the truth."""
        thing, counter = self.find(symbol)
        if counter.kind == "histogram":
            for amount in amounts:
                self.publisher.say("record", counter.number, instance, thing.symbol, amount)
        else:
            verb = {1: "add", 2: "pair"}[len(amounts)]
            self.publisher.say(verb, symbol, instance, thing.symbol, *amounts)
        self.counts.add(thing, counter, instance, *amounts)

    def set(self, symbol, instance, amount):
        """Set a gauge."""
        thing, counter = self.find(symbol)
        self.publisher.say("set", symbol, instance, thing.symbol, amount)
        self.counts.set(thing, counter, instance, amount)

    def instance(self, thing, name):
        """Add an instance."""
        self.publisher.say("instance", thing, name)
        self.counts.live.setdefault((thing, name), {})

    def remove(self, symbol, name):
        """Remove an instance."""
        self.publisher.say("remove", symbol, name)
        self.counts.end(next(each for each in self.map.objects if each.symbol == symbol), name)

    def next_act(self):
        """Begin the next act. The stamp is counted last and prfread reads it first, so a program that
        shows it shows the rest, too."""
        self.act += 1
        self.set("STAMP_ACT", "", self.act)
        self.broken = None

    def restart(self):
        """End the program and start it again."""
        self.publisher.end()
        self.counts.end()
        self.publisher = Program(self, "publish", SERVICE, self.write_map())

    def upgrade(self, objects):
        """Install another version of the map, and start the program with it."""
        self.map.objects = objects
        self.installer.say(self.write_map())
        self.restart()

    def emit(self, kind):
        """Return the output of the installer's -Emit for the map."""
        return subprocess.run([self.program, "emit", kind, self.write_map()], check=True,
                              env=self.environment, stdout=subprocess.PIPE).stdout.decode()

    def close(self):
        """Stop everything that was started."""
        if self.server:
            self.server.kill()
            self.server.wait()
            self.proxy.shutdown()
            self.proxy.server_close()
        for program in (self.publisher, self.installer):
            program.end()
        subprocess.run(["rm", "-rf", self.folder], check=False)


# ---- The acts ----

def count(scene, names, step):
    """Count something in every counter of the queues, with different numbers for each instance."""
    thing = next(each for each in scene.map.objects if each.symbol == "LAB_QUEUES")
    for number, name in enumerate(names, step):
        for counter in thing.counters:
            if counter.kind == "gauge":
                scene.set(counter.symbol, name, 7 * number)
            elif counter.kind == "histogram":
                scene.add(counter.symbol, name, 500, 50000, 5000000 * number, 900000000)
            elif counter.kind == "mean":
                scene.add(counter.symbol, name, 1000 * number, 3)
            elif counter.kind == "part":
                scene.add(counter.symbol, name, number, 64)
            else:
                scene.add(counter.symbol, name, 1234567 * number)
    scene.set("SERVER_SINCE", "", 1 << 40)
    scene.add("SERVER_WAITS", "", 2 ** 40 + step)


def first(scene):
    """Count for the first time."""
    for name in ("mail", "print"):
        scene.instance("LAB_QUEUES", name)
    count(scene, ("mail", "print"), 1)


def second(scene):
    """Count more, end an instance, and begin one."""
    scene.remove("LAB_QUEUES", "print")
    scene.instance("LAB_QUEUES", "fax")
    count(scene, ("mail", "fax"), 3)


def restart(scene):
    """Start the program again."""
    scene.restart()
    first(scene)


def upgrade(scene):
    """Install the next version of the map."""
    scene.upgrade(maps.queues(2))
    first(scene)


def hostile(scene):
    """Use unusual names."""
    scene.upgrade(maps.queues(2) + maps.hostile())
    first(scene)
    for number, name in enumerate(maps.HOSTILE_NAMES, 1):
        scene.instance("HOSTILE", name)
        for counter in scene.map.objects[-1].counters:
            if counter.kind == "gauge":
                scene.set(counter.symbol, name, number)
            else:
                scene.add(counter.symbol, name, *([number, 2] if counter.kind == "mean" else [number]))


def large(scene):
    """Publish 10,000 series."""
    scene.upgrade(maps.queues(2) + maps.large())
    first(scene)
    for number in range(500):
        name = f"instance {number}"
        scene.instance("LARGE", name)
        for counter in scene.map.objects[-1].counters:
            if counter.kind == "gauge":
                scene.set(counter.symbol, name, number * 100)
            else:
                scene.add(counter.symbol, name, number * 1000)


ACTS = (first, second, restart, upgrade, hostile, large)

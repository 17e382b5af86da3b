# SPDX-License-Identifier: MIT
"""Checks what Zabbix' server discovers, requests and calculates with -Emit Zabbix.

Zabbix' agent can read counters only on Windows. The agent here speaks the same protocol, and
knows only the counters of the map.
"""
import glob
import json
import os
import random
import re
import shutil
import socket
import socketserver
import struct
import subprocess
import threading
import zlib

import lab
import maps
import program_zabbix
from program_zabbix import Zabbix, expected, long_names, means
from scene import SERVICE

LIBRARIES = [("libodbc2", "2.3.11-2+deb12u1"), ("libsnmp40", "5.9.3+dfsg-2+deb12u1"), ("libopenipmi0", "2.0.33-1+b1")]
# Ordinary and unusual names, one of which has program_zabbix.INSTANCE_CHARS characters. All counts
# of "idle" are 0.
INSTANCES = ["mail", "idle", *(maps.labels_of(name)["name"] for name in maps.HOSTILE_NAMES)]
HOST = "A computer"
PERF_HZ = 8_000_000


def value_of(path):
    """Return 0 for a count of "idle". Otherwise, return a number that few other paths have."""
    return 0 if "(idle)" in path and path.endswith(" Count") else zlib.crc32(path.encode()) % 100000 / 8 + 1


def path_of(key):
    """Return the first parameter of a key, split like Zabbix' agent does ("Item key format" of the
    manual)."""
    found = re.fullmatch(r'(?:perf_counter_en|perf_instance_en\.discovery)\["((?:[^"\\]|\\"|\\(?!"))*)"(?:,60)?\]', key)
    return found[1].replace('\\"', '"') if found else None


def wmi_name(title):
    """Return the name that WMI makes of a title ("Performance Counter Types" of its documentation)."""
    for char, word in (("%", "Percent"), ("/", "Per"), ("#", "Number")):
        title = title.replace(char, word)
    return re.sub("[^A-Za-z0-9_]", "", title)


def growth(counter, instance):
    """Return by how much a raw value and its base grow from one time to the next."""
    if instance == "idle":
        return 0, 0
    step = 1 + len(instance or "")
    return {"mean": (1500 * step, 4), "hits": (3, 4 + step), "wait": (PERF_HZ // 8 * step, 2)}[counter.kind]


def mean_of(counter, instance):
    """Return what PerfMon shows: bytes per job, percent or seconds. Return None if the base does not grow."""
    value, base = growth(counter, instance)
    if base == 0:
        return None
    return value / base * {"mean": 1, "hits": 100, "wait": 1 / PERF_HZ}[counter.kind]


def low_port():
    """Return a free port that the server's configuration accepts: below 32,768."""
    while True:
        port = random.randrange(16384, 32768)
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


class Agent(socketserver.ThreadingTCPServer):
    """An agent that answers passive checks: a header, a length, and a key or its value."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, objects):
        self.answers = {}
        for thing in objects:
            names = INSTANCES if thing.instances else [""]
            if thing.instances:
                rows = [{"{#INSTANCE}": name} for name in [*names, "_Total"]]
                self.answers["perf_instance_en.discovery", thing.title] = json.dumps(rows)
            for name in [*names, *(["_Total"] if thing.total else [])]:
                for title, *_ in program_zabbix.counters_of(thing):
                    path = f"\\{thing.title}{f'({name})' if name else ''}\\{title}"
                    self.answers["perf_counter_en", path] = str(value_of(path))
        self.refused = set()
        self.classes = {f"Win32_PerfRawData_{SERVICE}_{wmi_name(thing.title)}": thing
                        for thing in program_zabbix.raw_values()}
        self.times = dict.fromkeys(self.classes, 0)  # how often each was asked for
        super().__init__(("127.0.0.1", 0), Request)

    def answer(self, key):
        """Return the value of a key. If there is none, return an error, or "[]" for a query of WMI."""
        if key.startswith("wmi.getall["):
            found = re.fullmatch(r'wmi\.getall\[root\\cimv2,"select \* from (\w+)"\]', key)
            return json.dumps(self.rows(found[1])) if found and found[1] in self.classes else "[]"
        found = self.answers.get((key.split("[", maxsplit=1)[0], path_of(key)))
        if found is None:
            self.refused.add(key)
        return found if found is not None else "ZBX_NOTSUPPORTED\0There is no such counter."


    def rows(self, name):
        """Return the raw values of a class, as WMI has them. They have grown since the last time."""
        thing, times = self.classes[name], self.times[name]
        self.times[name] += 1
        rows = []
        for instance in [*INSTANCES, "_Total"] if thing.instances else [None]:
            row = {"Name": instance, "Frequency_PerfTime": str(PERF_HZ), "Timestamp_PerfTime": str(times)}
            for counter in thing.counters:
                value, base = growth(counter, instance)
                row[wmi_name(counter.title)] = str(1000 + times * value)
                row[wmi_name(counter.title) + "_Base"] = 10 + times * base
            rows.append(row)
        return rows


class Request(socketserver.StreamRequestHandler):
    """One key."""

    def handle(self):
        """Read a key, and send its value."""
        header = self.rfile.read(13)
        if header[:5] != b"ZBXD\x01":
            return
        key = self.rfile.read(struct.unpack("<Q", header[5:])[0]).decode().rstrip("\n")
        body = self.server.answer(key).encode()
        self.wfile.write(b"ZBXD\x01" + struct.pack("<Q", len(body)) + body)


class ZabbixServer(Zabbix):
    """Zabbix' server. It has the same release as the frontend, and uses the frontend's database."""

    name = "Zabbix, server"
    what = "discovered instances of -Emit Zabbix, asked a stand-in of the agent, calculated means and ratios"
    process = agent = None

    def start(self, scene):
        """Make the host before the server starts, because the server reads all hosts at its start."""
        super().start(scene)
        scene.map.objects = maps.queues(2) + maps.hostile() + long_names() + means() + program_zabbix.raw_values()
        self.agent = Agent(scene.map.objects)
        threading.Thread(target=self.agent.serve_forever, daemon=True).start()
        self.take(scene.emit("Zabbix"))
        for host in self.ask("host.get", output=["hostid"]):
            self.ask("host.update", hostid=host["hostid"], status=1)
        template = self.ask("template.get", filter={"host": f"{scene.map.service} by PrfData"})[0]["templateid"]
        group = self.ask("hostgroup.get", filter={"name": "Discovered hosts"}, output=["groupid"])[0]["groupid"]
        self.ask("host.create", host=HOST, groups=[{"groupid": group}], templates=[{"templateid": template}],
                 interfaces=[{"type": 1, "main": 1, "useip": 1, "ip": "127.0.0.1", "dns": "",
                              "port": str(self.agent.server_address[1])}])
        self.start_server()

    def start_server(self):
        """Start the server with as few processes as possible."""
        root = f"{self.folder}/server"
        for name, version in [("zabbix-server-pgsql", self.sql_package), *LIBRARIES]:
            shutil.copytree(lab.deb(name, version), root, symlinks=True, dirs_exist_ok=True)
        libraries = ":".join([*glob.glob(f"{root}/usr/lib/*-linux-gnu"), self.database.environment["LD_LIBRARY_PATH"]])
        environment = {**os.environ, "LD_LIBRARY_PATH": libraries}
        program = f"{root}/usr/sbin/zabbix_server"
        missing = subprocess.run(["ldd", program], check=False, env=environment, stdout=subprocess.PIPE).stdout.decode()
        absent = re.findall(r"(\S+) => not found", missing)
        if absent:
            raise lab.Missing(f"the server needs libraries that are not here: {', '.join(absent)}")
        with open(f"{root}/server.conf", "w", encoding="utf-8") as file:
            file.write("\n".join(f"{name}={value}" for name, value in {
                "LogType": "console", "DBHost": self.database.folder, "DBName": program_zabbix.DATABASE,
                "DBUser": "zabbix", "ListenIP": "127.0.0.1", "ListenPort": low_port(), "PidFile": f"{root}/pid",
                "SocketDir": root, "AllowRoot": 1, "CacheUpdateFrequency": 1, "StartPollers": 3,
                "StartPingers": 0, "StartHTTPPollers": 0, "StartDiscoverers": 0, "StartReportWriters": 0,
                "StartPollersUnreachable": 1, "StartTrappers": 1}.items()) + "\n")
        with open(f"{root}/log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([program, "-f", "-c", f"{root}/server.conf"], env=environment, cwd=root,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def said(self):
        """Return the end of the server's log."""
        with open(f"{self.folder}/server/log", encoding="utf-8", errors="replace") as log:
            return log.read()[-1500:]

    def ask_now(self, items):
        """Have the server check these items at once. It drops the request for an item that it has not read yet."""
        for each in items:
            self.ask("task.create", type=6, request={"itemid": each["itemid"]})

    def until(self, look):
        """Repeat the request for everything that look() still misses, until it misses nothing."""
        def again():
            if self.process.poll() is not None:
                raise lab.Problem(f"the server ended: {self.said()}")
            missed = look()
            if missed:
                self.ask_now(missed)
                threading.Event().wait(2)
            return not missed
        lab.wait_for(again, 120, lambda: f"{look()[:3]}; {self.said()}")

    def all_items(self):
        """Return the host's items by key."""
        host = self.ask("host.get", filter={"host": HOST}, output=["hostid"])[0]["hostid"]
        return {each["key_"]: each for each in self.ask(
            "item.get", hostids=host, output=["itemid", "name", "key_", "params", "lastvalue", "lastclock", "state",
                                              "error"])}

    def items(self):
        """Return the host's items that need no raw values."""
        return program_zabbix.without_raw(self.all_items())

    def check_raw(self, rules):
        """Check the items that are calculated from raw values. Returns what is wrong, and how many are right."""
        wanted = {}
        for thing in program_zabbix.raw_values():
            for instance in [*INSTANCES, "_Total"] if thing.instances else [None]:
                for counter in thing.counters:
                    path = f"\\{thing.title}{f'({instance})' if instance else ''}\\{counter.title}"
                    end = ",60]" if counter.kind == "hits" else "]"
                    wanted[f'prfdata.mean["{program_zabbix.quoted(path)}"{end}'] = mean_of(counter, instance)

        def unread():
            items = self.all_items()
            missed = [key for key, value in wanted.items()
                      if value is not None and (key not in items or items[key]["lastclock"] == "0")]
            asked = [key for key in items if any(f"{name}\"]" in key for name in self.agent.classes)]
            undiscovered = rules if any(key not in items for key in missed) else []
            return undiscovered + [items[key] for key in asked + missed if key in items] if missed else []
        self.until(unread)
        items, wrong = self.all_items(), []
        for key, value in wanted.items():
            if value is None and items[key]["lastclock"] != "0":
                wrong.append(f"{key} is {items[key]['lastvalue']} without any operation")
            elif value is not None and not lab.equal(float(items[key]["lastvalue"]), value):
                wrong.append(f"{key} is {items[key]['lastvalue']} and not {value}: {items[key]['error']}")
        return wrong, len(wanted)

    def check(self, scene):
        """Check the discoveries, then the value of each item."""
        rules = self.rules()
        wanted = self.expected_values(scene.map.objects)

        def undiscovered():
            return rules if len(self.items()) < len(wanted) else []
        self.until(undiscovered)
        self.until(lambda: [each for key, each in self.items().items()
                            if each["lastclock"] == "0" and wanted.get(key) is not None])
        wrong, items = [], self.items()
        for key in set(wanted) ^ set(items):
            wrong.append(f"{key} is {'none of the map' if key in items else 'missing'}")
        for key in set(wanted) & set(items):
            each, value = items[key], wanted[key]
            if value is None and each["lastclock"] != "0":
                wrong.append(f"{key} is {each['lastvalue']} without any operation")
            elif value is not None and not lab.equal(float(each["lastvalue"]), value):
                wrong.append(f"{key} is {each['lastvalue']} and not {value}: {each['error']}")
        wrong += [f"the agent was asked for {key}" for key in self.agent.refused]
        wrong_raw, raw_count = self.check_raw(rules)
        wrong += wrong_raw
        if wrong:
            raise lab.Problem("\n".join(wrong[:12]))
        changes = self.check_changes(scene, rules)
        return (f"{len(rules)} discoveries, {len(items):,} items with the right values, {raw_count} of raw values; "
                f"{changes} changes on the way noticed")

    def check_changes(self, scene, rules):
        """Check that three faults are noticed: a counter that does not exist, a failed mean that is
        not discarded, and a name that is too long. Returns 3."""
        text = scene.emit("Zabbix")
        discard = re.compile(r'\n +preprocessing:\n +- type: CHECK_NOT_SUPPORTED\n +parameters:\n +- ""\n +'
                             "error_handler: DISCARD_VALUE(?!\n +- type)")
        idle = 'prfdata.mean["' + program_zabbix.quoted(f"\\{means()[0].title}(idle)\\us per Stay") + '"]'
        gone = 'perf_counter_en["\\Lab Server\\Wait/sec",60]'
        depth = "Lab Queues ({#INSTANCE}): Depth now"
        broken = discard.sub("", text).replace("\\\\Waits/sec", "\\\\Wait/sec")
        broken = broken.replace(depth, depth + "w" * (program_zabbix.NAME_CHARS - len(depth)))
        self.take(broken)
        # An item gets a change of its prototype when it is discovered again.
        self.until(lambda: [] if self.items()[idle]["state"] == "1" else [*rules, self.items()[idle]])
        self.until(lambda: [] if self.agent.refused else [self.items()[gone]])
        self.until(lambda: [] if any("too long" in each["error"] for each in self.rules()) else rules)
        return 3

    def rules(self):
        """Return the host's discovery rules, with their errors."""
        host = self.ask("host.get", filter={"host": HOST}, output=["hostid"])[0]["hostid"]
        return self.ask("discoveryrule.get", hostids=host, output=["itemid", "key_", "error", "state"])

    def expected_values(self, objects):
        """Return {key: value} of all instances; None: there must be no value."""
        items, rules = expected(objects)
        wanted = {key: (item, key) for key, item in items.items()}
        for prototypes in rules.values():
            for name in INSTANCES:
                for key, item in prototypes.items():
                    wanted[key.replace("{#INSTANCE}", program_zabbix.quoted(name))] = (item, name)
        values = {}
        for key, (item, name) in wanted.items():
            if item["type"] == program_zabbix.CALCULATED:
                paths = [path_of(part.replace("{#INSTANCE}", program_zabbix.quoted(name)))
                         for part in re.findall(r"last\(//(.*?)\)(?=/last|$)", item["params"])]
                total, count = map(value_of, paths)
                values[key] = total * 1e-6 / count if count else None  # the sum is of microseconds
            else:
                values[key] = value_of(path_of(key)) * (item["factor"] or 1)
        return values

    def stop(self):
        """Stop the server, then the agent and the database that it uses."""
        if self.process:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.agent:
            self.agent.shutdown()
            self.agent.server_close()
        super().stop()


PROGRAMS = [ZabbixServer("1:6.0.14+dfsg-1", "1:6.0.14+dfsg-1+b1")]

# SPDX-License-Identifier: MIT
"""Imports the template of -Emit Zabbix with Zabbix' frontend, into a separate PostgreSQL.

Nothing is installed. PHP's own server runs the frontend, and the database listens only to a socket
in a temporary folder. No agent is asked, because it needs Windows.
"""
import glob
import gzip
import json
import os
import pwd
import shutil
import subprocess
import tempfile
import urllib.request

import lab
import maps

PHP = "8.2.32-1~deb12u1"
PHP_PACKAGES = [f"php8.2-{name}" for name in ("cli", "common", "pgsql", "mbstring", "bcmath", "xml", "gd")]
MODULES = ("ctype", "gettext", "iconv", "sockets", "mbstring", "bcmath", "pgsql", "gd", "dom", "simplexml", "xml",
           "xmlreader", "xmlwriter")
POSTGRESQL = "15.18-0+deb12u1"
DATABASE = "postgres"
# A name has at most 255 characters (create/src/schema.tmpl of Zabbix), even after
# lld_items_validate() has inserted the instance.
NAME_CHARS = 255
INSTANCE_CHARS = 120
# kind in maps.py: (whether the key ends with an interval, the unit)
SHOWN = {"gauge": (False, ""), "total": (False, ""), "count": (True, "/s"), "time": (True, "%"), "part": (True, "%")}
UNITS = {"bytes": "B"}
ITEM_FIELDS = ("itemid", "name", "key_", "units", "description", "value_type", "uuid", "type", "params", "delay")
MULTIPLIER, FLOAT, AGENT, CALCULATED = "1", "0", "0", "15"


def long_names():
    """Return titles that are too long for Zabbix' names and begin alike, and titles that contain macros."""
    title = "A title that is alike for longer than any name can be " * 2
    return [maps.Object("LONG", title + "of an object",
                        [maps.Counter("LONG_A", title + "a", "The first.", "count"),
                         maps.Counter("LONG_B", title + "b", "The second.", "gauge"),
                         maps.Counter("LONG_OWN", "Jobs {$OWN}", "Somebody's macro.", "count"),
                         maps.Counter("LONG_HOST", "Jobs {HOST.NAME}", "Zabbix' macro.", "count")], 64, total=True)]


# ---- The items that must exist ----

def quoted(title):
    """Return a title as a parameter of a key has it."""
    return title.replace('"', '\\"')


def means():
    """Return an object with an average that Zabbix can calculate. The titles are hard to quote in a formula."""
    return [maps.Object("MEANS", 'Means of "x", {y} = z', [
        maps.Histogram(20, "MEANS_STAY", 'Stay, "here"', "How long they stay.", "means_stay", maps.BOUNDS),
        maps.Counter("MEANS_MEAN", "us per Stay", "The mean.", "average", "means_mean", "microseconds")], 64)]


def raw_values():
    """Return objects whose averages and ratios Zabbix can calculate only from raw values. One object
    has instances, and one has none."""
    def counters(symbol):
        return [maps.Counter(f"{symbol}_SIZE", "Bytes/Job of 100%", "The mean size.", "mean", None, "bytes"),
                maps.Counter(f"{symbol}_HITS", "% Hits: of all", "The part of hits.", "hits"),
                maps.Counter(f"{symbol}_WAIT", "Avg. 'wait', ms", "The mean wait.", "wait")]
    return [maps.Object("RAW_MANY", "Raw: values, of many %", counters("RAW_MANY"), 64, total=True),
            maps.Object("RAW_ONE", "Raw one", counters("RAW_ONE"))]


def counters_of(thing):
    """Return the counters that have an item and need no raw values."""
    for counter in thing.counters:
        if counter.kind == "histogram":
            yield f"{counter.title} Sum", counter.help, "count", "s/s", 1e-6
            for part in ("Count", *(f"to {bound}" for bound in counter.bounds)):
                yield f"{counter.title} {part}", counter.help, "count", "/s", None
        elif counter.kind == "average":
            yield counter.title, counter.help, counter.kind, "s", None
        elif counter.kind not in ("mean", "hits", "wait") and "{HOST." not in counter.title:
            yield (counter.title, counter.help, counter.kind,
                   UNITS.get(counter.unit) or SHOWN[counter.kind][1], None)


def without_raw(items):
    """Return the items that need no WMI, by their keys. The server's test has the others."""
    return {key: item for key, item in items.items()
            if not key.startswith(("wmi.getall[", "prfdata.raw[", "prfdata.base[", "prfdata.frequency["))
            and "prfdata.raw[" not in item["params"]}


def expected(objects):
    """Return {key: fields that the item must have}, and {rule's key: the same for its prototypes}."""
    items, rules = {}, {}
    for thing in objects:
        if thing.instances:
            rule = rules[f'perf_instance_en.discovery["{quoted(thing.title)}"]'] = {}
            put_expected(rule, thing, "({#INSTANCE})")
        if thing.total or not thing.instances:
            put_expected(items, thing, "(_Total)" if thing.total else "")
    return items, rules


def put_expected(items, thing, where):
    """Put items of an object into `items`. `where` is ({#INSTANCE}), (_Total), or "" if there are no instances."""
    def key_of(title, name="perf_counter_en", end="]"):
        path = quoted(f"\\{thing.title}{where}\\{title}")
        return f'{name}["{path}"{end}'

    stays = [counter.title for counter in thing.counters if counter.kind == "histogram"]
    has_mean = any(counter.kind == "average" for counter in thing.counters)
    for title, helps, kind, unit, factor in counters_of(thing):
        if where == "(_Total)" and kind == "gauge":
            continue
        item = {"name": f"{thing.title}{' ' * bool(where)}{where}: {title}", "description": helps, "units": unit,
                "factor": factor, "type": AGENT, "params": "", "delay": "1m"}
        if kind == "average":
            parts = [f"last(//{key_of(f'{stays[0]} {part}', end=',60]')})" for part in ("Sum", "Count")]
            item.update({"type": CALCULATED, "params": "/".join(parts), "delay": "0;s10"})
            items[key_of(title, "prfdata.mean")] = item
            continue
        if has_mean and title in (f"{stays[0]} Sum", f"{stays[0]} Count"):
            item["delay"] = "0;s0"
        items[key_of(title, end=",60]" if SHOWN[kind][0] else "]")] = item


def wrong_items(wanted, found):
    """Return the differences as sentences."""
    wrong = [f"{key} is missing" for key in wanted if key not in found]
    wrong += [f"{key} is none of the map's" for key in found if key not in wanted]
    for key in set(wanted) & set(found):
        item, want = found[key], wanted[key]
        factors = [float(step["params"]) for step in item["preprocessing"] if step["type"] == MULTIPLIER]
        seen = {**{field: item[field] for field in want if field != "factor"},
                "factor": factors[0] if factors else None}
        if len(want["name"].replace("{#INSTANCE}", "i" * INSTANCE_CHARS)) > NAME_CHARS:
            want = {**want, "name": seen["name"]}  # Zabbix cut it; wrong_names() checks it
        if seen != want or item["value_type"] != FLOAT:
            wrong.append(f"{key} is {seen} of type {item['value_type']}, and not {want}")
    return wrong


def wrong_names(items):
    """Return names of one list that are too long with an instance in them, or that occur twice."""
    names = [item["name"] for item in items.values()]
    wrong = [f"the name {name!r} is there twice" for name in set(names) if names.count(name) > 1]
    return wrong + [f"discovery refuses {name!r}" for name in names
                    if len(name.replace("{#INSTANCE}", "i" * INSTANCE_CHARS)) > NAME_CHARS]


# ---- The programs ----

class Database:
    """A PostgreSQL that listens only to a socket. It does not run as root."""

    def __init__(self):
        self.folder = root = tempfile.mkdtemp(prefix="prfdata-zabbix.")
        self.process = None
        files = lab.deb("postgresql-15", POSTGRESQL)
        for part in ("usr/lib/postgresql", "usr/share/postgresql"):  # the cache may be in a folder of root's
            shutil.copytree(os.path.join(files, part), os.path.join(root, part), symlinks=True)
        shutil.copytree(lab.deb("libpq5", POSTGRESQL), root, symlinks=True, dirs_exist_ok=True)
        self.programs = f"{root}/usr/lib/postgresql/15/bin"
        self.who = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(root, nobody.pw_uid, nobody.pw_gid)
        self.environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC",
                            "LD_LIBRARY_PATH": ":".join(glob.glob(f"{root}/usr/lib/*-linux-gnu"))}

    def run(self, *words):
        """Run a program of PostgreSQL to its end."""
        done = subprocess.run(words, check=False, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **self.who)
        if done.returncode:
            raise lab.Problem(f"{words[0]}: {done.stdout.decode(errors='replace')[-1500:]}")

    def start(self):
        """Make an empty cluster, and start the server."""
        self.run(f"{self.programs}/initdb", "-D", f"{self.folder}/data", "-U", "zabbix", "-A", "trust", "-E", "UTF8",
                 "--no-locale", "--no-sync")
        with open(f"{self.folder}/log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [f"{self.programs}/postgres", "-D", f"{self.folder}/data", "-k", self.folder,
                 "-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "jit=off"],
                cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.who)
        lab.wait_for(lambda: glob.glob(f"{self.folder}/.s.PGSQL.*[0-9]"), lab.LIMIT_S, self.said)

    def said(self):
        """Return the end of the log of PostgreSQL."""
        with open(f"{self.folder}/log", encoding="utf-8", errors="replace") as log:
            return log.read()[-1500:]

    def stop(self):
        """Stop PostgreSQL at once, because nothing in the database is kept."""
        if self.process:
            self.process.send_signal(3)  # SIGQUIT: "immediate shutdown"
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


def php_command(folder):
    """Return a command for PHP with its modules, and without the system's configuration."""
    for name in PHP_PACKAGES:
        shutil.copytree(lab.deb(name, PHP), f"{folder}/php", symlinks=True, dirs_exist_ok=True)
    modules = glob.glob(f"{folder}/php/usr/lib/php/20*")[0]
    command = [f"{folder}/php/usr/bin/php8.2", "-n", "-d", f"extension_dir={modules}"]
    for name in MODULES:
        command += ["-d", f"extension={name}"]
    for setting in ("memory_limit=512M", "max_execution_time=300", "date.timezone=UTC", "display_errors=0",
                    "post_max_size=64M", f"session.save_path={folder}"):
        command += ["-d", setting]
    missing = subprocess.run(["ldd", command[0], *glob.glob(f"{modules}/*.so")], check=False,
                             stdout=subprocess.PIPE).stdout.decode()
    wanted = {line.split()[0] for line in missing.splitlines() if "not found" in line}
    if wanted:
        raise lab.Missing(f"PHP needs libraries that are not here: {', '.join(sorted(wanted))}")
    return command


LOAD = """
$database = pg_connect($argv[1]);
foreach (array_slice($argv, 2) as $path)
    if (!pg_query($database, file_get_contents($path)))
        exit(1);
"""


class Zabbix(lab.Program):
    """The frontend's API does what its page for imports does."""

    name = "Zabbix, frontend and database"
    what = "imported -Emit Zabbix by the API, twice each version of the map; read everything back"
    is_quick = False
    is_played = False

    def __init__(self, version, sql_version):
        self.package, self.sql_package = version, sql_version
        self.version = version.split(":")[-1].split("+", maxsplit=1)[0]
        self.database = self.server = self.folder = self.session = None

    def start(self, scene):
        """Make a database with Zabbix' own data, and start the frontend."""
        frontend = lab.deb("zabbix-frontend-php", self.package)
        sql = lab.deb("zabbix-server-pgsql", self.sql_package)
        self.database = Database()
        self.folder = tempfile.mkdtemp(prefix="prfdata-php.")
        php = php_command(self.folder)
        shutil.copytree(f"{frontend}/usr/share/zabbix", f"{self.folder}/zabbix", symlinks=True)
        self.configure(f"{self.folder}/zabbix")
        self.database.start()
        paths = []
        for name in ("schema", "images", "data"):
            paths.append(f"{self.folder}/{name}.sql")
            with gzip.open(f"{sql}/usr/share/zabbix-server-pgsql/{name}.sql.gz", "rb") as packed, \
                    open(paths[-1], "wb") as plain:
                shutil.copyfileobj(packed, plain)
        done = subprocess.run([*php, "-r", LOAD, "--", f"host={self.database.folder} user=zabbix dbname={DATABASE}",
                               *paths], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise lab.Problem(f"Zabbix' data: {done.stdout.decode(errors='replace')[-1500:]}")
        address = f"127.0.0.1:{lab.free_port()}"
        self.url = f"http://{address}/api_jsonrpc.php"
        self.server = lab.Server([*php, "-S", address, "-t", f"{self.folder}/zabbix"], f"http://{address}/robots.txt")
        self.session = self.ask("user.login", username="Admin", password="zabbix")

    def configure(self, frontend):
        """Configure the frontend, which in Debian searches for its file in /etc."""
        path = f"{frontend}/include/classes/core/CConfigFile.php"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("'/etc/zabbix/zabbix.conf.php'", f"'{frontend}/conf/zabbix.conf.php'"))
        with open(f"{frontend}/conf/zabbix.conf.php", "w", encoding="utf-8") as file:
            file.write("<?php\n" + "".join(f"$DB['{name}'] = {json.dumps(value)};\n" for name, value in {
                "TYPE": "POSTGRESQL", "SERVER": self.database.folder, "PORT": "0", "DATABASE": DATABASE,
                "USER": "zabbix", "PASSWORD": "", "SCHEMA": "", "ENCRYPTION": False, "KEY_FILE": "",
                "CERT_FILE": "", "CA_FILE": "", "VERIFY_HOST": False, "CIPHER_LIST": "", "VAULT": "",
                "VAULT_URL": "", "VAULT_DB_PATH": "", "VAULT_TOKEN": "", "DOUBLE_IEEE754": True}.items()))

    def ask(self, method, **parameters):
        """Return the result of a method of the API. A refusal is a Problem."""
        body = {"jsonrpc": "2.0", "method": method, "params": parameters, "id": 1}
        if self.session:
            body["auth"] = self.session
        request = urllib.request.Request(self.url, json.dumps(body).encode(),
                                         {"Content-Type": "application/json-rpc"})
        with urllib.request.urlopen(request, timeout=300) as reply:
            text = reply.read().decode()
        try:
            answer = json.loads(text)
        except ValueError:
            raise lab.Problem(f"{method}: {text[:1500]} {self.server.said()}") from None
        if "error" in answer:
            raise lab.Problem(f"{method}: {answer['error'].get('data')}")
        return answer["result"]

    def take(self, text):
        """Import a template. Update existing items, and remove items that the template lacks."""
        every = {"createMissing": True, "updateExisting": True, "deleteMissing": True}
        groups = {"createMissing": True, "updateExisting": True}
        groups = {"groups": groups} if self.version.startswith("6.0") else {"template_groups": groups}
        self.ask("configuration.import", format="yaml", source=text,
                 rules={**groups, "templates": {"createMissing": True, "updateExisting": True},
                        "items": every, "discoveryRules": every})

    def read(self, service):
        """Return {key: item} of the template, and {rule's key: {key: prototype}}."""
        found = self.ask("template.get", filter={"host": f"{service} by PrfData"})
        if len(found) != 1:
            raise lab.Problem(f"{len(found)} templates of {service}")
        where = {"hostids": found[0]["templateid"], "output": ITEM_FIELDS, "selectPreprocessing": "extend"}
        items = without_raw({each["key_"]: each for each in self.ask("item.get", **where)})
        rules = {}
        for rule in self.ask("discoveryrule.get", hostids=found[0]["templateid"], output=["itemid", "key_", "name"],
                             selectFilter="extend"):
            rules[rule["key_"]] = without_raw({each["key_"]: each for each in self.ask(
                "itemprototype.get", discoveryids=rule["itemid"], **where)})
            if [each["value"] for each in rule["filter"]["conditions"]] != ["^_Total$"]:
                raise lab.Problem(f"{rule['key_']} has the filter {rule['filter']}")
        return items, rules

    def wrong(self, scene):
        """Return the differences from the map, and how many items and prototypes there are."""
        items, rules = self.read(scene.map.service)
        wanted_items, wanted_rules = expected(scene.map.objects)
        wrong = wrong_items(wanted_items, items) + wrong_names(items)
        for key in set(rules) | set(wanted_rules):
            wrong += wrong_items(wanted_rules.get(key, {}), rules.get(key, {})) + wrong_names(rules.get(key, {}))
        return wrong, len(items) + sum(map(len, rules.values()))

    def must_be_right(self, scene):
        """Import the map's template twice; the second import must change nothing. Returns the number
        of items."""
        text = scene.emit("Zabbix")
        self.take(text)
        wrong, count = self.wrong(scene)
        if wrong:
            raise lab.Problem("\n".join(wrong[:12]))
        before = self.read(scene.map.service)
        self.take(text)
        if self.read(scene.map.service) != before:
            raise lab.Problem("the second import changes something")
        return count

    def ids(self, service):
        """Return {uuid: itemid} of everything."""
        items, rules = self.read(service)
        return {each["uuid"]: each["itemid"] for some in (items, *rules.values()) for each in some.values()}

    def check(self, scene):
        """Check a map, its next version with hostile and long names, and changes that must be refused
        or noticed."""
        scene.map.objects = maps.queues(1)
        count = self.must_be_right(scene)
        before = self.ids(scene.map.service)
        scene.map.objects = maps.queues(2) + maps.hostile() + long_names() + means()
        count += self.must_be_right(scene)
        after = self.ids(scene.map.service)
        kept = set(before) & set(after)
        # LAB_OPENED no longer exists, so two items are missing. All others must be the same items,
        # because Zabbix keeps their history.
        if len(set(before) - kept) != 2 or any(before[uuid] != after[uuid] for uuid in kept):
            raise lab.Problem(f"of {len(before)} items {len(kept)} were kept, and some anew")
        noticed = self.check_changes(scene)
        return f"4 imports, {count} items right, {len(kept)} kept by an upgrade; {noticed} changes on the way noticed"

    def check_changes(self, scene):
        """Make changes that the comparison must notice, and one that the import must refuse. Returns their number."""
        text = scene.emit("Zabbix")
        changes = (("Lab Server: Memory", "Lab Server: Memories"), ("\\\\Waits/sec", "\\\\Wait/sec"),
                   ("How much is used.", "How much was used."), ('units: "s/s"', 'units: "s"'),
                   ('- "1e-06"', '- "1e-03"'))
        for old, new in changes:
            if old not in text:
                raise lab.Problem(f"the template has no {old!r}")
            self.take(text.replace(old, new))
            if not self.wrong(scene)[0]:
                raise lab.Problem(f"{new!r} instead of {old!r} is not noticed")
        self.take(text)
        try:
            self.take(text.replace("Lab Server: Memory", "L" * (NAME_CHARS + 1)))
        except lab.Problem as problem:
            if "too long" in str(problem):
                return len(changes) + 1
            raise
        raise lab.Problem(f"it takes a name of {NAME_CHARS + 1} characters")

    def stop(self):
        """Stop the frontend, then the database that it uses."""
        if self.server:
            self.server.stop()
        if self.database:
            self.database.stop()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


PROGRAMS = [Zabbix("1:6.0.14+dfsg-1", "1:6.0.14+dfsg-1+b1"), Zabbix("1:7.0.29+dfsg-2", "1:7.0.29+dfsg-2")]

# SPDX-License-Identifier: MIT
"""Defines the maps of the lab, and what their counters must be in Prometheus' terms.

A map here is a table that becomes a map file. What a program must understand follows only from the
table and from the counts, and from nothing that PrfData wrote (see Truth).
"""
import math
import re

TICKS = 1e-7  # a tick of PERF_100NSEC_TIMER, in seconds

# kind: (lines of the map file for it, lines for its base)
TYPES = {
    "gauge": ("type=PERF_COUNTER_LARGE_RAWCOUNT", None),
    "count": ("type=PERF_COUNTER_BULK_COUNT", None),
    "total": ("type=PERF_COUNTER_LARGE_RAWCOUNT\naccumulating=yes", None),
    "time": ("type=PERF_100NSEC_TIMER", None),
    "mean": ("type=PERF_AVERAGE_BULK", "type=PERF_AVERAGE_BASE"),
    "part": ("type=PERF_LARGE_RAW_FRACTION", "type=PERF_LARGE_RAW_BASE"),
    # Only maps for -Emit have the following kinds.
    "average": ("type=PERF_AVERAGE_BULK\nmean=20", "type=PERF_AVERAGE_BASE"),
    "hits": ("type=PERF_SAMPLE_FRACTION", "type=PERF_SAMPLE_BASE"),
    "wait": ("type=PERF_AVERAGE_TIMER", "type=PERF_AVERAGE_BASE"),
}
KINDS = {"gauge": "gauge", "count": "counter", "total": "counter", "time": "counter",
         "mean": "summary", "part": "gauge"}


class Counter:
    """A counter. `metric` is the name of the metric in the map, or None if the map has no such name."""

    def __init__(self, symbol, title, helps, kind, metric=None, unit=None):
        self.symbol, self.title, self.help, self.kind = symbol, title, helps, kind
        self.metric = metric
        self.unit = unit or {"time": "seconds", "part": "ratio"}.get(kind, "")

    def name(self, service, overall=False):
        """Return the family's name. Programs must neither add words to it nor remove words."""
        base = self.metric or re.sub(r"[^a-z0-9]+", "_", f"{service}_{self.symbol}".lower())
        return "_".join(word for word in (base, "overall" * overall, self.unit) if word)


class Histogram:
    """A histogram of times. `bounds` are the upper bounds of its buckets, in units of 100 ns."""

    kind = "histogram"

    def __init__(self, number, symbol, title, helps, metric, bounds):
        self.number, self.symbol, self.title, self.help = number, symbol, title, helps
        self.metric, self.bounds, self.unit = metric, bounds, "seconds"

    def name(self, _service, overall=False):
        """Return the name. docs/prometheus.md defines where the word `distribution` stands in it."""
        return f"{self.metric}_distribution{'_overall' * overall}_seconds"


class Object:
    """An object with its counters. `instances` is the most instances it can have, or 0 for none."""

    def __init__(self, symbol, title, counters, instances=0, total=False):
        self.symbol, self.title, self.counters = symbol, title, counters
        self.instances, self.total = instances, total


class Map:
    """Objects of a service. A later object or counter with the same symbol has the same id."""

    def __init__(self, service, objects):
        self.service, self.objects = service, objects
        self.ids = {}

    def id_of(self, symbol):
        """Return a number that no other symbol has."""
        return self.ids.setdefault(symbol, len(self.ids) + 100)

    def text(self):
        """Return the map file."""
        lines = ["[info]", f"drivername={self.service}"]
        for thing in self.objects:
            lines += ["", f"[object {thing.symbol}]", f"id={self.id_of(thing.symbol)}",
                      f"name={thing.title}", "help=An object of the lab."]
            if thing.instances:
                lines += [f"instances={thing.instances}", "name_chars=120"]
            if thing.total:
                lines += ["total=yes"]
            lines += [f"distribution={counter.number} 100ns 10 1000000000"
                      for counter in thing.counters if counter.kind == "histogram"]
            for counter in thing.counters:
                lines += self.counter_lines(counter)
        return "\n".join(lines) + "\n"

    def counter_lines(self, counter):
        """Return the lines of a counter with its base, or of the counters of a histogram."""
        if counter.kind == "histogram":
            return self.histogram_lines(counter)
        kind, base = TYPES[counter.kind]
        lines = ["", f"[counter {counter.symbol}]", f"id={self.id_of(counter.symbol)}",
                 f"name={counter.title}", f"help={counter.help}", *kind.split("\n")]
        if counter.metric:
            lines.append(f"metric={counter.metric} {counter.unit}".rstrip())
        if base:
            symbol = counter.symbol + "_BASE"
            lines += ["", f"[counter {symbol}]", f"id={self.id_of(symbol)}",
                      f"name={counter.title} Base", "help=The base.", base]
        return lines

    def histogram_lines(self, counter):
        """Return the lines of the sum, the count, and a counter for each bound."""
        def part(word, title, option):
            symbol = f"{counter.symbol}_{word}"
            return ["", f"[counter {symbol}]", f"id={self.id_of(symbol)}",
                    f"name={counter.title} {title}", f"help={counter.help}",
                    "type=PERF_COUNTER_BULK_COUNT", option]
        lines = part("SUM", "Sum", f"sum={counter.number}")
        lines.append(f"metric={counter.metric} microseconds")
        lines += part("ALL", "Count", f"at_most={counter.number}")
        for bound in counter.bounds:
            lines += part(f"TO_{bound}", f"to {bound}", f"at_most={counter.number} {bound}")
        return lines


# ---- The counts ----

class Truth:
    """Families with types, units and helps, and samples with values, as programs must understand them."""

    def __init__(self):
        self.types, self.units, self.helps, self.samples = {}, {}, {}, {}
        self.plain = {}  # the names of counters in the older text format, by the names of their families

    def add(self, family, suffix, labels, value):
        """Put one sample."""
        self.samples[family + suffix, frozenset(labels.items())] = value


class Counts:
    """The counts of a map, by instance, and of all instances together, including ended ones."""

    def __init__(self, of_map):
        self.map = of_map
        self.live = {}  # (object's symbol, instance or ""): {counter's symbol: amounts}
        self.ever = {}  # (object's symbol, instance or None for all): {counter's symbol: amounts}

    def add(self, thing, counter, instance, *amounts):
        """Add to the counts of an instance. For a histogram each amount is a value."""
        for cells in (self.live.setdefault((thing.symbol, instance), {}),
                      self.ever.setdefault((thing.symbol, instance), {}),
                      self.ever.setdefault((thing.symbol, None), {})):
            if counter.kind == "histogram":
                cells.setdefault(counter.symbol, []).extend(amounts)
            else:
                former = cells.get(counter.symbol, (0, 0))
                cells[counter.symbol] = tuple(a + b for a, b in zip(former, (*amounts, 0)))

    def set(self, thing, counter, instance, amount):
        """Set a gauge."""
        self.live.setdefault((thing.symbol, instance), {})[counter.symbol] = (amount, 0)

    def end(self, thing=None, instance=None):
        """End an instance, or the program with all of them."""
        self.live = {key: cells for key, cells in self.live.items()
                     if thing and key != (thing.symbol, instance)}

    def truth(self):
        """Return all samples that must exist now."""
        truth = Truth()
        for thing in self.map.objects:
            for counter in thing.counters:
                for (symbol, instance), cells in self.live.items():
                    if symbol == thing.symbol:
                        self.put(truth, thing, counter, instance,
                                 self.cells_of_one(thing, counter, instance, cells))
                if thing.total and counter.kind != "gauge":
                    self.put(truth, thing, counter, None, self.cells_of_all(thing, counter))
        return truth

    def cells_of_one(self, thing, counter, instance, cells):
        """Return an instance's cells. A count continues if an instance of its name returns, because no
        count falls while a reader watches. Gauges and fractions count only existing instances."""
        return cells if counter.kind in ("gauge", "part") else self.ever.get((thing.symbol, instance), {})

    def cells_of_all(self, thing, counter):
        """Return the cells of all instances. Counts stay after an instance has ended; a fraction
        counts only existing ones."""
        if counter.kind != "part":
            return self.ever.get((thing.symbol, None), {})
        pairs = [cells.get(counter.symbol, (0, 0)) for (symbol, _), cells in self.live.items()
                 if symbol == thing.symbol]
        return {counter.symbol: tuple(map(sum, zip(*pairs)))} if pairs else {}

    def put(self, truth, thing, counter, instance, cells):
        """Put a counter's samples of one instance. None means all instances together."""
        family = counter.name(self.map.service, instance is None)
        labels = labels_of(instance)
        amounts = cells.get(counter.symbol, () if counter.kind == "histogram" else (0, 0))
        if counter.kind == "histogram":
            put_histogram(truth, family, labels, counter, amounts)
        elif counter.kind == "mean":
            truth.add(family, "_sum", labels, amounts[0])
            truth.add(family, "_count", labels, amounts[1])
        elif counter.kind == "part":
            if amounts[1] == 0:
                return  # nothing to divide by
            truth.add(family, "", labels, amounts[0] / amounts[1])
        else:
            scale = TICKS if counter.kind == "time" else 1
            suffix = "_total" if KINDS[counter.kind] == "counter" else ""
            truth.add(family, suffix, labels, amounts[0] * scale)
        truth.types[family] = "histogram" if counter.kind == "histogram" else KINDS[counter.kind]
        truth.units[family] = counter.unit
        truth.helps[family] = help_pattern(thing, counter, instance)


def labels_of(instance):
    """Return an instance's labels. Characters that PDH's paths cannot have are replaced when an
    instance is added."""
    return {"name": re.sub(r"[\\\\/()#*]", "_", instance)} if instance else {}


def bucket_of(value):
    """Return the end of the bucket that contains `value`, which is 10 to 10^9 ticks. A distribution has
    eight buckets between a power of two and the next (docs/distributions.md)."""
    width = 1 << max(0, value.bit_length() - 4)
    return value // width * width + width - 1


def put_histogram(truth, family, labels, counter, values):
    """Put a histogram. Each of its bounds is rounded up to the end of the distribution's bucket
    that contains it. The sum is exact."""
    for bound in counter.bounds:
        end = bucket_of(bound)
        truth.add(family, "_bucket", {**labels, "le": end * TICKS},
                  sum(value <= end for value in values))
    truth.add(family, "_bucket", {**labels, "le": math.inf}, len(values))
    truth.add(family, "_count", labels, len(values))
    truth.add(family, "_sum", labels, sum(values) * TICKS)


def help_pattern(thing, counter, instance):
    """Return a pattern for HELP. HELP begins with the map's help and ends with the counter's path. A
    sentence of prfread may stand between them."""
    title = counter.title + (" Sum" if counter.kind == "histogram" else "")
    where = "(_Total)" if instance is None else "(*)" if instance else ""
    return re.compile(re.escape(counter.help) + r"\.?(| .*) \\" +
                      re.escape(f"{thing.title}{where}\\{title}") + r"( \[\d+\])?$")


# ---- The maps ----

BOUNDS = (1000, 100000, 10000000)


def queues(version=1):
    """Return objects with counters of every kind, except the kinds that are only for -Emit.

    Version 2 has another title and a new counter, and lacks one counter of version 1.
    """
    counters = [
        Counter("LAB_DEPTH", "Depth" if version == 1 else "Depth now", "Jobs that wait now.", "gauge"),
        Counter("LAB_JOBS", "Jobs/sec", "Jobs that were finished.", "count"),
        Counter("LAB_OPENED", "Opened", "Jobs that came so far.", "total", "lab_opened"),
        Counter("LAB_SIZE", "Bytes per Job", "The mean size of a job.", "mean", "lab_job_size",
                "bytes"),
        Counter("LAB_BUSY", "% Busy", "How long workers were busy.", "time"),
        Counter("LAB_USED", "% Used", "The part of the room that is used.", "part"),
        Histogram(10, "LAB_STAY", "Stay", "How long jobs stay.", "lab_stay", BOUNDS),
    ]
    if version == 2:
        del counters[2]
        counters.insert(0, Counter("LAB_FAILED", "Failed/sec", "Jobs that failed.", "count"))
    return [
        Object("STAMP", "Lab Stamp", [Counter("STAMP_ACT", "Act", "The act of the play.", "gauge",
                                              "lab_act")]),
        Object("LAB_QUEUES", "Lab Queues", counters, 64, total=True),
        Object("LAB_SERVER", "Lab Server",
               [Counter("SERVER_SINCE", "Memory", "How much is used.", "gauge", "lab_memory",
                        "bytes"),
                Counter("SERVER_WAITS", "Waits/sec", "How often it waited.", "count")]),
    ]


HOSTILE_NAMES = ['say "hello"', "back\\slash\\", "{brace}=\"x\",", "# HELP x y", "Grüße 日本 ✓",
                 "comma, equal=sign", "semi;colon", "$HOME ${x} %s %n", "C:\\new\\total", "'", "<b>&amp;",
                 "a" * 120, "NaN", "+Inf", "le", "__name__", "1e999"]


def hostile():
    """Return titles, helps and symbols that a careless writer splits into several lines."""
    counters = [
        Counter("ODD_QUOTES", 'A "quoted" title', 'Help with "quotes" and \\ and \\n and \\".', "gauge"),
        Counter("ODD_LINE", "TYPE x counter", "# HELP y z # TYPE y gauge", "count"),
        Counter("ODD_BRACES", "{a=\"b\"} 7", "{} ,=\"' } 12 1600000000000", "gauge"),
        Counter("ODD_UMLAUT", "Größe in µm", "Länge – größer als „nichts“ … 日本", "mean"),
        Counter("ODD_LONG", "L" * 100, "Long. " * 100 + "End.", "gauge"),
        Counter("ODD_PERCENT", "%s %n $x ${y}", "%s%n$$ {{ $labels.name }}", "count"),
        Counter("ODD_TWO_LINES", "Two", "EOF", "gauge"),
    ]
    return [Object("HOSTILE", 'Hostile "x" {y} = z', counters, 64, total=True)]


def large():
    """Return objects with 10,000 series."""
    return [Object("LARGE", "Lab Large",
                   [Counter(f"LARGE_{i}", f"Value {i}", f"The value number {i}.",
                            "count" if i % 2 else "gauge") for i in range(20)], 500)]

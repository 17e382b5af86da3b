#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Doubles each kind of input of the readers and counts the instructions. 16-doubling.sh runs this.

    doubling.py PRFREAD DOUBLED [NAME]...

Each row makes an input of n things and one of 2 n, and compares valgrind's counts for both, minus
the count for an input of almost nothing. Linear time is a factor of 2, sorting is slightly more,
and more than 3 fails. Rows with two kinds of things at once (as many paths as instances) double
both. Paths with a * are compared with each title, so the row of such paths grows fourfold, but not
more. The row of regions has a lower limit, because a reader does so much for each region that this
work would hide a walk through all other regions.
"""
import os
import re
import subprocess
import sys
import tempfile

LIMIT = 3.0
LIMITS = {"paths with a *": 4.3, "regions": 2.4}
RAWCOUNT, RATE = 0x00010000, 0x10410400


def utf16(text):
    return text.encode("utf-16-le")


def pack(*words):
    """Return words of 32 bits."""
    return b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in words)


def pad(data):
    return data + bytes(-len(data) % 8)


def instance(name, parent=(0, 0), counters=1):
    text = utf16(name) + b"\0\0"
    length = 24 + len(text) + -len(text) % 8
    block = pad(pack(4 + 4 * counters, *range(1, counters + 1)))
    block = pack(len(block)) + block[4:]
    return pad(pack(length, parent[0], parent[1], -1, 24, len(text)) + text) + block


def wire_object(title, counters, instances):
    """Return an object. `counters` has the indexes of the counters' titles. instance() makes the instances."""
    definitions = b"".join(pack(40, each, 0, each + 1, 0, 0, 100, RATE, 4, 4 + 4 * i)
                           for i, each in enumerate(counters))
    body = b"".join(instances)
    length = 64 + len(definitions)
    return pack(length + len(body), length, 64, title, 0, title + 1, 0, 100, len(counters), 0, len(instances), 0,
                0, 0, 10000000, 0) + definitions + body


def block(objects, second=0):
    """Return a PERF_DATA_BLOCK."""
    body = b"".join(objects)
    name = utf16("DOUBLE\0")
    head = 88 + len(name) + -len(name) % 8
    time = (13443537000 + second) * 10000000
    return pad(utf16("PERF") + pack(1, 1, 1, head + len(body), head, len(objects), -1)
               + b"".join(part.to_bytes(2, "little") for part in (2027, 1, 1, 4, 11, 50, second % 60, 0)) + bytes(4)
               + b"".join(part.to_bytes(8, "little") for part in (time, 10000000, time)) + pack(len(name), 88)
               + name) + body


def titles(names, helps=None):
    """Return titles as saved files have them."""
    lists = [utf16("".join(f"{index}\0{text}\0" for index, text in each.items()) + "\0")
             for each in (names, helps or {})]
    return b"PrfTitle" + pack(1, len(lists[0]), len(lists[1]), 0) + lists[0] + lists[1]


def sample(objects, second):
    """Return a sample in the form in which recordings append it."""
    made = block(objects, second)
    return b"PrfBlock" + pack(1, len(made)) + made


ONE = wire_object(2, [4], [instance("a")])
NAMES = {2: "O", 4: "C"}


def parts(n):
    """Return a block and n parts of a file, each with one title. The titles' indexes fall."""
    return block([ONE]) + titles(NAMES) + b"".join(titles({4000000000 - k: "x"}) for k in range(n))


def falling(n):
    """Return a sample whose counters have their titles in falling order, and the titles."""
    names = {2 * i: f"C{i}" for i in range(2, n + 2)} | {2: "O"}
    counters = [2 * i for i in range(n + 1, 1, -1)]
    return block([wire_object(2, counters, [instance("a", counters=n)])]) + titles(dict(sorted(names.items())))


def many_titles(n):
    return block([ONE]) + titles(NAMES | {2 * i: f"T {i}" for i in range(3, n + 3)},
                                 {2 * i + 1: f"Help {i}" for i in range(3, n + 3)})


def objects(n):
    names = {4 * i: f"O{i}" for i in range(1, n + 1)} | {4 * i + 2: f"C{i}" for i in range(1, n + 1)}
    return block([wire_object(4 * i, [4 * i + 2], [instance("a")]) for i in range(1, n + 1)]) + titles(
        dict(sorted(names.items())))


def samples(n):
    return block([ONE]) + titles(NAMES) + b"".join(sample([ONE], 1 + i) for i in range(n))


def instances(n, name="instance {}".format):
    return block([wire_object(2, [4], [instance(name(i)) for i in range(n)])]) + titles(NAMES)


def pair(n):
    """Return two samples with different instances."""
    return [block([wire_object(2, [4], [instance(f"i {i + k * n}") for i in range(n)])], k) + titles(NAMES)
            for k in range(2)]


def children(n):
    """Return an object with instances, then the object with their parents, and the titles."""
    return block([wire_object(2, [4], [instance("c", (6, i)) for i in range(n)]),
                  wire_object(6, [8], [instance(f"p{i}") for i in range(n)])]) + titles(
                      NAMES | {6: "P", 8: "D"})


def lines(format_line, n, before=""):
    return (before + "".join(format_line(i) + "\n" for i in range(n))).encode()


def both(make):
    """Return the same reply twice."""
    return {"a": make, "b": make}


def shifted(n, by):
    """Return objects whose titles have other indexes, and come in another order."""
    order = range(1, n + 1) if by == 0 else range(n, 0, -1)
    names = {4 * i + by: f"O{i}" for i in order} | {4 * i + 2 + by: f"C{i}" for i in order}
    return block([wire_object(4 * i + by, [4 * i + 2 + by], [instance("a")]) for i in order]) + titles(
        dict(sorted(names.items())))


def prfmap(n, of_object=""):
    """Return a map file with n counters in objects of 100; `of_object` are further lines of each."""
    text = "[info]\ndrivername=Doubled\n"
    for i in range(n):
        if i % 100 == 0:
            text += f"[object O{i}]\nid={2 * i + 1}\nname=Object {i}\nhelp=Help.\n{of_object}"
        text += (f"[counter C{i}]\nid={2 * i + 2}\nname=Counter {i}\nhelp=Help.\n"
                 "type=PERF_COUNTER_BULK_COUNT\n")
    return text.encode()


def ini(n):
    """Return an .ini file for lodctr with the titles of an object with n counters, and its header."""
    symbols = range(n + 1)
    return {"a.ini": ("[info]\ndrivername=Doubled\nsymbolfile=a.h\n[text]\n" + "".join(
        f"S{i}_009_NAME=Title {i}\nS{i}_009_HELP=Help.\n" for i in symbols)).encode(),
            "a.h": "".join(f"#define S{i} {2 * i}\n" for i in symbols).encode()}


CSV = ["-f", "CSV"]
OM = ["-f", "OM"]
# {name: (n, function that makes the files {file name: bytes} of n things, arguments or a function
# of n that returns them)}. If the first argument is an option, the arguments are for prfread,
# otherwise for `doubled`.
ROWS = {
    "parts of a recording": (2000, lambda n: {"a": parts(n)}, ["-file", "a", "-q"]),
    "titles": (4000, lambda n: {"a": many_titles(n)}, ["-file", "a", "-q"]),
    "titles that are saved": (1000, lambda n: {"a": falling(n)}, ["-file", "a", "-save", "b", "-y"]),
    "objects": (1000, lambda n: {"a": objects(n)}, ["-file", "a", *CSV, "\\*(*)\\*"]),
    "objects, OpenMetrics": (1000, lambda n: {"a": objects(n)}, ["-file", "a", *OM, "\\*(*)\\*"]),
    "objects, -qx": (1000, lambda n: {"a": objects(n)}, ["-file", "a", "-qx"]),
    "counters": (1000, lambda n: {"a": falling(n)}, ["-file", "a", *CSV, "\\O(*)\\*"]),
    "counters of two files": (1000, lambda n: {"a": falling(n), "b": falling(n)}, ["-file", "a", "b", *CSV, "\\O(*)\\*"]),
    "counters, OpenMetrics": (1000, lambda n: {"a": falling(n)}, ["-file", "a", *OM, "\\*(*)\\*"]),
    "counters, JSON": (1000, lambda n: {"a": falling(n)}, ["-file", "a", "-f", "JSON", "\\O(*)\\*"]),
    "samples": (500, lambda n: {"a": samples(n)}, ["-file", "a", *CSV, "\\O(*)\\*"]),
    "instances": (2000, lambda n: {"a": instances(n)}, ["-file", "a", *CSV, "\\O(*)\\*"]),
    "instances, OpenMetrics": (2000, lambda n: {"a": instances(n)}, ["-file", "a", *OM, "\\*(*)\\*"]),
    "instances that are others later": (1000, lambda n: dict(zip("ab", pair(n))),
                                        ["-file", "a", "b", *CSV, "\\O(*)\\*"]),
    "labels of one name": (2000, lambda n: {"a": instances(n, lambda i: "same")}, ["-file", "a", *CSV, "\\O(*)\\*"]),
    "labels with numbers": (2000, lambda n: {"a": instances(n, lambda i: f"same#{i}" if i % 2 else "same")},
                            ["-file", "a", *OM, "\\*(*)\\*"]),
    "parents": (1000, lambda n: {"a": children(n)}, ["-file", "a", *CSV, "\\O(*)\\*"]),
    "paths that each name an instance": (1000, lambda n: {"a": instances(n), "p": lines("\\O(instance {})\\C".format, n)},
                                         ["-file", "a", *CSV, "-cf", "p"]),
    "the same, OpenMetrics": (1000, lambda n: {"a": instances(n), "p": lines("\\O(instance {})\\C".format, n)},
                              ["-file", "a", *OM, "-cf", "p"]),
    "paths that name half of the instances": (1000, lambda n: {"a": instances(2 * n),
                                                              "p": lines("\\O(instance {})\\C".format, n)},
                                              ["-file", "a", *CSV, "-cf", "p"]),
    "paths that find nothing": (1000, lambda n: {"a": instances(1), "p": lines("\\O(no {})\\C".format, n)},
                                ["-file", "a", *CSV, "-cf", "p"]),
    "paths of one object that is not there": (1000, lambda n: {"a": instances(1), "p": lines("\\Q(x{})\\C".format, n)},
                                              ["-file", "a", *CSV, "-cf", "p"]),
    "paths that each name an object": (500, lambda n: {"a": objects(n), "p": lines(lambda i: f"\\O{i + 1}(a)\\C{i + 1}", n)},
                                       ["-file", "a", *CSV, "-cf", "p"]),
    "the same objects, OpenMetrics": (500, lambda n: {"a": objects(n),
                                                      "p": lines(lambda i: f"\\O{i + 1}(a)\\C{i + 1}", n)},
                                      ["-file", "a", *OM, "-cf", "p"]),
    "paths that each name a counter": (500, lambda n: {"a": falling(n), "p": lines(lambda i: f"\\O(a)\\C{i + 2}", n)},
                                       ["-file", "a", *CSV, "-cf", "p"]),
    "lines without meaning": (4000, lambda n: {"a": instances(1), "p": lines("# {}".format, n, "\\O(*)\\C\n")},
                              ["-file", "a", *CSV, "-cf", "p"]),
    "lines of -config": (1000, lambda n: {"a": instances(n), "p": lines("\\O(instance {})\\C".format, n, "[c]\n")},
                         ["-file", "a", *CSV, "-config", "p"]),
    "lines of -config that repeat a path": (16000, lambda n: {"a": instances(1), "p": lines(
        lambda i: "\\O(x)\\C", n, "[c]\n")}, ["-file", "a", *CSV, "-config", "p"]),
    "lines of -metrics": (400, lambda n: {"a": falling(n), "p": lines(lambda i: f"\\O\\C{i + 2} metric=m{i}", n)},
                          ["-file", "a", *OM, "-metrics", "p", "\\*(*)\\*"]),
    "paths with a *": (300, lambda n: {"a": objects(n), "p": lines(lambda i: f"\\O{i + 1}*(a)\\C{i + 1}", n)},
                       ["-file", "a", *CSV, "-cf", "p"]),
    "paths that name their object by index": (500, lambda n: {"a": objects(n), "p": lines(
        lambda i: f"\\{4 * i + 4}(a)\\{4 * i + 6}", n)}, ["-file", "a", *CSV, "-cf", "p"]),
    "paths that misspell a counter": (500, lambda n: {"a": falling(n), "p": lines(lambda i: f"\\O(a)\\C{i + 2}x", n)},
                                      ["-file", "a", *CSV, "-cf", "p"]),
    "paths that misspell an object": (500, lambda n: {"a": objects(n), "p": lines(lambda i: f"\\O{i + 1}x(a)\\C", n)},
                                      ["-file", "a", *CSV, "-cf", "p"]),
    "paths with two readings": (500, lambda n: {"a": instances(n), "p": lines("\\O(instance {})\\C(x)\\C".format, n)},
                                ["-file", "a", *CSV, "-cf", "p"]),
    "paths of several samples": (300, lambda n: {"a": objects(n) + sample([ONE], 1), "p": lines(
        lambda i: f"\\O{i + 1}(a)\\C{i + 1}", n)}, ["-file", "a", *CSV, "-cf", "p"]),
    "lines of -metrics that find nothing": (400, lambda n: {"a": falling(n), "p": lines(
        lambda i: f"\\O\\X{i + 2} metric=m{i}", n)}, ["-file", "a", *OM, "-metrics", "p", "\\*(*)\\*"]),
    "lines of -metrics with the same name": (400, lambda n: {"a": falling(n), "p": lines(
        lambda i: f"\\O\\C{i + 2} metric=m", n)}, ["-file", "a", *OM, "-metrics", "p", "\\*(*)\\*"]),
    "instances, LONG": (1000, lambda n: {"a": instances(n)}, ["-file", "a", "-f", "LONG", "\\O(*)\\*"]),
    "instances, -stats": (1000, lambda n: {"a": instances(n)}, ["-file", "a", *CSV, "-stats", "\\O(*)\\*"]),
    "instances, -dump": (500, lambda n: {"a": instances(n)}, ["-file", "a", "-dump"]),
    "instances, -qx": (4000, lambda n: {"a": instances(n)}, ["-file", "a", "-qx"]),
    "names of objects, -qx": (500, lambda n: {"a": objects(n)},
                              lambda n: ["-file", "a", "-qx", *(f"O{i + 1}" for i in range(n))]),
    "counters, -explain": (500, lambda n: {"a": falling(n)}, ["-file", "a", "-explain"]),
    "counters, -save": (500, lambda n: {"a": falling(n)}, ["-file", "a", "-save", "b", "-y"]),
    "objects of two files": (500, lambda n: both(objects(n)), ["-file", "a", "b", *CSV, "\\*(*)\\*"]),
    "lines of a workspace": (4000, lambda n: {"w": lines("line = {} 23".format, n)}, ["workspace", "w"]),
    "instances, -top": (1000, lambda n: both(instances(n)), ["top", "a", "b"]),
    "instances that are others later, -top": (1000, lambda n: dict(zip("ab", pair(n))), ["top", "a", "b"]),
    "objects, -top": (500, lambda n: both(objects(n)), ["top", "a", "b"]),
    "counters, -top": (500, lambda n: both(falling(n)), ["top", "a", "b"]),
    "columns whose titles moved": (500, lambda n: {"a": shifted(n, 0), "b": shifted(n, 1)}, ["moved", "a", "b"]),
    "columns whose titles are gone": (500, lambda n: {"a": shifted(n, 0), "b": block([ONE]) + titles(NAMES)},
                                      ["moved", "a", "b"]),
    "objects, prfcheck": (1000, lambda n: both(objects(n)), ["check", "a", "b"]),
    "counters, prfcheck": (1000, lambda n: both(falling(n)), ["check", "a", "b"]),
    "instances, prfcheck": (1000, lambda n: dict(zip("ab", pair(n))), ["check", "a", "b"]),
    "parents, prfcheck": (1000, lambda n: both(children(n)), ["check", "a", "b"]),
    "equal labels, prfcheck": (1000, lambda n: both(instances(n, lambda i: "same")), ["check", "a", "b"]),
    "rules for Prometheus": (250, lambda n: {"m": prfmap(n)}, ["rules", "m"]),
    "symbols of -Convert": (3000, ini, ["convert", "a.ini"]),
    "title languages": (32, lambda n: {"m": prfmap(100)}, lambda n: ["languages", "m", str(n)]),
    "services": (50, lambda n: {"m": prfmap(100)}, lambda n: ["services", "m", str(n)]),
    "regions": (400, lambda n: {"m": prfmap(10, "instances=8\n")}, lambda n: ["regions", "m", str(n)]),
    "providers": (500, lambda n: {"a": block([ONE])}, lambda n: ["providers", "a", str(n)]),
}


def count(program, arguments, files, folder):
    """Return the instructions of a run."""
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    # Make the C library copy with ordinary registers, because cachegrind counts a wide or repeated
    # instruction once, no matter how many bytes it copies.
    environment = dict(os.environ, GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,"
                                                  "-AVX2,-AVX,-ERMS,-FSRM,-RTM,-SSSE3")
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                           program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode(errors="replace")
    found = re.search(r"I *refs: *([\d,]+)", said)
    if not found or done.returncode not in (0, 1, 3):
        sys.exit(f"{program} {arguments}: {done.returncode}\n{said[-2000:]}")
    return int(found[1].replace(",", ""))


def main():
    """Return exit code 1 if a row grows too much."""
    prfread, doubled, *wanted = sys.argv[1:]
    is_wrong = False
    with tempfile.TemporaryDirectory() as folder:
        for name, (n, make, arguments) in ROWS.items():
            if wanted and not any(each in name for each in wanted):
                continue
            of = arguments if callable(arguments) else lambda k, same=arguments: same
            program = prfread if of(1)[0].startswith("-") else doubled
            nothing, once, twice = (count(program, of(k), make(k), folder) for k in (1, n, 2 * n))
            factor = (twice - nothing) / (once - nothing)
            limit = LIMITS.get(name, LIMIT)
            is_wrong = is_wrong or factor > limit
            print(f"{'FAILED ' if factor > limit else ''}{name}: {n} take {(once - nothing) / 1e6:.1f} million "
                  f"instructions, twice as many {factor:.2f} times that", flush=True)
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main())

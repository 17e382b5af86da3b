#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Drive `prfread -top` on a terminal. tests/scripts/52-top.sh and 63-providers.sh start this with one
of the scenarios.

Needs the package python3-pyte of Debian's python3.
"""
import os
import re
import signal
import sys
import time

from screen import LIMIT_S, Failed, Screen

LEAVE = b"\033[0m\033[?7h\033[?25h\033[?1049l"
BARS = "▁▂▃▄▅▆▇█"


def expect(condition, what, screen):
    """Raise Failed, with the screen, unless the condition is true."""
    if not condition:
        raise Failed(f"{what}\n{screen.text()}")


def passed(what):
    print(f"passed: {what}", flush=True)


class Publisher:
    """The program samples/ras, which makes a step for each line of input and prints its counts."""

    def __init__(self, orders, table):
        self.orders = orders
        self.table = table
        self.process = int(os.environ["PUBLISHER"])

    def made(self, counter):
        """Return the newest printed values of a counter (of each port, then the total), and how
        often the counter was printed."""
        with open(self.table, encoding="ascii") as file:
            rows = [line.split(None, 4) for line in file.read().splitlines()]
        rows = [row for row in rows if len(row) == 5 and row[4] == counter]
        return rows[-1][:4], len(rows)

    def go_on(self, counter):
        """Make one more step, and return its values."""
        _, before = self.made(counter)
        # Open the pipe for reading as well, because opening it only for writing would wait forever
        # if the publisher has ended.
        orders = os.open(self.orders, os.O_RDWR)
        os.write(orders, b"\n")
        os.close(orders)
        end = time.monotonic() + LIMIT_S
        values, count = self.made(counter)
        while count == before:
            if time.monotonic() > end:
                raise Failed("the publisher does not go on")
            time.sleep(0.05)
            values, count = self.made(counter)
        return values


def value_of(screen, path):
    """Return the second column of a row without its digit groups, or None."""
    fields = screen.line_of(path)[38:].split()
    return fields[0].replace(",", "") if fields else None


def grouped(value):
    """Return a whole number as the screen shows it."""
    return f"{int(value):,}"


def live(command, publisher):
    """Test counters that grow on demand, keys, and a publisher that is killed."""
    counter = "Total Connections"
    received = "Bytes Received"
    with Screen(command + ["-top", "RAS Port", "RAS Total", "-si", "0.2"]) as s:
        s.wait_for_text("\\RAS Port(COM1)\\Bytes Transmitted", "69 counters", "q quit")
        s.press("/" + counter.lower())
        s.wait_for_text("1 of 69 counters", "/total connections_")
        s.press("\r")
        path = f"\\RAS Total\\{counter}"
        total = publisher.made(counter)[0][3]
        s.wait_for(lambda s: value_of(s, path) == total, f"{path} is {total}")
        passed(f"a filter, and the value that was made: {total}")

        for _ in range(3):
            total = publisher.go_on(counter)[3]
            s.wait_for(lambda s: value_of(s, path) == total, f"{path} is {total}")
        s.wait_for(lambda s: len(set(s.line_of(path)[-10:]) & set(BARS)) > 1, "a history")
        passed(f"three new values and their history: {s.line_of(path)}")

        s.press("\033")  # Escape alone, because nothing follows
        s.wait_for_text("every 0.200 s, 69 counters")
        s.press("/(com*" + received + "\r")
        s.wait_for_text("6 of 69 counters")  # a filter and a search together
        s.press("s")
        s.wait_for_text(", sorted by value")
        values = publisher.made(received)[0][:3]
        names = [f"\\RAS Port(COM{port + 1})\\{received} " for port in range(3)]
        order = sorted(range(3), key=lambda port: -int(values[port]))

        def is_sorted(s):
            return [s.lines()[2 + i].startswith(names[order[i]]) for i in range(3)] == [True] * 3

        s.wait_for(is_sorted, f"sorted: {values}")
        s.wait_for(lambda s: s.reversed_line() == s.lines()[2], "the first is selected")
        s.press("r")
        s.wait_for_text(", sorted by value, reversed")
        s.press("r")
        s.wait_for(lambda s: "reversed" not in s.text() and is_sorted(s), "turned back")
        passed("sorted by value: " + ", ".join(values[port] for port in order))

        s.press("t")
        s.wait_for_text("3 instances, sorted by name")
        s.press("s")
        s.wait_for_text("3 instances, sorted by Bytes Received", "Received")
        for port, line in enumerate(order):
            s.wait_for(
                lambda s: s.line_of(f"COM{line + 1} ").split()[1:2] == [grouped(values[line])]
                and s.lines()[4 + port].startswith(f"COM{line + 1} "),
                f"the table: {values}",
            )
        s.press("t")
        s.wait_for_text("6 of 69 counters")
        passed("a table of instances by counters, sorted alike")

        s.press("\033[B")
        s.wait_for(lambda s: s.reversed_line() == s.lines()[3], "the second is selected")
        s.press("d")
        s.wait_for_text(
            f"Path       {names[order[1]].strip()}",
            "The number of bytes received",
            f"Value      {grouped(values[order[1]])} B\n",
            "Type       PERF_COUNTER_RAWCOUNT (0x00010000)",
            f"Computed   {values[order[1]]}\n",
        )
        s.press("\033[D")  # an arrow to the left has no meaning here
        s.press("h")
        s.wait_for_text("History", "6 of 69 counters")
        passed("details, with the map's help text")

        s.press("+")
        s.wait_for_text("every 0.500 s")
        s.press(" ")
        s.wait_for_text(", paused")
        s.press(" ")
        s.wait_for_text("every 0.500 s")
        s.press("?")
        s.wait_for_text("quit (also Ctrl+C)")
        s.press("?")
        s.wait_for_text(", sorted by value")

        os.kill(publisher.process, signal.SIGKILL)
        s.wait_for(
            lambda s: re.search(r"1 of \d+ counters", s.text()) and s.text().count("removed") == 1,
            "of what is removed the selected row stays",
        )
        expect(s.reversed_line().startswith(names[order[1]]), "it is the same one", s)
        passed("a killed publisher's instances are removed")
        s.press("q")
        code = s.wait_for_end()
        expect(code == 0, f"it ended with {code}", s)
    passed("quit")


def last_title():
    """Return the name of the last counter of the sample's map."""
    root = os.path.dirname(os.path.realpath(__file__)) + "/../../.."
    with open(f"{root}/ini/RasSample.ini", encoding="utf-16") as file:
        return re.findall(r"_009_NAME=(.*)", file.read())[-1].rstrip()


def expect_frame_times(screen, count):
    """Check the statistics of the sample's distribution: of the last minute, and of all records."""
    shown = ("Frame Time p50", "Frame Time p95", "Frame Time p99", "Frame Time max",
             "Avg. us/Frame", "Frames/Sec", "Frame Time ")
    screen.press("/frames(_total)\r")
    screen.wait_for_text(f"14 of {count} counters", *(f"\\RAS Frames(_Total)\\{each}" for each in shown))
    # Every frame is within 1.05 s, so the value is not 0. The screen shows only a part of the path.
    path = "\\RAS …mes(_Total)\\Frames within 1.05 s"
    screen.wait_for(lambda s: int(value_of(s, path) or 0) > 0, path)


def everything(command):
    """Show all counters of the sample, then press Ctrl+C."""
    with Screen(command) as s:
        s.wait_for_text(" counters, sorted by name")
        s.press("sss")  # sorts the counters in the order of the map
        s.wait_for_text("\\RAS Port(COM1)\\Bytes Transmitted")
        s.press("\033[F")
        s.wait_for(
            lambda s: (s.reversed_line() or "").startswith("\\RAS Health\\" + last_title()),
            "the last one",
        )
        expect_frame_times(s, re.search(r"(\d+) counters", s.text())[1])
        s.press("\003")
        code = s.wait_for_end()
        expect(code == 0, f"it ended with {code}", s)
    passed("all counters, and Ctrl+C: " + " ".join(command[2:]))


def ended(command, how, act, code):
    """Check that the terminal is restored, however the program ends."""
    with Screen(command, environment={"LC_ALL": "C.UTF-8"}) as s:
        s.wait_for_text("q quit")
        expect(not s.is_as_before(), "it reads single keys", s)
        expect(b"\033[?1049h" in s.sent, "it has a screen of its own", s)
        act(s)
        got = s.wait_for_end()
        expect(got == code, f"{how}: it ended with {got}", s)
        expect(s.sent.endswith(LEAVE), f"{how}: the screen is given back: {s.sent[-80:]}", s)
        expect(s.is_as_before(), f"{how}: the terminal's modes are as before", s)
    passed(f"{how}: the terminal is as it was")


def recorded(command):
    """Show the values of two saved blocks, with several sizes and encodings."""
    with Screen(command, environment={"LC_ALL": "C.UTF-8"}) as s:
        s.wait_for_text("recorded, 86 counters", "q quit")
        s.press("/com1*received/sec\r")
        s.wait_for_text("2 of 86 counters")
        path = "\\RAS Port(COM1)\\Bytes Received/Sec"
        rate = f"[1-9][0-9.,]* [kM]?B/s.*{BARS[-1]}"
        s.wait_for(lambda s: re.search(rate, s.line_of(path)), "a rate of two files, and a bar")
        rate = s.line_of(path)
        s.press("\033")
        s.wait_for_text("recorded, 86 counters")
        passed(f"two files: {rate}")

        s.resize(160, 40)
        s.wait_for_text("Description", "The number of bytes sent on this port")
        s.resize(30, 8)
        s.wait_for(lambda s: "Mean" not in s.text() and "Value" in s.text(), "a narrow one")
        s.press("sss\033[F")
        s.wait_for_text("\\RA…l\\Total …tions")
        s.resize(1, 1)
        s.wait_for(lambda s: s.reversed_line() is not None, "one cell")
        s.resize(80, 24)
        s.wait_for_text("\\RAS Total\\Total Connections", "q quit")
        passed("other sizes")
        s.press("q")
        code = s.wait_for_end()
        expect(code == 0, f"it ended with {code}", s)

    with Screen(command, environment={"LC_ALL": "C"}) as s:
        s.wait_for_text("recorded, 86 counters", "q quit")
        expect(all(byte < 0x7F for byte in s.sent), "ASCII only", s)
        expect("#" in s.line_of("\\RAS Port(COM1)"), "a bar of ASCII", s)
    passed("ASCII where the locale has no UTF-8")

    with Screen(["sh", "-c", 'exec "$0" "$@" </dev/null'] + command) as s:
        code = s.wait_for_end()
        expect(code == 4, f"without keys it ended with {code}", s)
        expect("needs a terminal to read keys from" in s.text(), "what is missing", s)
    passed("standard input that is no terminal")

    ended(command, "q", lambda s: s.press("q"), 0)
    ended(command, "Ctrl+C", lambda s: s.press("\003"), 0)
    ended(command, "SIGTERM", lambda s: s.kill(signal.SIGTERM), 0)
    ended(command, "SIGINT", lambda s: s.kill(signal.SIGINT), 0)
    ended(command, "SIGHUP", lambda s: s.kill(signal.SIGHUP), 0)


def unsteady(command, mood, does, says):
    """Let a provider crash or hang. The screen must say so and show the other providers."""
    first, other = "\\7720000\\7720002", "\\7720010\\7720012"
    with Screen(command + ["-top", first, other, "-si", "0.2"], width=240) as s:
        s.wait_for(lambda s: s.line_of(first).split()[1:2] == ["42"], "the first object")
        with open(mood, "w", encoding="ascii") as file:
            file.write(does)
        s.wait_for_text(f"of PrfDataUnsteady {says}; it is left out")
        s.wait_for(lambda s: s.line_of(other).split()[1:2] == ["42"], "the other object")
        s.press("q")
        code = s.wait_for_end()
        expect(code == 4, f"it ended with {code}", s)
    passed(f"a provider that {says}")


def capture(command):
    """Print a screen of 80 by 24 characters with counters that change each second, for the README."""
    paths = ["\\RAS Port(*)\\Bytes Received/Sec", "\\RAS Port(*)\\Percent Compression In"]
    with Screen(command + ["-top"] + paths + ["RAS Total"]) as s:
        s.wait_for(
            lambda s: re.search(f"[{BARS}]{{10}}$", s.line_of("\\RAS Total\\Bytes R")),
            "a history of ten values",
        )
        s.press("\033[B")
        s.wait_for(lambda s: s.reversed_line() == s.lines()[3], "the second is selected")
        print(s.text())
    with Screen(command + ["-top", "RAS Port"], height=9) as s:
        s.press("ts")
        values = lambda s: [int(line.split()[1].replace(",", "")) for line in s.lines() if line.startswith("COM")]
        s.wait_for(
            lambda s: "by Bytes Tr" in s.text()
            and len(values(s)) == 4
            and values(s) == sorted(values(s), reverse=True),
            "a table",
        )
        print(s.text())


def main():
    """Run a scenario: top_on_screen.py <scenario> [<argument>...] -- <command>..."""
    separator = sys.argv.index("--")
    arguments, command = sys.argv[1:separator], sys.argv[separator + 1 :]
    scenarios = {"everything": everything, "recorded": recorded, "capture": capture}
    try:
        if arguments[0] == "live":
            live(command, Publisher(*arguments[1:]))
        elif arguments[0] == "unsteady":
            unsteady(command, *arguments[1:])
        else:
            scenarios[arguments[0]](command)
    except Failed as error:
        print(f"FAILED: {error}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

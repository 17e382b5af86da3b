# SPDX-License-Identifier: MIT
"""Asks Prometheus, Python's OpenMetrics parser and prfread -serve about the counters of the samples.
57-prometheus.sh runs this.

A table is the output of the sample `ras`. Its columns are the ports, the total and the counter's
name. Metrics are found by the counter path at the end of their help text.
"""
import http.client
import json
import re
import socket
import sys
import threading
import time
import urllib.parse
import urllib.request

PORTS = 4
COUNTERS = 18
# The metrics of RAS Frames and RAS Health.
OTHERS = "ras_frame.*|rassample_ras_frames.*|ras_health.*"
PATH = re.compile(r"\\(RAS Port\(\*\)|RAS Total)\\(.*)$")


def read_table(path):
    """Return the last table: {(instance or None for the total, counter): value}."""
    made = {}
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()[-COUNTERS:]
    for line in lines:
        fields = line.split()
        counter = " ".join(fields[PORTS + 1:])
        made[None, counter] = int(fields[PORTS])
        if counter != "Total Connections":
            for i in range(PORTS):
                made["COM%d" % (i + 1), counter] = int(fields[i])
    assert len(made) == PORTS * (COUNTERS - 1) + COUNTERS, made
    return made


def compare(found, made):
    """Return the faults of the found values. `found` has percentages as ratios."""
    wrong = []
    for key in sorted(made, key=str):
        value = made[key] / 100 if key[1].startswith("Percent ") else made[key]
        if found.get(key) != value:
            wrong.append("%s is %s instead of %s" % (key, found.get(key), value))
    wrong += ["%s was not expected" % (key,) for key in found if key not in made]
    return wrong


def families(text):
    from prometheus_client.openmetrics.parser import text_string_to_metric_families

    return list(text_string_to_metric_families(text))


def parse(path):
    with open(path, encoding="utf-8", newline="") as file:
        parsed = families(file.read())
    assert any(family.name == "prfread_build" for family in parsed) or "golden" in path
    return parsed


def check_table(path, table):
    """Return where the metrics of RAS Port and RAS Total in OpenMetrics differ from the table."""
    found = {}
    for family in parse(path):
        match = PATH.search(family.documentation)
        if not match:
            continue
        for sample in family.samples:
            found[sample.labels.get("name"), match[2]] = sample.value
    return compare(found, read_table(table))


def get(url):
    with urllib.request.urlopen(url, timeout=20) as reply:
        return json.load(reply)["data"]


def query(server, expression):
    return get(server + "/api/v1/query?" + urllib.parse.urlencode({"query": expression}))["result"]


def check_prometheus(server, table):
    """Return where the series in Prometheus differ from the table. One query returns all series of
    RAS, and their metadata say which counters they show.
    """
    helps = {name: entry[0]["help"] for name, entry in get(server + "/api/v1/metadata").items()}
    found = {}
    for series in query(server, '{__name__=~"ras.+",__name__!~"%s"}' % OTHERS):
        labels = series["metric"]
        name = labels["__name__"]
        # In OpenMetrics, a help text belongs to the family, whose name does not end in _total.
        match = PATH.search(helps.get(name) or helps.get(re.sub("_total$", "", name)) or "")
        if not match:
            return ["%s has no help yet" % name]
        found[labels.get("name"), match[2]] = float(series["value"][1])
    return compare(found, read_table(table))


def read_times(path):
    """Return the last table's frame times, in seconds: {(instance or None, share): time}."""
    times = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = line.split()
            if fields[PORTS + 1:-1] != ["Frame", "Time"]:
                continue
            share = {"max": 1}.get(fields[-1]) or int(fields[-1][1:]) / 100
            for i, name in enumerate(["COM%d" % (i + 1) for i in range(PORTS)] + [None]):
                times[name, share] = int(fields[i]) / 1e6
    assert len(times) == 4 * (PORTS + 1), times
    return times


def check_percentiles(path, table):
    """Check that percentiles and maxima of ports are within 6.25 % of the truth. Return the mistakes."""
    shown = {}
    for family in parse(path):
        match = re.fullmatch(r"ras_frame_time_(p(\d\d)|maximum)_seconds", family.name)
        if match:
            share = int(match[2]) / 100 if match[2] else 1
            shown.update({(each.labels["name"], share): each.value for each in family.samples})
    truth = {key: time for key, time in read_times(table).items() if key[0]}
    return ["%s is %s instead of %s" % (key, shown.get(key), time) for key, time in truth.items()
            if not abs(shown.get(key, -1) - time) <= time / 16 + 1e-6]


def check_histogram(server, table):
    """Check that Prometheus' result for the histogram is in the same bucket as the truth. Return the mistakes."""
    made = read_table(table)
    wrong = []
    for (name, share), time in read_times(table).items():
        metric = "ras_frame_time_distribution%s_seconds" % ("" if name else "_overall")
        chosen = '{name="%s"}' % name if name else ""
        frames = made[name, "Frames Transmitted"] + made[name, "Frames Received"]
        wrong += check_query(server, metric + "_count" + chosen, str(frames))
        ends = [float(each["metric"]["le"]) for each in query(server, metric + "_bucket" + chosen)]
        if len(ends) != 8:
            return ["%s has the bounds %s" % (metric, ends)]
        answer = query(server, "histogram_quantile(%s, %s_bucket%s)" % (share, metric, chosen))
        value = float(answer[0]["value"][1]) if answer else -1
        low = max([end for end in ends if end < time - 1e-6], default=0)
        high = min(end for end in ends if end >= time - 1e-6)
        if not low <= value <= high:
            wrong.append("%s of %s is %s: not in the bucket of %s, from %s to %s" %
                         (share, name, value, time, low, high))
    return wrong


def check_query(server, expression, wanted):
    result = query(server, expression)
    values = [series["value"][1] for series in result]
    return [] if values == [wanted] else ["%s is %s instead of %s" % (expression, values, wanted)]


def fetch(port, method, target, path, *fields):
    """Print a reply's status and Content-Type, write its body to the file, and return how many ms it took."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
    connection.request(method, target, headers=dict(field.split(": ", 1) for field in fields))
    reply = connection.getresponse()
    with open(path, "wb") as file:
        file.write(reply.read())
    took_ms = round((time.monotonic() - began) * 1000)
    print(reply.status, reply.getheader("Content-Type"))
    return took_ms


def scrape(port, number, wrong):
    """Make one whole scrape. All scrapes begin when all clients are connected.

    The client's address changes after every 50 scrapes, because the server limits the connections
    of one address to 64.
    """
    accept = "application/openmetrics-text" if number % 2 else "text/plain"
    request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: %s\r\n\r\n" % accept
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60,
                                      source_address=(f"127.0.0.{1 + number // 50}", 0)) as connection:
            BARRIER.wait(60)
            connection.sendall(request.encode())
            reply = b""
            while True:
                received = connection.recv(65536)
                if not received:
                    break
                reply += received
        head, body = reply.split(b"\r\n\r\n", 1)
        length = int(re.search(rb"Content-Length: (\d+)", head)[1])
        assert head.startswith(b"HTTP/1.1 200 ") and len(body) == length, head
        assert accept.encode() in head, head
        assert body.endswith(b"# EOF\n") == bool(number % 2), body[-100:]
        assert b"ras_received_bytes_total " in body
    except Exception as error:  # any error is reported
        wrong.append("scrape %d: %r" % (number, error))


def check_scrapes(port, count):
    global BARRIER
    BARRIER = threading.Barrier(count)
    wrong = []
    threads = [threading.Thread(target=scrape, args=(port, i, wrong)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        print(listener.getsockname()[1])


def main():
    verb, *arguments = sys.argv[1:]
    wrong = []
    if verb == "free-port":
        free_port()
    elif verb == "parse":
        for path in arguments:
            print("%s: %d families" % (path, len(parse(path))))
    elif verb == "table":
        wrong = check_table(*arguments)
    elif verb == "prometheus":
        wrong = check_prometheus(*arguments)
    elif verb == "percentiles":
        wrong = check_percentiles(*arguments)
    elif verb == "histogram":
        wrong = check_histogram(*arguments)
    elif verb == "query":
        wrong = check_query(*arguments)
    elif verb == "fetch":
        fetch(*arguments)
    elif verb == "timed-fetch":
        print(fetch(*arguments))
    elif verb == "ready":
        urllib.request.urlopen(arguments[0] + "/-/ready", timeout=20).close()
    elif verb == "scrapes":
        wrong = check_scrapes(int(arguments[0]), int(arguments[1]))
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

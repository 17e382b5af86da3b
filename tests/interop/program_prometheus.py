# SPDX-License-Identifier: MIT
"""Asks Prometheus, which scrapes prfread, and promtool, which checks the text."""
import os
import subprocess

import lab

CONFIGURATION = """
global:
  scrape_interval: 1s
  scrape_timeout: 1s
scrape_configs:
  - job_name: prfread
    static_configs:
      - targets: ["{address}"]
"""
OWN = {"job", "instance"}  # labels that Prometheus adds


def version_of(package):
    """Return the program's version, which is a part of Debian's version."""
    return package.split("+")[0].split("-")[0]


class Prometheus(lab.Program):
    """Prometheus scrapes each second, and its API is asked for its samples."""

    name = "Prometheus"
    what = "scraped each act; series and metadata by its API"
    knows = {"types", "helps", "units"}

    def __init__(self, package):
        self.package, self.version = package, version_of(package)
        self.server = self.url = None

    def start(self, scene):
        """Start Prometheus on a free port. Its data is in its own folder."""
        program = os.path.join(lab.deb("prometheus", self.package), "usr/bin/prometheus")
        port = lab.free_port()
        self.url = f"http://127.0.0.1:{port}"
        path = os.path.join(scene.folder, f"prometheus-{self.version}.yml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(address=scene.address))
        self.server = lab.Server([program, f"--config.file={path}", "--storage.tsdb.path=FOLDER/data",
                                  f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"],
                                 self.url + "/-/ready")

    def query(self, expression):
        """Return the value of an expression now."""
        answer = lab.get_json(self.url + "/api/v1/query", query=expression)
        return answer["data"]["result"]

    def look(self, scene):
        """Wait until Prometheus has scraped this act. Return the counters' series."""
        def has_scraped():
            found = self.query("lab_act")
            return found and found[0]["value"][1] == str(scene.act) and self.again(scene)
        lab.wait_for(has_scraped, lab.LIMIT_S, lambda: f"no scrape of act {scene.act}: {self.server.said()}")
        seen = lab.Understood()
        for series in self.query('{job="prfread",__name__!~"up|scrape_.*|prfread_.*"}'):
            labels = {key: value for key, value in series["metric"].items() if key not in OWN}
            seen.add(labels.pop("__name__"), labels, series["value"][1])
        for name, (entry, *_) in lab.get_json(self.url + "/api/v1/metadata")["data"].items():
            seen.types[name] = entry["type"]
            seen.helps[name] = entry["help"]
            seen.units[name] = entry["unit"]
        return seen

    def again(self, scene):
        """Return whether a scrape was made since the first call for this act and this change."""
        last = lab.get_json(self.url + "/api/v1/targets")["data"]["activeTargets"][0]["lastScrape"]
        if (scene.act, scene.broken) != getattr(self, "seen_act", None):
            self.seen_act, self.since = (scene.act, scene.broken), last
        return last != self.since

    def stop(self):
        """Stop Prometheus if it was started."""
        if self.server:
            self.server.stop()


class Promtool(lab.Program):
    """Runs `promtool check metrics`, which prints nothing about a valid text."""

    name = "promtool"
    what = "check metrics of each act's text"
    is_checker = True

    def __init__(self, package, prometheus):
        self.package, self.version, self.of = package, version_of(package), prometheus
        self.program = None

    def start(self, scene):
        """Find promtool. Debian 12 has it in the server's package."""
        folder = lab.deb("prometheus" if self.of else "promtool", self.package)
        self.program = os.path.join(folder, "usr/bin/promtool")

        if not self.objections("a_count 1\n"):
            raise lab.Problem("it finds everything right")

    def objections(self, text):
        """Return what promtool objects to."""
        done = subprocess.run([self.program, "check", "metrics"], input=text.encode(), check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode() or (f"exit code {done.returncode}" if done.returncode else "")

    def look(self, scene):
        """Fail if promtool objects to the text. It returns no values that could be compared."""
        said = self.objections(scene.text(False))
        if said:
            raise lab.Problem(said)


PROGRAMS = [Prometheus("2.42.0+ds-5+deb12u1"), Prometheus("3.5.3+ds1-6"),
         Promtool("2.42.0+ds-5+deb12u1", True), Promtool("3.5.3+ds1-6", False)]

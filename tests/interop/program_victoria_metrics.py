# SPDX-License-Identifier: MIT
"""Asks VictoriaMetrics, which scrapes prfread itself."""
import json
import os

import lab

CONFIGURATION = """
scrape_configs:
  - job_name: prfread
    scrape_interval: 1s
    static_configs:
      - targets: ["{address}"]
"""
OWN = {"job", "instance"}


class VictoriaMetrics(lab.Program):
    """VictoriaMetrics, without a cache of its answers."""

    name = "VictoriaMetrics"
    what = "scraped each act; series by its API"

    def __init__(self, package, tells_metadata):
        self.package, self.version = package, package.split("+")[0]
        self.knows = {"types", "helps"} if tells_metadata else set()
        if tells_metadata:
            self.what = "scraped each act; series and metadata by its API"
        self.server = self.url = None

    def start(self, scene):
        """Start VictoriaMetrics with little memory and a latency offset of 0."""
        program = os.path.join(lab.deb("victoria-metrics", self.package), "usr/bin/victoria-metrics")
        port = lab.free_port()
        self.url = f"http://127.0.0.1:{port}"
        path = os.path.join(scene.folder, f"victoria-{self.version}.yml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(address=scene.address))
        command = [program, f"-promscrape.config={path}", "-storageDataPath=FOLDER/data",
                   f"-httpListenAddr=127.0.0.1:{port}", "-search.latencyOffset=0s", "-loggerLevel=WARN",
                   "-memory.allowedBytes=256MB", "-search.disableCache"]
        if self.knows:
            command.append("-enableMetadata")
        self.server = lab.Server(command, self.url + "/health")

    def look(self, scene):
        """Wait for two scrapes of this act. Return the counters' samples of the second scrape."""
        first = self.scraped(scene, 0)
        at = self.scraped(scene, first)
        told = lab.wait_for(lambda: self.all_samples(at), lab.LIMIT_S,
                            lambda: f"the scrape of {at} is not there as a whole")
        seen = lab.Understood()
        for line in told:
            labels = {key: value for key, value in line["metric"].items() if key not in OWN}
            name = labels.pop("__name__")
            if not name.startswith(("up", "scrape_", "prfread_")):
                seen.add(name, labels, line["value"])
        if self.knows:
            for name, (entry, *_) in lab.get_json(self.url + "/api/v1/metadata", limit=100000)["data"].items():
                seen.types[name], seen.helps[name] = entry["type"], entry["help"]
            seen.helps = lab.family_names(seen.helps, seen.types)
            seen.types = lab.family_names(seen.types, seen.types)
        return seen

    def scraped(self, scene, after):
        """Return the time, in ms, of a scrape later than `after` that has the act."""
        def look():
            text = lab.get(self.url + "/api/v1/export", **{"match[]": "lab_act"})
            pairs = [pair for line in text.split("\n") if line
                     for each in [json.loads(line)] for pair in zip(each["timestamps"], each["values"])]
            times = [time for time, value in pairs if value == scene.act]
            return times[-1] if times and times[-1] > after else None
        return lab.wait_for(look, lab.LIMIT_S, lambda: f"no scrape of act {scene.act}: {self.server.said()}")

    def all_samples(self, at):
        """Return all samples of a scrape, or None if some are still missing. VictoriaMetrics shows
        new series only some seconds after the scrape."""
        found = list(self.samples(at))
        ours = sum(not each["metric"]["__name__"].startswith(("up", "scrape_")) for each in found)
        said = [each["value"] for each in found if each["metric"]["__name__"] == "scrape_samples_scraped"]
        return found if said == [ours] else None

    def samples(self, at):
        """Return the samples of one scrape, which all have its time."""
        text = lab.get(self.url + "/api/v1/export",
                       **{"match[]": '{job="prfread"}', "start": at / 1000, "end": (at + 1) / 1000})
        for line in text.split("\n"):
            if line:
                each = json.loads(line)
                for time, value in zip(each["timestamps"], each["values"]):
                    if time == at and value is not None:  # None: no longer there
                        yield {"metric": each["metric"], "value": value}

    def stop(self):
        """Stop VictoriaMetrics if it was started."""
        if self.server:
            self.server.stop()


PROGRAMS = [VictoriaMetrics("1.79.5+ds1-2+b5", False), VictoriaMetrics("1.145.0+ds1-2", True)]

# SPDX-License-Identifier: MIT
"""Asks the parsers of Python's client: one for the older text format, one for OpenMetrics."""
import json
import os
import subprocess
import sys

import lab

PARSE = """
import json, sys
from prometheus_client import PARSER
print(json.dumps([[f.name, f.type, f.documentation, f.unit,
                   [[s.name, s.labels, s.value] for s in f.samples]]
                  for f in text_string_to_metric_families(sys.stdin.read())]))
"""


class Parser(lab.Program):
    """The Python client parses the text in its own process, so one run can test two versions of
    the client."""

    def __init__(self, version, open_metrics):
        self.version, self.open_metrics = version, open_metrics
        self.name = f"Python client, {'OpenMetrics' if open_metrics else 'text'} parser"
        self.what = "parsed each act's text"
        self.knows = {"types", "helps", "units"} if open_metrics else {"types", "helps"}
        self.path = None

    def start(self, scene):
        """Unpack the package. It is not installed."""
        self.path = os.path.join(lab.deb("python3-prometheus-client", self.version),
                                 "usr/lib/python3/dist-packages")

    def look(self, scene):
        """Return the families that the parser returns."""
        parser = "openmetrics.parser" if self.open_metrics else "parser"
        code = PARSE.replace("from prometheus_client import PARSER",
                             f"from prometheus_client.{parser} import text_string_to_metric_families")
        done = subprocess.run([sys.executable, "-B", "-c", code], input=scene.text(self.open_metrics),
                              env={**os.environ, "PYTHONPATH": self.path}, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise lab.Problem(done.stderr[-500:])
        seen = lab.Understood()
        for name, kind, helps, unit, samples in json.loads(done.stdout):
            if lab.is_ours(name):
                continue
            seen.types[name], seen.helps[name], seen.units[name] = kind, helps, unit
            for sample, labels, value in samples:
                seen.add(sample, labels, value)
        return seen


PROGRAMS = [Parser(version, open_metrics) for version in ("0.16.0-0.1", "0.21.1+ds1-1")
         for open_metrics in (False, True)]

# SPDX-License-Identifier: MIT
"""Has parsers of npm's registry read each act's text."""
import json
import os
import subprocess

import lab

PARSE_TEXT = """
const parse = require('parse-prometheus-text-format');
let text = '';
process.stdin.on('data', more => text += more).on('end', () => {
    console.log(JSON.stringify(parse(text)));
});
"""


class ParsePrometheusTextFormat(lab.Program):
    """parse-prometheus-text-format: all values are texts."""

    name = "parse-prometheus-text-format (npm)"
    what = "parsed each act's text, without histograms"
    knows = {"types", "helps"}
    version = "1.1.1"
    modules = None

    def start(self, scene):
        """Make the folder where require() searches."""
        self.modules = os.path.join(lab.npm("parse-prometheus-text-format", self.version), "node_modules")

    def look(self, scene):
        """Return the families that the parser understands."""
        done = subprocess.run(["node", "-e", PARSE_TEXT], input=scene.text(False).encode(), check=False,
                              env={**os.environ, "NODE_PATH": self.modules},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise lab.Problem(done.stderr.decode()[-500:])
        seen = lab.Understood()
        kinds = {}
        for family in json.loads(done.stdout):
            name = family["name"]
            kinds[name], seen.helps[name] = family["type"].lower(), family["help"]
            for metric in family["metrics"] if kinds[name] != "histogram" else []:
                labels = metric.get("labels") or {}
                if "value" in metric:
                    seen.add(name, labels, metric["value"])
                else:
                    seen.add(name + "_sum", labels, metric["sum"])
                    seen.add(name + "_count", labels, metric["count"])
        seen.types = lab.family_names(kinds, kinds)
        seen.helps = lab.family_names(seen.helps, kinds)
        return seen

    def tells(self, name, truth):
        """Return whether the package passes on the family. It loses a histogram's labels, sum and count
        (findings/parse-prometheus-histogram.sh)."""
        family = name.rsplit("_", 1)[0]
        return truth.types.get(family) != "histogram"


PROGRAMS = [ParsePrometheusTextFormat()]

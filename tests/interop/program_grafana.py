# SPDX-License-Identifier: MIT
"""Compares -Emit Grafana with Grafana's own types of a dashboard, by TypeScript's compiler.

Grafana itself is in no registry here. Its packages of npm have the sources for its pages: the types
of dashboards, panels and queries, and the list of units.
"""
import copy
import json
import os
import re
import shutil
import subprocess
import tempfile

import lab
import maps

TYPESCRIPT = "5.9.3"
TIME_SERIES = "timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen"
# Releases after 10.4 keep the types of Prometheus' queries in the plugin and not in @grafana/schema.
QUERY_VERSION = "10.4.9"
QUERY = "prometheus/dataquery/x/PrometheusDataQuery_types.gen"
UNITS_VERSION = "13.2.3"
# Grafana's list of units asks other packages only how to write values, so none of them is needed.
LIST_UNITS = """
const Module = require('module');
const load = Module._load;
const nothing = new Proxy(function () {}, { get: () => nothing, apply: () => nothing });
globalThis.navigator = { languages: ['en'], language: 'en' };
Module._load = function (name, ...rest) {
    return /^[./]/.test(name) ? load.call(this, name, ...rest) : nothing;
};
const { getCategories } = require(process.argv[1] + '/dist/cjs/valueFormats/categories.cjs');
console.log(JSON.stringify(getCategories().flatMap(each => each.formats.map(format => format.id))));
"""
# Base units of docs/prometheus.md that Grafana can show.
UNITS = ("seconds", "bytes", "ratio", "celsius", "volts", "amperes", "watts", "joules", "hertz", "meters", "grams")


def units():
    """Return an object with a gauge and a counter for each unit."""
    return [maps.Object("UNITS", "Lab Units", [
        maps.Counter(f"{word}_{unit}".upper(), f"{word} {unit}", "In a unit.", kind, f"lab_{word}_{unit}", unit)
        for unit in UNITS for word, kind in (("level", "gauge"), ("more", "count"))])]


def deep(module):
    """Return where the package keeps the types of a plugin."""
    return f"@grafana/schema/dist/esm/raw/composable/{module}"


def parts_of(dashboard):
    """Return {type in TypeScript: the part of the dashboard that has this type}. Because the parts
    are separate, the compiler knows all fields of each part."""
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    return {"Omit<Dashboard, 'panels'>": {name: value for name, value in dashboard.items() if name != "panels"},
            "RowPanel[]": [panel for panel in dashboard["panels"] if panel["type"] == "row"],
            "Panel<Options, FieldConfig>[]": panels,
            "Query[]": [target for panel in panels for target in panel["targets"]]}


# These changes of a dashboard must be noticed. Each changes another part.
def change_time(dashboard):
    """Use a number instead of a text."""
    dashboard["refresh"] = 30


def change_variable(dashboard):
    """Use a kind of variable that does not exist."""
    dashboard["templating"]["list"][0]["type"] = "source"


def change_row(dashboard):
    """Remove a field."""
    del next(panel for panel in dashboard["panels"] if panel["type"] == "row")["collapsed"]


def change_panel(dashboard):
    """Add an unknown field."""
    dashboard["panels"][1]["descriptions"] = "x"


def change_unit(dashboard):
    """Use a unit that is not a text."""
    dashboard["panels"][1]["fieldConfig"]["defaults"]["unit"] = 1


def change_query(dashboard):
    """Remove a query's letter."""
    del dashboard["panels"][1]["targets"][0]["refId"]


CHANGES = (change_time, change_variable, change_row, change_panel, change_unit, change_query)


class Grafana(lab.Program):
    """Grafana's types, and its units."""

    name = "Grafana, types of dashboards (npm)"
    what = "compiled -Emit Grafana against them with TypeScript; looked up its units"
    is_played = False

    def __init__(self, version):
        self.version = version
        self.folder = None

    def start(self, scene):
        """Make a folder where the compiler finds the package, and another that has the queries."""
        self.folder = tempfile.mkdtemp(prefix="prfdata-grafana.")
        for place, version in (("", self.version), ("queries/", QUERY_VERSION)):
            os.makedirs(f"{self.folder}/{place}node_modules/@grafana")
            os.symlink(f"{lab.npm('@grafana/schema', version)}/node_modules/@grafana/schema",
                       f"{self.folder}/{place}node_modules/@grafana/schema")
        with open(f"{self.folder}/queries/query.ts", "w", encoding="utf-8") as file:
            file.write(f"export type {{ PrometheusDataQuery as Query }} from '{deep(QUERY)}';\n")

    def write(self, name, dashboard):
        """Write a program that is valid if the dashboard is."""
        lines = ["import type { Dashboard, Panel, RowPanel } from '@grafana/schema';",
                 f"import type {{ FieldConfig, Options }} from '{deep(TIME_SERIES)}';",
                 "import type { Query } from './queries/query';"]
        lines += [f"export const part{number}: {kind} = {json.dumps(part)};"
                  for number, (kind, part) in enumerate(parts_of(dashboard).items())]
        with open(f"{self.folder}/{name}.ts", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def compile(self, names):
        """Return the faults of each program: {name: lines}."""
        compiler = f"{lab.npm('typescript', TYPESCRIPT)}/node_modules/typescript/bin/tsc"
        done = subprocess.run(["node", compiler, "--noEmit", "--strict", "--skipLibCheck", "--pretty", "false",
                               "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2020",
                               *(f"{name}.ts" for name in names)], cwd=self.folder, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        said = {}
        for line in done.stdout.decode(errors="replace").splitlines():
            name = re.match(r"([^(]+)\.ts\(", line)
            if name:
                said.setdefault(name[1], []).append(line)
        if (done.returncode != 0) != bool(said):
            raise lab.Problem(f"tsc ends with {done.returncode}: {done.stdout.decode(errors='replace')[:1500]}")
        return said

    def unknown_units(self, dashboard):
        """Return the units of the dashboard's panels that Grafana does not know."""
        package = lab.npm_alone("@grafana/data", UNITS_VERSION)
        done = subprocess.run(["node", "-e", LIST_UNITS, package], check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode:
            raise lab.Problem(done.stderr.decode(errors="replace")[-1500:])
        used = {panel["fieldConfig"]["defaults"]["unit"] for panel in dashboard["panels"] if panel["type"] != "row"}
        if len(used) < len(UNITS):
            raise lab.Problem(f"{len(UNITS)} units become {used}")
        return used - set(json.loads(done.stdout))

    def check(self, scene):
        """Compile the dashboards of three maps. Then check that the compiler notices each change."""
        dashboards = {}
        for name, objects in (("hostile", maps.queues(2) + maps.hostile()), ("large", maps.queues(1) + maps.large()),
                              ("units", maps.queues(1) + units())):
            scene.map.objects = objects
            dashboards[name] = json.loads(scene.emit("Grafana"))
        kinds = {panel["type"] for dashboard in dashboards.values() for panel in dashboard["panels"]}
        if kinds != {"row", "timeseries"}:
            raise lab.Problem(f"panels of kinds that are not compared: {kinds}")
        unknown = self.unknown_units(dashboards["units"])
        if unknown:
            raise lab.Problem(f"Grafana has no units {unknown}")
        wrong_unit = copy.deepcopy(dashboards["units"])
        wrong_unit["panels"][1]["fieldConfig"]["defaults"]["unit"] = "byte"
        if self.unknown_units(wrong_unit) != {"byte"}:
            raise lab.Problem("a wrong unit is not noticed")
        counts = [len(parts_of(each)[kind]) for kind in ("Panel<Options, FieldConfig>[]", "Query[]")
                  for each in dashboards.values()]
        wrong = dict(dashboards)
        for change in CHANGES:
            wrong[change.__name__] = copy.deepcopy(dashboards["hostile"])
            change(wrong[change.__name__])
        for name, dashboard in wrong.items():
            self.write(name, dashboard)
        said = self.compile(wrong)
        for name in dashboards:
            if name in said:
                raise lab.Problem("\n".join(said[name][:12])[:3000])
        for change in CHANGES:
            if change.__name__ not in said:
                raise lab.Problem(f"{change.__name__} is not noticed")
        return (f"{len(dashboards)} dashboards, {sum(counts[:3])} panels, {sum(counts[3:])} queries right; "
                f"{len(CHANGES) + 1} changes on the way noticed")

    def stop(self):
        """Remove the files that were written."""
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


PROGRAMS = [Grafana("10.4.9"), Grafana("13.2.3")]
